import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/** What statuses link to, and what is shown of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // What is shown of a page, once for all addresses under which it is found.
  await sql`
    create table preview_cards (
      id bigint generated always as identity primary key,
      -- by which the page itself wants to be known, or where it was found
      url text not null unique,
      type text not null check (type in ('link', 'photo', 'video')),
      title text not null,
      description text not null default '',
      language text,
      provider_name text not null default '',
      provider_url text not null default '',
      -- the picture itself, of photos
      embed_url text not null default '',
      -- what plays it, of videos: the element, and the address that it loads
      player_element text check (player_element in ('iframe', 'video', 'audio')),
      player_url text,
      -- pixels of what plays, or of the photo; 0 = nobody says
      width integer not null default 0,
      height integer not null default 0,
      -- where its picture was found, and where ours lies; no key = it could not be had
      image_url text,
      image_key text,
      image_width integer not null default 0,
      image_height integer not null default 0,
      image_description text not null default '',
      blurhash text,
      published_at timestamptz,
      created_at timestamptz not null default now()
    )`.execute(db)

  await sql`
    create table preview_card_authors (
      card_id bigint not null references preview_cards on delete cascade,
      position smallint not null,
      name text not null default '',
      url text not null default '',
      -- whom the page names; whether they agree is theirs to say, and asked when it is shown
      account_id bigint references accounts on delete set null,
      primary key (card_id, position)
    )`.execute(db)
  await sql`create index preview_card_authors_account on preview_card_authors (account_id) where account_id is not null`.execute(
    db,
  )

  // An address that statuses link to, without its place on the page. It is asked once for all of them.
  await sql`
    create table links (
      id bigint generated always as identity primary key,
      url text not null unique,
      card_id bigint references preview_cards on delete set null,
      -- from when on the next status that has it makes it be asked again
      due_at timestamptz not null,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index links_card on links (card_id) where card_id is not null`.execute(db)
  await sql`create index links_due on links (due_at)`.execute(db)

  await sql`
    create table status_links (
      status_id bigint primary key references statuses on delete cascade,
      link_id bigint not null references links,
      -- that of the link, so that the timeline of a card is read from one index
      card_id bigint references preview_cards on delete set null,
      -- as written, with the place on the page
      url text not null
    )`.execute(db)
  await sql`create index status_links_link on status_links (link_id, status_id)`.execute(db)
  await sql`create index status_links_card on status_links (card_id, status_id) where card_id is not null`.execute(db)

  // By whom it was linked to in public on each day. One row for each person, so nobody waits for anybody else.
  await sql`
    create table link_uses (
      link_id bigint not null references links on delete cascade,
      day date not null,
      account_id bigint not null references accounts on delete cascade,
      uses integer not null default 1,
      primary key (link_id, day, account_id)
    )`.execute(db)
  await sql`create index link_uses_day on link_uses (day)`.execute(db)
  await sql`create index link_uses_account on link_uses (account_id)`.execute(db)
}
