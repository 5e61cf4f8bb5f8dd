import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/** Where programs want to be told of notifications while they are closed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table push_subscriptions (
      id bigint generated always as identity primary key,
      access_token_id bigint not null unique references access_tokens on delete cascade,
      endpoint text not null,
      -- of the program: its public key, an uncompressed point of P-256, and the secret that it shares with us
      p256dh bytea not null check (octet_length(p256dh) = 65),
      auth bytea not null check (octet_length(auth) = 16),
      -- encrypted as RFC 8291 says; false = as its draft said
      standard boolean not null,
      -- by kind of notification, whether it is wanted
      alerts jsonb not null default '{}' check (jsonb_typeof(alerts) = 'object'),
      policy text not null default 'all' check (policy in ('all', 'followed', 'follower', 'none')),
      -- the token itself, encrypted: programs tell by it which of their accounts a push is for
      sealed_token bytea not null,
      -- how often in a row it failed, and until when nothing is sent to it
      failures integer not null default 0,
      rests_until timestamptz,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`
    create table pushes (
      notification_id bigint not null references notifications on delete cascade,
      subscription_id bigint not null references push_subscriptions on delete cascade,
      -- how often it was sent, or tried to be
      tries integer not null default 0,
      created_at timestamptz not null default now(),
      primary key (notification_id, subscription_id)
    )`.execute(db)
  await sql`create index pushes_subscription on pushes (subscription_id)`.execute(db)
}
