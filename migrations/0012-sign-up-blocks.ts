/** Who may not use the server or sign up: blocks of IP addresses. */
export const up = `
create table ip_blocks (
  id bigint generated always as identity primary key,
  ip cidr not null unique,
  -- no_access: requests get 403; sign_up_block: no sign-ups; sign_up_requires_approval: new users are pending
  severity text not null check (severity in ('sign_up_requires_approval', 'sign_up_block', 'no_access')),
  comment text not null,
  -- null: never
  expires_at timestamptz,
  created_at timestamptz not null
);

-- A kind of invalidation of its own (0010-cache-invalidation): other caches do not depend on these rows. Processes of
-- versions that do not know the kind invalidate everything.
create function record_ip_blocks_invalidations() returns trigger language plpgsql as $$
begin
  if exists (select from touched) then
    insert into invalidations (kind, subject_id) values ('i', 0);
  end if;
  return null;
end $$;
create trigger invalidate_insert after insert on ip_blocks
  referencing new table as touched for each statement execute function record_ip_blocks_invalidations();
create trigger invalidate_update after update on ip_blocks
  referencing new table as touched for each statement execute function record_ip_blocks_invalidations();
create trigger invalidate_delete after delete on ip_blocks
  referencing old table as touched for each statement execute function record_ip_blocks_invalidations();
`
