import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/**
 * What people write to nobody but each other, as each of them has it: by thread, and by who takes part; and what was
 * somebody's year.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table account_conversations (
      id bigint generated always as identity primary key,
      account_id bigint not null references accounts on delete cascade,
      conversation_id bigint not null references conversations,
      -- the others, by rising id; a digest of them, since an index holds no long rows
      participant_ids bigint[] not null,
      participants_digest bytea not null,
      -- the newest of its statuses
      last_status_id bigint not null,
      unread boolean not null default false,
      created_at timestamptz not null default now(),
      unique (account_id, conversation_id, participants_digest)
    ) with (fillfactor = 80)`.execute(db)
  await sql`create index account_conversations_account on account_conversations (account_id, last_status_id desc)`.execute(
    db,
  )
  await sql`create index account_conversations_conversation on account_conversations (conversation_id)`.execute(db)

  await sql`
    create table account_conversation_statuses (
      account_conversation_id bigint not null references account_conversations on delete cascade,
      status_id bigint not null references statuses on delete cascade,
      primary key (account_conversation_id, status_id)
    )`.execute(db)
  await sql`create index account_conversation_statuses_status on account_conversation_statuses (status_id)`.execute(db)

  // However a status goes, whoever had it has the one before, or nothing. The lock is that of those who add statuses:
  // each statement after it sees what they added. Arrays, since how many are gone is not known when it is planned.
  await sql`
    create function fall_back_in_conversations() returns trigger language plpgsql as $$
    declare
      left_ids bigint[] := array(select distinct account_conversation_id from gone);
    begin
      if left_ids = '{}' then
        return null;
      end if;
      perform from conversations where id = any(array(
        select conversation_id from account_conversations where id = any(left_ids)))
      order by id for no key update;
      delete from account_conversations c where c.id = any(left_ids) and not exists (
        select from account_conversation_statuses e where e.account_conversation_id = c.id offset 0);
      update account_conversations c set last_status_id = (
        select max(e.status_id) from account_conversation_statuses e where e.account_conversation_id = c.id)
      where c.id = any(left_ids);
      return null;
    end $$`.execute(db)
  await sql`
    create trigger fall_back after delete on account_conversation_statuses referencing old table as gone
    for each statement execute function fall_back_in_conversations()`.execute(db)

  await sql`
    create table annual_reports (
      id bigint generated always as identity primary key,
      account_id bigint not null references accounts on delete cascade,
      year smallint not null,
      -- told to clients, who ask how it goes
      refresh_id uuid not null unique default gen_random_uuid(),
      asked_at timestamptz not null,
      -- null while it is being made
      data jsonb,
      read_at timestamptz,
      unique (account_id, year)
    )`.execute(db)
}
