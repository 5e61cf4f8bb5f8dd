/** Remote servers, the keys of actors, and the activities that are received and sent. */
export const up = `
-- A local key has an encrypted private key; a remote one has only the public key. The key of the instance actor has no
-- account.
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

-- A host to which deliveries fail on seven days is unavailable until it sends a signed request.
create table hosts (
  domain text primary key,
  software text,
  software_version text,
  signature_scheme text not null default 'cavage' check (signature_scheme in ('cavage', 'rfc9421')),
  failing_days date[] not null default '{}',
  unreachable_since timestamptz,
  retry_after timestamptz,
  consecutive_failures integer not null default 0,
  last_error text,
  last_delivered_at timestamptz,
  last_seen_at timestamptz,
  -- The lease of the process that delivers to this host, so that no second process delivers to it. It uses the
  -- database's clock; the lease of a killed process expires after seconds.
  leased_until timestamptz,
  created_at timestamptz not null default now()
) with (fillfactor = 70);

-- Contains every accepted activity once, so that a replay is detected. The body is deleted after processing.
create table received_activities (
  id bigint generated always as identity primary key,
  actor_uri text not null,
  activity_id text not null,
  -- the account whose inbox received it; null: the shared inbox
  inbox_account_id bigint references accounts on delete set null,
  body jsonb,
  -- Of a Follow, Like, Announce or Block, or the Undo of one: hashes, because URIs may exceed the size of an index
  -- entry. interaction_key is of the actor and the activity's id, relationship_key of the actor, the type and the object.
  interaction_key text,
  relationship_key text,
  is_undo boolean not null default false,
  -- for an Undo, whether it undid the interaction in its object
  was_applied boolean not null default false,
  -- when the sender signed the delivery, never later than it was received
  signed_at timestamptz,
  received_at timestamptz not null default now(),
  processed_at timestamptz,
  unique (actor_uri, activity_id)
);
create index received_activities_interaction on received_activities (interaction_key, is_undo, signed_at, id)
  where interaction_key is not null;
create index received_activities_relation on received_activities (relationship_key, is_undo, signed_at, id)
  where relationship_key is not null;

-- A deleted object stays deleted when its Create arrives late or again. The owner is part of the key, so that no actor
-- can prevent objects of another one. Local tombstones are permanent, because remote servers get 410 for them; the
-- others expire.
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
  -- the account whose key signs; null: the instance actor
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
  state text not null default 'pending' check (state in ('pending', 'delivered', 'rejected', 'abandoned')),
  attempts smallint not null default 0,
  last_status smallint,
  last_error text,
  created_at timestamptz not null default now(),
  attempted_at timestamptz,
  next_attempt_at timestamptz not null default now(),
  unique (activity_id, inbox_url)
) with (fillfactor = 80);
create index deliveries_pending on deliveries (domain, next_attempt_at) where state = 'pending';

-- The search for further replies to a remote status, and its progress.
create table thread_refreshes (
  status_id bigint primary key references statuses on delete cascade,
  -- clients poll the progress under this id; each refresh has a new one
  id uuid not null unique default gen_random_uuid(),
  requested_at timestamptz not null,
  finished_at timestamptz,
  -- the number of unknown replies that were found
  found_count integer not null default 0,
  -- the statuses and collection pages that remain to be fetched, and the numbers of those that have been fetched
  pending_pages jsonb not null default '[]',
  statuses_fetched integer not null default 0,
  pages_fetched integer not null default 0
);
create index thread_refreshes_age on thread_refreshes (requested_at);
create index thread_refreshes_running on thread_refreshes (requested_at) where finished_at is null;
`
