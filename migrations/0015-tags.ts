import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/** Who follows and features hashtags, and how much each was used. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table tags
      add column usable boolean not null default true,
      add column listable boolean not null default true,
      -- null = as the server's setting says
      add column trendable boolean,
      add column reviewed_at timestamptz,
      -- by how many it was used in public in the last seven days, as of the last hour; what is used again after a pause
      -- has 1 at once. null = nobody has used it where others see it, so it is not shown to them
      add column recent_users integer`.execute(db)
  await sql`create index tags_prefix on tags (name text_pattern_ops)`.execute(db)
  await sql`create index tags_in_use on tags (name text_pattern_ops) where recent_users > 0`.execute(db)

  await sql`
    create table tag_follows (
      id bigint generated always as identity primary key,
      account_id bigint not null references accounts on delete cascade,
      tag_id bigint not null references tags on delete cascade,
      created_at timestamptz not null default now(),
      unique (account_id, tag_id)
    )`.execute(db)
  await sql`create index tag_follows_tag on tag_follows (tag_id, id)`.execute(db)

  await sql`
    create table featured_tags (
      id bigint generated always as identity primary key,
      account_id bigint not null references accounts on delete cascade,
      tag_id bigint not null references tags on delete cascade,
      -- as its owner writes it
      name text not null,
      created_at timestamptz not null default now(),
      unique (account_id, tag_id)
    )`.execute(db)
  await sql`create index featured_tags_tag on featured_tags (tag_id)`.execute(db)

  // One narrow row for each person, tag and day: no row that everybody writes, and people are counted, not posts alone.
  await sql`
    create table tag_uses (
      tag_id bigint not null references tags on delete cascade,
      day date not null,
      account_id bigint not null references accounts on delete cascade,
      uses integer not null default 1,
      primary key (tag_id, day, account_id)
    )`.execute(db)
  await sql`create index tag_uses_day on tag_uses (day)`.execute(db)
  await sql`create index tag_uses_account on tag_uses (account_id)`.execute(db)
}
