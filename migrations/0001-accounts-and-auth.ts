/**
 * Accounts (local and remote), and what authenticates a user: users with their roles and sessions, OAuth applications,
 * authorization codes and access tokens. Secrets are stored as SHA-256 hashes.
 */
export const up = `
-- Returns the n-grams by which a text is indexed and searched: all of three characters, those of two characters that
-- begin with a blank, and those of one and two characters that are not ASCII, because one character is a word in some
-- languages. The result does not depend on the locale.
create function search_trigrams(t text) returns text[] language sql immutable strict parallel safe
return (
  select coalesce(array_agg(distinct gram), '{}')
  from generate_series(1, least(length(t), 300)) i,
    lateral (values (substr(t, i, 1)), (substr(t, i, 2)), (substr(t, i, 3))) g (gram)
  where length(gram) = 3 or octet_length(gram) > length(gram) or (length(gram) = 2 and starts_with(gram, ' '))
);

create table roles (
  id bigint primary key,
  name text not null,
  color text not null default '',
  position integer not null,
  permissions bigint not null,
  highlighted boolean not null default false,
  -- the maximum number of collections of a user with this role
  collection_limit integer not null default 10
);
-- Role -99 applies to every user. Permission bits: 0 administrator, 2 audit log, 3 dashboard, 4 reports, 5 federation,
-- 6 settings, 7 blocks, 8 taxonomies, 9 appeals, 10 users, 11 invites, 12 rules, 13 announcements, 14 emojis,
-- 15 webhooks, 16 invite users, 17 roles, 18 user access, 19 delete user data, 20 view feeds.
insert into roles (id, name, position, permissions, highlighted) values
  (-99, '', -1, 1 << 16, false),
  (1, 'Moderator', 10, (1<<3) | (1<<2) | (1<<20) | (1<<10) | (1<<4) | (1<<8), true),
  (2, 'Admin', 100, (1<<2) | (1<<3) | (1<<4) | (1<<5) | (1<<6) | (1<<7) | (1<<8) | (1<<9) | (1<<10) | (1<<11)
    | (1<<12) | (1<<13) | (1<<14) | (1<<15) | (1<<16) | (1<<17) | (1<<18) | (1<<19) | (1<<20), true),
  (3, 'Owner', 1000, 1, true);

create table accounts (
  id bigint generated always as identity primary key,
  username text not null,
  -- null: local; otherwise canonical ASCII
  domain text,
  uri text not null unique,
  url text not null,
  actor_type text not null default 'Person',
  display_name text not null default '',
  -- local: as typed; remote: sanitised HTML
  note text not null default '',
  fields jsonb not null default '[]',
  -- the custom emojis that the name, the note and the fields contain
  emoji_ids bigint[] not null default '{}',

  -- storage keys of local accounts
  avatar_key text,
  avatar_static_key text,
  avatar_description text not null default '',
  header_key text,
  header_static_key text,
  header_description text not null default '',
  -- the URLs from which the images of remote accounts are fetched
  avatar_remote_url text,
  header_remote_url text,

  -- choices of the user
  locked boolean not null default false,
  discoverable boolean,
  indexable boolean not null default false,
  hide_collections boolean,
  show_media boolean not null default true,
  show_media_replies boolean not null default true,
  show_featured boolean not null default true,
  -- sites that may name this account as an author
  attribution_domains text[] not null default '{}',
  -- Of remote accounts: the groups that may add the account to collections without asking, and those that may ask.
  -- Null: the remote server does not declare them.
  feature_automatic text[],
  feature_manual text[],

  also_known_as text[] not null default '{}',
  moved_to_account_id bigint references accounts on delete set null,
  memorial boolean not null default false,
  silenced_at timestamptz,
  suspended_at timestamptz,
  -- Only the remote server that suspended its account can lift that suspension.
  suspended_by_origin boolean not null default false,
  sensitized_at timestamptz,

  -- ActivityPub endpoints of remote accounts
  inbox_url text,
  shared_inbox_url text,
  outbox_url text,
  followers_url text,
  following_url text,
  featured_url text,
  refreshed_at timestamptz,

  -- Every change that is visible in a rendered account increments it, so cached renderings can be recognised as stale.
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index accounts_handle on accounts (lower(username), coalesce(domain, ''));
create index accounts_handle_prefix on accounts (lower(username) text_pattern_ops);
create index accounts_domain on accounts (domain) where domain is not null;
create index accounts_followers_url on accounts (followers_url) where followers_url is not null;
create index accounts_moved on accounts (moved_to_account_id) where moved_to_account_id is not null;
-- Every page checks whether authors are suspended or silenced. Few are, and with these indexes the planner does not
-- read all accounts.
create index accounts_suspended on accounts (id) where suspended_at is not null;
create index accounts_silenced on accounts (id) where silenced_at is not null;
-- The profile directory and suggestions read these.
create index accounts_discoverable on accounts (id desc) where discoverable;
create index accounts_discoverable_local on accounts (id desc) where discoverable and domain is null;
-- Without fastupdate no search has to read a list of pending entries.
create index accounts_search_text on accounts
  using gin (search_trigrams(' ' || lower(username || ' ' || display_name || ' ' || coalesce(domain, ''))))
  with (fastupdate = off);

-- Counters change with every status and follow. In a narrow table of their own, updates don't rewrite the wide rows of
-- accounts, and the fill factor leaves space for updates in place.
create table account_stats (
  account_id bigint primary key references accounts on delete cascade,
  statuses_count integer not null default 0 check (statuses_count >= 0),
  followers_count integer not null default 0 check (followers_count >= 0),
  following_count integer not null default 0 check (following_count >= 0),
  last_status_at timestamptz
) with (fillfactor = 70);
create index account_stats_active on account_stats (last_status_at desc nulls last, account_id desc);
create index account_stats_followed on account_stats (followers_count desc, account_id desc)
  where followers_count > 0;

create table account_moves (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  target_account_id bigint not null references accounts on delete cascade,
  followers_count integer not null,
  created_at timestamptz not null default now()
);
create index account_moves_account on account_moves (account_id, created_at desc);
create index account_moves_target on account_moves (target_account_id);

-- A deleted local account's username can't be registered again, because remote servers still know its URI.
create table deleted_usernames (
  username text primary key check (username = lower(username)),
  uri text not null,
  deleted_at timestamptz not null default now()
);

create table applications (
  id bigint generated always as identity primary key,
  name text not null,
  website text,
  redirect_uris text[] not null,
  scopes text[] not null,
  client_id text not null unique,
  client_secret_hash bytea not null,
  created_at timestamptz not null default now()
);

create table users (
  id bigint generated always as identity primary key,
  account_id bigint not null unique references accounts on delete cascade,
  role_id bigint not null default -99 references roles,

  email text not null,
  unconfirmed_email text,
  -- Sending the confirmation again moves confirmation_sent_at, so a separate column stores when the change of the
  -- e-mail address was requested. Null: confirmation_sent_at applies.
  email_change_requested_at timestamptz,
  confirmation_sent_at timestamptz,
  confirmed_at timestamptz,
  password_hash text,
  -- when the newest reset link was mailed; null: no link is valid
  password_reset_sent_at timestamptz,

  sign_up_reason text,
  sign_up_application_id bigint constraint users_sign_up_application references applications on delete set null,
  -- null: unknown, or the account was created by an administrator
  sign_up_ip inet,
  approved boolean not null default true,
  disabled_at timestamptz,

  locale text not null default 'en',
  time_zone text,
  -- null: all
  chosen_languages text[],
  default_privacy text,
  default_sensitive boolean not null default false,
  default_language text,
  default_quote_policy text not null default 'public'
    check (default_quote_policy in ('public', 'followers', 'nobody')),
  expand_media text not null default 'default'
    check (expand_media in ('default', 'show_all', 'hide_all')),
  expand_spoilers boolean not null default false,
  autoplay_gifs boolean not null default false,
  aggregate_reblogs boolean not null default true,
  show_application boolean not null default true,
  -- the types of notifications that are also sent by mail
  mail_types text[] not null default '{mention,quote,follow,follow_request}',
  -- send mail also for notifications that the user has already seen
  mail_even_if_seen boolean not null default false,

  -- The feeds of a user who is inactive for long are deleted (pruned). When the user returns, a job that rebuilds them
  -- is requested (rebuild_requested).
  feed_state text not null default 'complete' check (feed_state in ('complete', 'pruned', 'rebuild_requested')),
  -- Every change of the user's filters increments it, so cached results of filters can be recognised as stale.
  filters_version integer not null default 0,
  last_seen_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create unique index users_email on users (lower(email));
create index users_role on users (role_id) where role_id <> -99;

-- browser sessions of the pages
create table sessions (
  id_hash bytea primary key,
  user_id bigint not null references users on delete cascade,
  ip inet,
  user_agent text not null default '',
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_user on sessions (user_id);

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
);
create index authorization_codes_expiry on authorization_codes (expires_at);

create table access_tokens (
  id bigint generated always as identity primary key,
  token_hash bytea not null unique,
  application_id bigint references applications on delete cascade,
  -- null: a token of the application itself (client credentials)
  user_id bigint references users on delete cascade,
  scopes text[] not null,
  -- The authorization code that was exchanged for the token. If a code is used twice, its token is revoked.
  code_hash bytea,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index access_tokens_user on access_tokens (user_id) where revoked_at is null;
create index access_tokens_application on access_tokens (application_id);
create index access_tokens_code on access_tokens (code_hash) where code_hash is not null;
`
