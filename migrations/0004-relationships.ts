/** Relationships between accounts, followed and featured hashtags, lists, filters and collections. */
export const up = `
create table follows (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  target_account_id bigint not null references accounts on delete cascade,
  show_reblogs boolean not null default true,
  notify boolean not null default false,
  -- null: all
  languages text[],
  -- of the Follow activity
  uri text,
  created_at timestamptz not null default now(),
  unique (account_id, target_account_id),
  check (account_id <> target_account_id)
);
create index follows_target on follows (target_account_id, id desc);
create index follows_uri on follows (uri) where uri is not null;
-- Few followers have enabled notifications of each status.
create index follows_notify on follows (target_account_id, id) where notify;

create table follow_requests (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  target_account_id bigint not null references accounts on delete cascade,
  show_reblogs boolean not null default true,
  notify boolean not null default false,
  -- null: all
  languages text[],
  -- of the Follow activity
  uri text,
  created_at timestamptz not null default now(),
  unique (account_id, target_account_id),
  check (account_id <> target_account_id)
);
create index follow_requests_target on follow_requests (target_account_id, id desc);
create index follow_requests_uri on follow_requests (uri) where uri is not null;

create table blocks (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  target_account_id bigint not null references accounts on delete cascade,
  -- of the Block activity
  uri text,
  created_at timestamptz not null default now(),
  unique (account_id, target_account_id),
  check (account_id <> target_account_id)
);
create index blocks_target on blocks (target_account_id);
create index blocks_uri on blocks (uri) where uri is not null;

create table mutes (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  target_account_id bigint not null references accounts on delete cascade,
  hide_notifications boolean not null default true,
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  unique (account_id, target_account_id),
  check (account_id <> target_account_id)
);
create index mutes_target on mutes (target_account_id);
create index mutes_expiry on mutes (expires_at) where expires_at is not null;

create table account_domain_blocks (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  -- canonical ASCII; the block includes subdomains
  domain text not null,
  created_at timestamptz not null default now(),
  unique (account_id, domain)
);
create index account_domain_blocks_domain on account_domain_blocks (domain);

-- the follows that an account lost by a domain block or a suspension
create table relationship_severance_events (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  type text not null check (type in ('domain_block', 'user_domain_block', 'account_suspension')),
  -- the domain or the handle
  target_name text not null,
  -- identifies the block or suspension, so that the several transactions of one block are one event
  cause text not null,
  followers_count integer not null default 0,
  following_count integer not null default 0,
  created_at timestamptz not null default now(),
  unique (account_id, cause)
);

create table account_notes (
  account_id bigint not null references accounts on delete cascade,
  target_account_id bigint not null references accounts on delete cascade,
  comment text not null,
  primary key (account_id, target_account_id)
);
create index account_notes_target on account_notes (target_account_id);

-- Only followed accounts can be endorsed, so the endorsement is deleted with the follow.
create table endorsements (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  target_account_id bigint not null,
  created_at timestamptz not null default now(),
  unique (account_id, target_account_id),
  foreign key (account_id, target_account_id) references follows (account_id, target_account_id) on delete cascade
);

create table suggestion_dismissals (
  account_id bigint not null references accounts on delete cascade,
  target_account_id bigint not null references accounts on delete cascade,
  primary key (account_id, target_account_id)
);
create index suggestion_dismissals_target on suggestion_dismissals (target_account_id);

create table tag_follows (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  tag_id bigint not null references tags on delete cascade,
  created_at timestamptz not null default now(),
  unique (account_id, tag_id)
);
create index tag_follows_tag on tag_follows (tag_id, id);

create table featured_tags (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  tag_id bigint not null references tags on delete cascade,
  -- in the owner's spelling
  name text not null,
  created_at timestamptz not null default now(),
  unique (account_id, tag_id)
);
create index featured_tags_tag on featured_tags (tag_id);

create table lists (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  title text not null,
  replies_policy text not null default 'list' check (replies_policy in ('list', 'followed', 'none')),
  exclusive boolean not null default false,
  created_at timestamptz not null default now()
);
create index lists_account on lists (account_id);

-- A member of a list depends on a follow or a follow request of the list's owner, and is removed with it. The owner's
-- own account needs neither.
create table list_accounts (
  id bigint generated always as identity primary key,
  list_id bigint not null references lists on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  follow_id bigint references follows on delete cascade,
  follow_request_id bigint references follow_requests on delete cascade,
  created_at timestamptz not null default now(),
  unique (list_id, account_id),
  check (follow_id is null or follow_request_id is null)
);
create index list_accounts_account on list_accounts (account_id, id);
create index list_accounts_follow on list_accounts (follow_id) where follow_id is not null;
create index list_accounts_request on list_accounts (follow_request_id) where follow_request_id is not null;

-- A change of a user's filters also increments users.filters_version.
create table filters (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  title text not null,
  contexts text[] not null
    check (contexts <@ '{home,notifications,public,thread,account}' and cardinality(contexts) > 0),
  action text not null default 'warn' check (action in ('warn', 'hide', 'blur')),
  expires_at timestamptz,
  created_at timestamptz not null default now()
);
create index filters_account on filters (account_id);

create table filter_keywords (
  id bigint generated always as identity primary key,
  filter_id bigint not null references filters on delete cascade,
  keyword text not null,
  whole_word boolean not null default true
);
create index filter_keywords_filter on filter_keywords (filter_id);

create table filter_statuses (
  id bigint generated always as identity primary key,
  filter_id bigint not null references filters on delete cascade,
  status_id bigint not null references statuses on delete cascade,
  unique (filter_id, status_id)
);
create index filter_statuses_status on filter_statuses (status_id);

-- Mastodon's collections: accounts that a user recommends together.
create table collections (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  uri text unique,
  url text,
  name text not null,
  -- local: as typed; remote: sanitised HTML
  description text not null default '',
  language text,
  local boolean not null default true,
  sensitive boolean not null default false,
  discoverable boolean not null default true,
  tag_id bigint references tags on delete set null,
  -- the count that the remote server of the collection reported
  origin_item_count integer,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index collections_account on collections (account_id, id desc);
create index collections_tag on collections (tag_id) where tag_id is not null;

create table collection_items (
  id bigint generated always as identity primary key,
  collection_id bigint not null references collections on delete cascade,
  -- null while a remote account has not been fetched
  account_id bigint references accounts on delete cascade,
  object_uri text,
  state text not null default 'pending' check (state in ('pending', 'accepted', 'rejected', 'revoked')),
  uri text unique,
  -- the URIs of the request and of the remote server's approval
  activity_uri text,
  approval_uri text,
  created_at timestamptz not null default now(),
  unique (collection_id, account_id)
);
create index collection_items_account on collection_items (account_id) where account_id is not null;
create index collection_items_activity on collection_items (activity_uri) where activity_uri is not null;
`
