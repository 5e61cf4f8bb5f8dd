import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/** Who follows, asks to follow, blocks and mutes whom. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['follows', 'follow_requests']) {
    await sql`
      create table ${sql.table(table)} (
        id bigint generated always as identity primary key,
        account_id bigint not null references accounts on delete cascade,
        target_account_id bigint not null references accounts on delete cascade,
        show_reblogs boolean not null default true,
        notify boolean not null default false,
        -- null = all
        languages text[],
        uri text,
        created_at timestamptz not null default now(),
        unique (account_id, target_account_id),
        check (account_id <> target_account_id)
      )`.execute(db)
    await sql`create index ${sql.ref(`${table}_target`)} on ${sql.table(table)} (target_account_id, id desc)`.execute(
      db,
    )
  }
  // Few want to hear of each post.
  await sql`create index follows_notify on follows (target_account_id, id) where notify`.execute(db)
  await sql`
    create table blocks (
      id bigint generated always as identity primary key,
      account_id bigint not null references accounts on delete cascade,
      target_account_id bigint not null references accounts on delete cascade,
      uri text,
      created_at timestamptz not null default now(),
      unique (account_id, target_account_id),
      check (account_id <> target_account_id)
    )`.execute(db)
  await sql`create index blocks_target on blocks (target_account_id)`.execute(db)
  await sql`
    create table mutes (
      id bigint generated always as identity primary key,
      account_id bigint not null references accounts on delete cascade,
      target_account_id bigint not null references accounts on delete cascade,
      hide_notifications boolean not null default true,
      expires_at timestamptz,
      created_at timestamptz not null default now(),
      unique (account_id, target_account_id),
      check (account_id <> target_account_id)
    )`.execute(db)
  await sql`create index mutes_expiry on mutes (expires_at) where expires_at is not null`.execute(db)
  await sql`create index mutes_target on mutes (target_account_id)`.execute(db)
}
