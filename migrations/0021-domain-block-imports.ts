/** Lists of domain blocks that staff import: drafts until they are confirmed. */
export const up = `
create table domain_block_imports (
  id bigint generated always as identity primary key,
  -- draft: nothing has been applied; applying: a job applies the selected rows
  state text not null default 'draft' check (state in ('draft', 'applying', 'applied')),
  -- whether rows may weaken existing blocks
  overwrite boolean not null default false,
  created_at timestamptz not null,
  finished_at timestamptz
);
create index domain_block_imports_created_at on domain_block_imports (created_at);

create table domain_block_import_rows (
  id bigint generated always as identity primary key,
  import_id bigint not null references domain_block_imports on delete cascade,
  -- in the file, from 1
  line integer not null,
  -- canonical; of an invalid row, as typed
  domain text not null,
  severity text not null check (severity in ('noop', 'silence', 'suspend')),
  reject_media boolean not null,
  reject_reports boolean not null,
  public_comment text not null,
  obfuscate boolean not null,
  -- compared with the blocks at the time of the upload
  status text not null check (status in ('new', 'changed', 'unchanged', 'invalid')),
  -- Without overwrite, it is skipped: an existing block is stricter.
  weakens boolean not null,
  -- why it is invalid or could not be applied
  error text,
  -- known accounts, and their follows of and by local users
  accounts_count integer not null,
  follows_count integer not null,
  -- selected: waits for the job
  state text not null default 'draft' check (state in ('draft', 'selected', 'applied', 'skipped', 'failed'))
);
create index domain_block_import_rows_import on domain_block_import_rows (import_id, id);
create index domain_block_import_rows_selected on domain_block_import_rows (import_id, id) where state = 'selected';
`
