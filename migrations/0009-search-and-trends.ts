/** The search index of statuses, the use of hashtags and links, and trends. */
export const up = `
create table status_search_entries (
  status_id bigint primary key references statuses on delete cascade,
  -- the version of the status at the time of indexing
  status_version integer not null,
  -- Stems of words with their positions, and n-grams of scripts without spaces. Terms with a prefix that no word has
  -- represent the author, properties of the status, and periods of time.
  lexemes tsvector not null
);
-- Without fastupdate no search has to read a list of pending entries.
create index status_search_entries_lexemes on status_search_entries using gin (lexemes) with (fastupdate = off);

-- A row for each hashtag or link, day and account, so that accounts can be counted and no transaction waits for another
-- one's update of a shared counter.
create table tag_uses (
  tag_id bigint not null references tags on delete cascade,
  day date not null,
  account_id bigint not null references accounts on delete cascade,
  uses integer not null default 1,
  primary key (tag_id, day, account_id)
);
create index tag_uses_day on tag_uses (day);
create index tag_uses_account on tag_uses (account_id);

create table preview_link_uses (
  link_id bigint not null references preview_links on delete cascade,
  day date not null,
  account_id bigint not null references accounts on delete cascade,
  uses integer not null default 1,
  primary key (link_id, day, account_id)
);
create index link_uses_day on preview_link_uses (day);
create index link_uses_account on preview_link_uses (account_id);

-- The peak is the highest recent score; the score is the decayed peak at the last update. A trend whose score is too
-- low to be listed retains its peak.
create table trending_tags (
  tag_id bigint primary key references tags on delete cascade,
  peak double precision not null,
  peaked_at timestamptz not null,
  score double precision not null,
  review_requested_at timestamptz
);

create table trending_links (
  card_id bigint primary key references preview_cards on delete cascade,
  publisher_id bigint references preview_card_providers,
  peak double precision not null,
  peaked_at timestamptz not null,
  score double precision not null,
  review_requested_at timestamptz
);
create index trending_links_publisher on trending_links (publisher_id);

create table trending_statuses (
  status_id bigint primary key references statuses on delete cascade,
  score double precision not null,
  review_requested_at timestamptz
);

-- A separate table, because few statuses are reviewed and statuses are read very often.
create table status_trend_reviews (
  status_id bigint primary key references statuses on delete cascade,
  trendable boolean not null,
  reviewed_at timestamptz not null
);
`
