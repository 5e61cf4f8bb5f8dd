import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/** What the owner sets, and the outbox of letters. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table settings (
      name text primary key,
      value jsonb not null,
      updated_at timestamptz not null default now()
    )`.execute(db)
  await sql`
    create table mails (
      id bigint generated always as identity primary key,
      -- names what the letter is about, so that an effect that runs twice writes it once
      key text not null unique,
      recipient text not null,
      subject text not null,
      text text not null,
      html text not null,
      created_at timestamptz not null default now(),
      sent_at timestamptz
    )`.execute(db)
}
