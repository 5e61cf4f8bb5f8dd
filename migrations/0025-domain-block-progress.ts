/** How far the change of a domain block has been applied to the known accounts. */
export const up = `
-- One row per domain whose block was ever created, changed or removed.
create table domain_block_runs (
  domain text primary key,
  -- the highest account id that was examined
  examined_until bigint not null,
  -- when the last change of the block began to be applied
  started_at timestamptz not null,
  -- null while it runs
  finished_at timestamptz
);
`
