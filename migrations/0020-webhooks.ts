/** Webhooks of the staff, and the deliveries of their events. */
export const up = `
create table webhooks (
  id bigint generated always as identity primary key,
  url text not null,
  -- account.approved, account.created, account.updated, report.created, report.updated, status.created, status.updated
  events text[] not null,
  enabled boolean not null,
  -- AES-256-GCM
  encrypted_secret bytea not null,
  -- The member of the staff who saved the webhook last. Events that their role does not permit are not sent.
  account_id bigint references accounts on delete set null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index webhooks_account on webhooks (account_id) where account_id is not null;

create table webhook_deliveries (
  id bigint generated always as identity primary key,
  webhook_id bigint not null references webhooks on delete cascade,
  event text not null,
  -- What happened: an event with the id and the version of its object. An effect that runs twice adds one delivery.
  occurrence text not null,
  -- the request body, as it was when the event happened
  body text not null,
  -- rejected: the server refused it, or its address is not allowed; abandoned: all attempts failed
  state text not null default 'pending' check (state in ('pending', 'delivered', 'rejected', 'abandoned')),
  attempts integer not null default 0,
  -- the number of attempts after which the delivery is abandoned
  max_attempts integer not null,
  -- the HTTP status of the last response; null if there was none
  last_status integer,
  last_error text,
  created_at timestamptz not null,
  attempted_at timestamptz,
  -- null: none
  next_attempt_at timestamptz,
  unique (webhook_id, occurrence)
);
create index webhook_deliveries_webhook on webhook_deliveries (webhook_id, id);
create index webhook_deliveries_created_at on webhook_deliveries (created_at) where state <> 'pending';
`
