import type { Kysely } from 'kysely'
import { sql } from 'kysely'

const TRIGGERS = {
  insert: 'referencing new table as added',
  update: 'referencing new table as added old table as removed',
  delete: 'referencing old table as removed',
}

/** How many bytes the cache of remote media holds, and how many are about to be stored. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table media_cache_size (
      -- the one row, which also serialises reservations
      id boolean primary key default true check (id),
      byte_size bigint not null
    )`.execute(db)
  await sql`
    create table media_cache_reservations (
      id bigint generated always as identity primary key,
      byte_size bigint not null,
      -- what a killed process has reserved counts no longer
      expires_at timestamptz not null
    )`.execute(db)
  await sql`
    create function count_media_cache() returns trigger language plpgsql as $$
    declare
      change bigint := 0;
    begin
      if tg_op <> 'DELETE' then
        change := change + (select coalesce(sum(byte_size), 0) from added);
      end if;
      if tg_op <> 'INSERT' then
        change := change - (select coalesce(sum(byte_size), 0) from removed);
      end if;
      -- The row stays unlocked when only the time of use changes.
      if change <> 0 then
        update media_cache_size set byte_size = byte_size + change;
      end if;
      return null;
    end $$`.execute(db)
  for (const [event, tables] of Object.entries(TRIGGERS)) {
    await sql
      .raw(
        `create trigger count_media_cache_${event} after ${event} on cached_files ${tables}
         for each statement execute function count_media_cache()`,
      )
      .execute(db)
  }
  // The triggers lock the table until the commit, so nothing is counted twice or missed.
  await sql`insert into media_cache_size (byte_size) select coalesce(sum(byte_size), 0) from cached_files`.execute(db)
}
