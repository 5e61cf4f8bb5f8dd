/** Feeds, read markers, conversations, notifications with their policies, push subscriptions and mails. */
export const up = `
-- One status is added to thousands of feeds at once. Foreign keys would check and lock a row for each entry, a third of
-- the work. Instead, the fan-out locks the status once, and triggers delete the entries of deleted statuses, users and
-- lists.
create table feed_entries (
  account_id bigint not null,
  status_id bigint not null,
  -- the reblogged status, or the status itself, by which repeated reblogs are recognised
  original_id bigint not null,
  primary key (account_id, status_id) include (original_id)
) with (autovacuum_vacuum_scale_factor = 0.02);
create index feed_entries_status on feed_entries (status_id, account_id);

create table list_entries (
  list_id bigint not null,
  status_id bigint not null,
  original_id bigint not null,
  primary key (list_id, status_id) include (original_id)
) with (autovacuum_vacuum_scale_factor = 0.02);
create index list_entries_status on list_entries (status_id, list_id);

create function delete_feed_entries_of_status() returns trigger language plpgsql as $$
begin
  delete from feed_entries where status_id = old.id;
  delete from list_entries where status_id = old.id;
  return null;
end $$;
create trigger delete_feed_entries after delete on statuses
  for each row execute function delete_feed_entries_of_status();

create function delete_feed_entries_of_user() returns trigger language plpgsql as $$
begin
  delete from feed_entries where account_id = old.account_id;
  return null;
end $$;
create trigger delete_feed_entries after delete on users
  for each row execute function delete_feed_entries_of_user();

create function delete_feed_entries_of_list() returns trigger language plpgsql as $$
begin
  delete from list_entries where list_id = old.id;
  return null;
end $$;
create trigger delete_feed_entries after delete on lists
  for each row execute function delete_feed_entries_of_list();

create table markers (
  account_id bigint not null references accounts on delete cascade,
  timeline text not null check (timeline in ('home', 'notifications')),
  last_read_id bigint not null,
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  primary key (account_id, timeline)
);

-- The conversations of direct statuses for each account, by thread and participants.
create table account_conversations (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  conversation_id bigint not null references conversations,
  -- the other accounts, ascending; and a digest of them, since index entries have a maximum size
  participant_ids bigint[] not null,
  participants_digest bytea not null,
  last_status_id bigint not null,
  unread boolean not null default false,
  created_at timestamptz not null default now(),
  unique (account_id, conversation_id, participants_digest)
) with (fillfactor = 80);
create index account_conversations_account on account_conversations (account_id, last_status_id desc);
create index account_conversations_conversation on account_conversations (conversation_id);

create table account_conversation_statuses (
  account_conversation_id bigint not null references account_conversations on delete cascade,
  status_id bigint not null references statuses on delete cascade,
  primary key (account_conversation_id, status_id)
);
create index account_conversation_statuses_status on account_conversation_statuses (status_id);

-- When a status is deleted in any way, its account conversations get the previous status as their last one, or are
-- deleted with their only status. Adding a status takes the same lock, so the statements after it see every added
-- status. The ids are in an array, because the planner does not know the number of rows of a transition table.
create function update_last_conversation_status() returns trigger language plpgsql as $$
declare
  left_ids bigint[] := array(select distinct account_conversation_id from gone);
begin
  if left_ids = '{}' then
    return null;
  end if;
  perform from conversations where id = any(array(
    select conversation_id from account_conversations where id = any(left_ids)))
  order by id for no key update;
  delete from account_conversations c where c.id = any(left_ids) and not exists (
    select from account_conversation_statuses e where e.account_conversation_id = c.id offset 0);
  update account_conversations c set last_status_id = (
    select max(e.status_id) from account_conversation_statuses e where e.account_conversation_id = c.id)
  where c.id = any(left_ids);
  return null;
end $$;
create trigger fall_back after delete on account_conversation_statuses referencing old table as gone
  for each statement execute function update_last_conversation_status();

create table annual_reports (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  year smallint not null,
  -- clients poll the progress under this id
  refresh_id uuid not null unique default gen_random_uuid(),
  requested_at timestamptz not null,
  -- null while a job generates it
  data jsonb,
  read_at timestamptz,
  unique (account_id, year)
);

create table notifications (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  from_account_id bigint not null references accounts on delete cascade,
  type text not null,
  -- the object of the notification, by type
  status_id bigint references statuses on delete cascade,
  collection_id bigint references collections on delete cascade,
  report_id bigint references reports on delete cascade,
  severance_id bigint references relationship_severance_events on delete cascade,
  warning_id bigint references account_warnings on delete cascade,
  annual_report_id bigint references annual_reports on delete cascade,
  -- notifications with the same key are displayed together; null: displayed alone
  group_key text,
  -- filtered by the recipient's notification policy
  filtered boolean not null default false,
  -- when a stream or a push delivered it; null: not yet
  seen_at timestamptz,
  created_at timestamptz not null default now()
);
-- A job that runs twice creates a single notification.
create unique index notifications_unique on notifications
  (account_id, type, from_account_id, coalesce(status_id, 0), coalesce(collection_id, 0), coalesce(report_id, 0),
   coalesce(severance_id, 0), coalesce(warning_id, 0), coalesce(annual_report_id, 0));
-- With the included columns, a page of groups is found in the index alone.
create index notifications_account on notifications (account_id, id desc) include (group_key, type);
create index notifications_group on notifications (account_id, group_key, id desc) where group_key is not null;
create index notifications_filtered on notifications (account_id, from_account_id, id desc) where filtered;
create index notifications_from on notifications (from_account_id);
create index notifications_status on notifications (status_id) where status_id is not null;
create index notifications_collection on notifications (collection_id) where collection_id is not null;
create index notifications_report on notifications (report_id) where report_id is not null;
create index notifications_severance on notifications (severance_id) where severance_id is not null;
create index notifications_warning on notifications (warning_id) where warning_id is not null;
create index notifications_annual_report on notifications (annual_report_id) where annual_report_id is not null;

create table notification_policies (
  account_id bigint primary key references accounts on delete cascade,
  for_not_following text not null default 'accept' check (for_not_following in ('accept', 'filter', 'drop')),
  for_not_followers text not null default 'accept' check (for_not_followers in ('accept', 'filter', 'drop')),
  for_new_accounts text not null default 'accept' check (for_new_accounts in ('accept', 'filter', 'drop')),
  for_private_mentions text not null default 'filter' check (for_private_mentions in ('accept', 'filter', 'drop')),
  for_limited_accounts text not null default 'filter' check (for_limited_accounts in ('accept', 'filter', 'drop')),
  for_bots text not null default 'accept' check (for_bots in ('accept', 'filter', 'drop'))
);

-- Notifications from these accounts are accepted regardless of the policy.
create table notification_permissions (
  account_id bigint not null references accounts on delete cascade,
  from_account_id bigint not null references accounts on delete cascade,
  created_at timestamptz not null default now(),
  -- when all filtered notifications of the account were merged into the list; null: not yet
  merged_at timestamptz,
  primary key (account_id, from_account_id)
);
create index notification_permissions_from on notification_permissions (from_account_id);
create index notification_permissions_unmerged on notification_permissions (account_id) where merged_at is null;

create table notification_requests (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  from_account_id bigint not null references accounts on delete cascade,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (account_id, from_account_id)
);
create index notification_requests_account on notification_requests (account_id, id desc);
create index notification_requests_from on notification_requests (from_account_id);

create table push_subscriptions (
  id bigint generated always as identity primary key,
  access_token_id bigint not null unique references access_tokens on delete cascade,
  endpoint text not null,
  -- the client's public key, an uncompressed point of P-256, and its authentication secret (RFC 8291)
  p256dh bytea not null check (octet_length(p256dh) = 65),
  auth bytea not null check (octet_length(auth) = 16),
  -- true: encrypted by RFC 8291; false: by its draft
  standard boolean not null,
  -- for each notification type, whether the client has enabled it
  alerts jsonb not null default '{}' check (jsonb_typeof(alerts) = 'object'),
  policy text not null default 'all' check (policy in ('all', 'followed', 'follower', 'none')),
  -- the encrypted access token, by which clients identify the account of a push
  encrypted_token bytea not null,
  -- the number of consecutive failures, and the end of the backoff
  failures integer not null default 0,
  retry_at timestamptz,
  created_at timestamptz not null default now()
);

create table push_deliveries (
  notification_id bigint not null references notifications on delete cascade,
  subscription_id bigint not null references push_subscriptions on delete cascade,
  -- the number of attempts to send it
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  primary key (notification_id, subscription_id)
);
create index pushes_subscription on push_deliveries (subscription_id);

create table mails (
  id bigint generated always as identity primary key,
  -- identifies the cause of the mail, so that a job that runs twice writes one mail
  key text not null unique,
  recipient text not null,
  subject text not null,
  text text not null,
  html text not null,
  -- for the List-Unsubscribe header of e-mail notifications
  unsubscribe_url text,
  created_at timestamptz not null default now(),
  sent_at timestamptz
);
`
