/** Statuses with their counters, versions, mentions, hashtags, polls and quotes, and interactions with statuses. */
export const up = `
-- A status id is milliseconds << 16 | sequence. A sequence is shared by all processes and is not rolled back; the
-- advisory lock, held for microseconds, makes "the last id plus one, or the current time" a single step. Ids therefore
-- also rise when the clock is set back, and the 65,537th id of a millisecond belongs to the next one.
create sequence status_ids;
create function next_status_id(at_ms bigint default (extract(epoch from clock_timestamp()) * 1000)::bigint)
returns bigint language plpgsql volatile as $$
declare
  id bigint;
begin
  perform pg_advisory_lock(4711002);
  select greatest(last_value + 1, at_ms << 16) into id from status_ids;
  perform setval('status_ids', id);
  perform pg_advisory_unlock(4711002);
  return id;
end $$;

create table conversations (
  id bigint generated always as identity primary key,
  uri text unique,
  created_at timestamptz not null default now()
);

create table statuses (
  id bigint primary key default next_status_id(),
  account_id bigint not null references accounts on delete cascade,
  uri text not null unique,
  url text not null,
  local boolean not null default true,
  -- not federated
  local_only boolean not null default false,
  application_id bigint references applications on delete set null,

  -- as typed (local statuses only)
  text text not null default '',
  -- as displayed: HTML
  content text not null default '',
  spoiler_text text not null default '',
  visibility text not null check (visibility in ('public', 'unlisted', 'private', 'direct')),
  sensitive boolean not null default false,
  language text,
  -- the custom emojis that the status contains
  emoji_ids bigint[] not null default '{}',

  in_reply_to_id bigint references statuses on delete set null,
  -- the URI of a parent that has not been fetched yet
  in_reply_to_uri text,
  in_reply_to_account_id bigint references accounts on delete set null,
  conversation_id bigint references conversations,
  reblog_of_id bigint references statuses on delete cascade,
  -- The groups that may quote the status without approval, and those whose quotes need the author's approval: public,
  -- followers, following, unsupported_policy.
  quote_automatic text[] not null default '{}',
  quote_manual text[] not null default '{}',

  -- the counters that the remote server of the status reported
  origin_replies_count integer,
  origin_reblogs_count integer,
  origin_favourites_count integer,

  -- Every change that is visible in a rendered status increments it.
  version integer not null default 1,
  created_at timestamptz not null default now(),
  edited_at timestamptz,
  deleted_at timestamptz
);
create index statuses_account on statuses (account_id, id desc) where deleted_at is null;
create index statuses_public on statuses (id desc)
  where visibility = 'public' and reblog_of_id is null and deleted_at is null
    and (in_reply_to_id is null or in_reply_to_account_id = account_id);
create index statuses_public_local on statuses (id desc)
  where local and visibility = 'public' and reblog_of_id is null and deleted_at is null
    and (in_reply_to_id is null or in_reply_to_account_id = account_id);
create index statuses_replies on statuses (in_reply_to_id, id) where in_reply_to_id is not null;
create index statuses_in_reply_to_account on statuses (in_reply_to_account_id)
  where in_reply_to_account_id is not null;
create index statuses_awaiting_parent on statuses (in_reply_to_uri)
  where in_reply_to_uri is not null and in_reply_to_id is null;
create index statuses_conversation on statuses (conversation_id) where conversation_id is not null;
-- Includes deleted reblogs, which the foreign key must find when their status is deleted.
create index statuses_reblogs on statuses (reblog_of_id) where reblog_of_id is not null;
create unique index statuses_one_reblog_per_account on statuses (reblog_of_id, account_id)
  where reblog_of_id is not null and deleted_at is null;
create index statuses_by_reblogged on statuses (account_id, reblog_of_id desc)
  where reblog_of_id is not null and deleted_at is null;
create index statuses_deleted on statuses (deleted_at) where deleted_at is not null;

create table status_stats (
  status_id bigint primary key references statuses on delete cascade,
  replies_count integer not null default 0 check (replies_count >= 0),
  reblogs_count integer not null default 0 check (reblogs_count >= 0),
  favourites_count integer not null default 0 check (favourites_count >= 0),
  quotes_count integer not null default 0 check (quotes_count >= 0)
) with (fillfactor = 70);

-- earlier versions
create table status_edits (
  id bigint generated always as identity primary key,
  status_id bigint not null references statuses on delete cascade,
  text text not null,
  content text not null,
  spoiler_text text not null,
  sensitive boolean not null,
  language text,
  media jsonb not null default '[]',
  poll_options text[],
  emoji_ids bigint[] not null default '{}',
  created_at timestamptz not null
);
create index status_edits_status on status_edits (status_id, id);

create table mentions (
  id bigint generated always as identity primary key,
  status_id bigint not null references statuses on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  -- The account can read the status, but is not displayed as mentioned and not notified.
  silent boolean not null default false,
  unique (status_id, account_id)
);
create index mentions_account on mentions (account_id, status_id desc);

create table tags (
  id bigint generated always as identity primary key,
  name text not null unique,
  display_name text not null,
  usable boolean not null default true,
  listable boolean not null default true,
  -- null: the server's setting applies
  trendable boolean,
  reviewed_at timestamptz,
  -- The number of accounts that used it publicly in the last seven days; an hourly job updates it. The first use after
  -- a pause sets it to 1 at once. Null: no account has used it publicly, so other accounts do not see it.
  recent_users integer,
  created_at timestamptz not null default now()
);
create index tags_prefix on tags (name text_pattern_ops);
create index tags_in_use on tags (name text_pattern_ops) where recent_users > 0;

create table status_tags (
  status_id bigint not null references statuses on delete cascade,
  tag_id bigint not null references tags on delete cascade,
  primary key (tag_id, status_id)
);
create index status_tags_status on status_tags (status_id);

create table polls (
  id bigint generated always as identity primary key,
  status_id bigint not null unique references statuses on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  options text[] not null,
  -- votes by option
  tallies integer[] not null,
  multiple boolean not null default false,
  hide_totals boolean not null default false,
  votes_count integer not null default 0,
  voters_count integer,
  expires_at timestamptz,
  -- when the notifications of its end were created
  ended_at timestamptz,
  fetched_at timestamptz,
  created_at timestamptz not null default now()
);
create index polls_account on polls (account_id);

create table poll_votes (
  id bigint generated always as identity primary key,
  poll_id bigint not null references polls on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  choice smallint not null,
  uri text,
  created_at timestamptz not null default now(),
  unique (poll_id, account_id, choice)
);
create index poll_votes_account on poll_votes (account_id, poll_id desc);

create table quotes (
  id bigint generated always as identity primary key,
  -- the status that contains the quote
  status_id bigint not null unique references statuses on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  -- null while the quoted status has not been fetched, and after its deletion
  quoted_status_id bigint references statuses on delete set null,
  quoted_account_id bigint references accounts on delete set null,
  quoted_uri text,
  state text not null default 'pending'
    check (state in ('pending', 'accepted', 'rejected', 'revoked', 'deleted', 'unauthorized')),
  -- The remote server sent only properties older than FEP-044f; the quote is displayed only after it is accepted.
  legacy boolean not null default false,
  -- the URIs of the QuoteRequest and of the QuoteAuthorization
  request_uri text,
  approval_uri text unique,
  -- a random part of the URI of a local account's QuoteAuthorization, so that the URI can't be guessed
  authorization_key uuid not null unique default gen_random_uuid(),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index quotes_account on quotes (account_id);
create index quotes_quoted on quotes (quoted_status_id, id desc) where quoted_status_id is not null;
create index quotes_quoted_account on quotes (quoted_account_id) where quoted_account_id is not null;
create index quotes_quoted_uri on quotes (quoted_uri) where quoted_uri is not null;
create index quotes_request on quotes (request_uri) where request_uri is not null;

create table favourites (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  status_id bigint not null references statuses on delete cascade,
  -- The Like activities of a remote account. An Undo may arrive before another Like, so the favourite lasts until each
  -- of them has been undone.
  uris text[] not null default '{}',
  created_at timestamptz not null default now(),
  unique (status_id, account_id)
);
create index favourites_account on favourites (account_id, id desc);
-- Searches in a user's own favourites and bookmarks read them in the order of the statuses.
create index favourites_by_status on favourites (account_id, status_id desc);

create table bookmarks (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  status_id bigint not null references statuses on delete cascade,
  created_at timestamptz not null default now(),
  unique (status_id, account_id)
);
create index bookmarks_account on bookmarks (account_id, id desc);
create index bookmarks_by_status on bookmarks (account_id, status_id desc);

create table status_pins (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  status_id bigint not null unique references statuses on delete cascade,
  created_at timestamptz not null default now()
);
create index pins_account on status_pins (account_id, id desc);

create table conversation_mutes (
  account_id bigint not null references accounts on delete cascade,
  conversation_id bigint not null references conversations on delete cascade,
  primary key (account_id, conversation_id)
);
create index conversation_mutes_conversation on conversation_mutes (conversation_id);

create table scheduled_statuses (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  application_id bigint references applications on delete set null,
  scheduled_at timestamptz not null,
  params jsonb not null,
  created_at timestamptz not null default now()
);
create index scheduled_statuses_account on scheduled_statuses (account_id, id desc);
create index scheduled_statuses_due on scheduled_statuses (scheduled_at);
create index scheduled_statuses_application on scheduled_statuses (application_id) where application_id is not null;

-- A repeated request returns the status, or the scheduled status, that the first one created.
create table idempotency_keys (
  account_id bigint not null references accounts on delete cascade,
  key text not null,
  status_id bigint references statuses on delete cascade,
  scheduled_status_id bigint references scheduled_statuses on delete cascade,
  created_at timestamptz not null default now(),
  primary key (account_id, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);
create index idempotency_keys_status on idempotency_keys (status_id);
create index idempotency_keys_scheduled on idempotency_keys (scheduled_status_id)
  where scheduled_status_id is not null;
`
