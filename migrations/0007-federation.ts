/** Remote servers, the keys of actors, and the activities that are received and sent. */
export const up = `
-- A local key has a private half, encrypted; a remote one has only the public half. The key of the server's own actor
-- has no account.
create table actor_keys (
  id bigint generated always as identity primary key,
  key_id text not null unique,
  owner_uri text not null,
  account_id bigint references accounts on delete cascade,
  public_key_pem text not null,
  private_key bytea,
  fetched_at timestamptz not null default now()
);
create index actor_keys_owner on actor_keys (owner_uri);
create index actor_keys_account on actor_keys (account_id) where account_id is not null;

-- A host to which deliveries fail on seven days is unavailable until it sends something.
create table hosts (
  domain text primary key,
  software text,
  software_version text,
  signs_with text not null default 'cavage' check (signs_with in ('cavage', 'rfc9421')),
  failing_days date[] not null default '{}',
  unavailable_since timestamptz,
  retry_after timestamptz,
  failures_in_a_row integer not null default 0,
  last_error text,
  last_delivered_at timestamptz,
  last_heard_at timestamptz,
  -- The lease of the process that delivers to this host, so that no second one opens connections to it. By the
  -- database's clock; the lease of a process that dies expires soon.
  held_until timestamptz,
  created_at timestamptz not null default now()
) with (fillfactor = 70);

-- Every accepted activity once, so that a replay is recognised. The body is deleted after processing.
create table received_activities (
  id bigint generated always as identity primary key,
  actor_uri text not null,
  activity_id text not null,
  -- of the personal inbox that received it; null: the shared inbox
  inbox_account_id bigint references accounts on delete set null,
  body jsonb,
  -- Of a Follow, Like, Announce or Block, or the Undo of one: hashes, because URIs may exceed the size of an index
  -- entry. interaction_key is of the actor and the activity's id, relation_key of the actor, the type and the object.
  interaction_key text,
  relation_key text,
  is_undo boolean not null default false,
  -- of an Undo: it ended the interaction that its object named
  had_effect boolean not null default false,
  -- when the sender signed the delivery, never later than it was received
  signed_at timestamptz,
  received_at timestamptz not null default now(),
  handled_at timestamptz,
  unique (actor_uri, activity_id)
);
create index received_activities_interaction on received_activities (interaction_key, is_undo, signed_at, id)
  where interaction_key is not null;
create index received_activities_relation on received_activities (relation_key, is_undo, signed_at, id)
  where relation_key is not null;

-- A deleted object stays deleted when its Create arrives late or again. The owner is part of the key, so that no actor
-- can keep out objects of another one. Local tombstones stay for good, as remote servers get 410 for them; the others
-- expire.
create table tombstones (
  uri text not null,
  owner_uri text not null,
  is_local boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (uri, owner_uri)
);
create index tombstones_age on tombstones (created_at) where not is_local;

-- An activity is stored once, with a narrow row in deliveries for each inbox.
create table sent_activities (
  id bigint generated always as identity primary key,
  uri text not null unique,
  -- the account whose key signs; null: the server's own
  account_id bigint references accounts on delete cascade,
  status_id bigint,
  body text not null,
  created_at timestamptz not null default now()
);
create index sent_activities_status on sent_activities (status_id) where status_id is not null;
create index sent_activities_age on sent_activities (created_at);
create index sent_activities_account on sent_activities (account_id) where account_id is not null;

create table deliveries (
  id bigint generated always as identity primary key,
  activity_id bigint not null references sent_activities on delete cascade,
  inbox_url text not null,
  domain text not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'refused', 'given_up')),
  attempts smallint not null default 0,
  last_status smallint,
  last_error text,
  created_at timestamptz not null default now(),
  tried_at timestamptz,
  next_try_at timestamptz not null default now(),
  unique (activity_id, inbox_url)
) with (fillfactor = 80);
create index deliveries_waiting on deliveries (domain, next_try_at) where state = 'waiting';

-- The search for further replies to a remote status, and its progress.
create table thread_refreshes (
  status_id bigint primary key references statuses on delete cascade,
  -- clients poll the progress under this id; each refresh has a new one
  id uuid not null unique default gen_random_uuid(),
  asked_at timestamptz not null,
  finished_at timestamptz,
  -- how many unknown replies were found
  found integer not null default 0,
  -- statuses and collection pages that remain to be fetched, and how many were fetched
  waiting jsonb not null default '[]',
  posts_asked integer not null default 0,
  pages_asked integer not null default 0
);
create index thread_refreshes_age on thread_refreshes (asked_at);
create index thread_refreshes_running on thread_refreshes (asked_at) where finished_at is null;
`
