import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/** What many people take part in just now, and what the staff says about it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Whose pages people link to: known while one of them trends, and for good once the staff said something.
  await sql`
    create table publishers (
      id bigint generated always as identity primary key,
      domain text not null unique,
      -- null = as the server's setting says
      trendable boolean,
      reviewed_at timestamptz,
      review_asked_at timestamptz,
      created_at timestamptz not null default now()
    )`.execute(db)
  // null = as with its publisher
  await sql`alter table preview_cards add column trendable boolean`.execute(db)
  // A table of its own: few statuses are ever reviewed, and all are read.
  await sql`
    create table reviewed_statuses (
      status_id bigint primary key references statuses on delete cascade,
      trendable boolean not null,
      reviewed_at timestamptz not null
    )`.execute(db)

  // The highest score that it came to lately, when that was, and what is left of it, as of the last look. What is left
  // may be too little to be shown: then only the peak is remembered.
  await sql`
    create table trending_tags (
      tag_id bigint primary key references tags on delete cascade,
      peak double precision not null,
      peaked_at timestamptz not null,
      score double precision not null,
      review_asked_at timestamptz
    )`.execute(db)
  await sql`
    create table trending_links (
      card_id bigint primary key references preview_cards on delete cascade,
      publisher_id bigint references publishers,
      peak double precision not null,
      peaked_at timestamptz not null,
      score double precision not null,
      review_asked_at timestamptz
    )`.execute(db)
  await sql`create index trending_links_publisher on trending_links (publisher_id)`.execute(db)
  await sql`
    create table trending_statuses (
      status_id bigint primary key references statuses on delete cascade,
      score double precision not null,
      review_asked_at timestamptz
    )`.execute(db)
}
