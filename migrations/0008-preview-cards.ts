/** The links of statuses and their preview cards. */
export const up = `
-- The publishers of linked pages: stored while one of their links trends, and permanently after a moderator's review.
create table preview_card_providers (
  id bigint generated always as identity primary key,
  domain text not null unique,
  -- null: the server's setting applies
  trendable boolean,
  reviewed_at timestamptz,
  review_requested_at timestamptz,
  created_at timestamptz not null default now()
);

-- A page has one card for all of its URLs.
create table preview_cards (
  id bigint generated always as identity primary key,
  -- the page's canonical URL, or the one at which it was found
  url text not null unique,
  type text not null check (type in ('link', 'photo', 'video')),
  title text not null,
  description text not null default '',
  language text,
  provider_name text not null default '',
  provider_url text not null default '',
  -- of a photo: the image itself
  embed_url text not null default '',
  -- of a video: the HTML element that plays it, and the URL that the element loads
  player_element text check (player_element in ('iframe', 'video', 'audio')),
  player_url text,
  -- pixels of the player or the photo; 0: unknown
  width integer not null default 0,
  height integer not null default 0,
  -- the URL of the image, and its storage key; no key: it could not be fetched
  image_url text,
  image_key text,
  image_width integer not null default 0,
  image_height integer not null default 0,
  image_description text not null default '',
  blurhash text,
  -- null: the publisher's value applies
  trendable boolean,
  published_at timestamptz,
  created_at timestamptz not null default now()
);

create table preview_card_authors (
  card_id bigint not null references preview_cards on delete cascade,
  position smallint not null,
  name text not null default '',
  url text not null default '',
  -- The account that the page names. Rendering checks whether that account allows the site to name it.
  account_id bigint references accounts on delete set null,
  primary key (card_id, position)
);
create index preview_card_authors_account on preview_card_authors (account_id) where account_id is not null;

-- A URL without its fragment. It is fetched once for all statuses that link to it.
create table preview_links (
  id bigint generated always as identity primary key,
  url text not null unique,
  card_id bigint references preview_cards on delete set null,
  -- After this time the next status with the link causes it to be fetched again.
  due_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index links_card on preview_links (card_id) where card_id is not null;
create index links_due on preview_links (due_at);

create table status_preview_links (
  status_id bigint primary key references statuses on delete cascade,
  link_id bigint not null references preview_links,
  -- the card of the link, so that the timeline of a card is read from a single index
  card_id bigint references preview_cards on delete set null,
  -- as written, with the fragment
  url text not null
);
create index status_links_link on status_preview_links (link_id, status_id);
create index status_links_card on status_preview_links (card_id, status_id) where card_id is not null;
`
