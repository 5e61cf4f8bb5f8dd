import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/** OAuth applications, authorization codes and access tokens. Secrets are kept as SHA-256 only. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table applications (
      id bigint generated always as identity primary key,
      name text not null,
      website text,
      redirect_uris text[] not null,
      scopes text[] not null,
      client_id text not null unique,
      client_secret_hash bytea not null,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`
    alter table users add constraint users_sign_up_application
    foreign key (sign_up_application_id) references applications on delete set null`.execute(db)

  await sql`
    create table authorization_codes (
      code_hash bytea primary key,
      application_id bigint not null references applications on delete cascade,
      user_id bigint not null references users on delete cascade,
      redirect_uri text not null,
      scopes text[] not null,
      code_challenge text,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      used_at timestamptz
    )`.execute(db)
  await sql`create index authorization_codes_expiry on authorization_codes (expires_at)`.execute(db)

  await sql`
    create table access_tokens (
      id bigint generated always as identity primary key,
      token_hash bytea not null unique,
      application_id bigint references applications on delete cascade,
      -- null = the token stands for the application alone
      user_id bigint references users on delete cascade,
      scopes text[] not null,
      -- what it was exchanged for, so that a code used twice can take back what it gave
      code_hash bytea,
      created_at timestamptz not null default now(),
      last_used_at timestamptz,
      revoked_at timestamptz
    )`.execute(db)
  await sql`create index access_tokens_user on access_tokens (user_id) where revoked_at is null`.execute(db)
  await sql`create index access_tokens_application on access_tokens (application_id)`.execute(db)
  await sql`create index access_tokens_code on access_tokens (code_hash) where code_hash is not null`.execute(db)
}
