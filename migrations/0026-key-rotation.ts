/** Rotation of the keys of local actors. */
export const up = `
-- increases when the key pair of a local actor is replaced
alter table actor_keys add column version integer not null default 1;

-- of the Update that announces a new key: the encrypted former private key, which signs it; null: the present key signs
alter table sent_activities add column signing_key bytea;
create index sent_activities_signing_key on sent_activities (id) where signing_key is not null;

-- The key of a local actor is cached, and so is its document.
create function record_actor_keys_invalidations() returns trigger language plpgsql as $$
begin
  insert into invalidations (kind, subject_id)
    select distinct 'a', account_id from touched where private_key is not null and account_id is not null;
  return null;
end $$;
create trigger invalidate_update after update on actor_keys
  referencing new table as touched for each statement execute function record_actor_keys_invalidations();
`
