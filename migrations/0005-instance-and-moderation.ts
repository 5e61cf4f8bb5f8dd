/** The server's settings, rules, terms and announcements, its weekly activity, and the work of moderators. */
export const up = `
-- The administrators' settings and, under names with a colon, the progress of jobs.
create table settings (
  name text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now()
);

create table rules (
  id bigint generated always as identity primary key,
  text text not null,
  hint text not null default '',
  -- by language: { text, hint }
  translations jsonb not null default '{}',
  created_at timestamptz not null default now(),
  -- A removed rule is retained, because reports refer to it.
  deleted_at timestamptz
);

create table terms_of_service (
  effective_date date primary key,
  text text not null,
  published_at timestamptz not null default now()
);

create table announcements (
  id bigint generated always as identity primary key,
  -- as typed
  text text not null,
  -- as displayed: HTML
  content text not null,
  starts_at timestamptz,
  ends_at timestamptz,
  -- only the dates of starts_at and ends_at count
  all_day boolean not null default false,
  -- The accounts, statuses, hashtags and emojis in the text. Those that have been deleted since are not displayed.
  mentioned_ids bigint[] not null default '{}',
  status_ids bigint[] not null default '{}',
  tags text[] not null default '{}',
  emoji_ids bigint[] not null default '{}',
  published_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table announcement_dismissals (
  account_id bigint not null references accounts on delete cascade,
  announcement_id bigint not null references announcements on delete cascade,
  primary key (account_id, announcement_id)
);
create index announcement_dismissals_announcement on announcement_dismissals (announcement_id);

create table announcement_reactions (
  id bigint generated always as identity primary key,
  announcement_id bigint not null references announcements on delete cascade,
  account_id bigint not null references accounts on delete cascade,
  -- a Unicode emoji, or the shortcode of a custom one
  name text not null,
  emoji_id bigint references custom_emojis on delete cascade,
  created_at timestamptz not null default now(),
  unique (announcement_id, name, account_id)
);
create index announcement_reactions_account on announcement_reactions (account_id);
create index announcement_reactions_emoji on announcement_reactions (emoji_id) where emoji_id is not null;

-- Activity by week, which begins on Monday at 00:00 UTC. This table has the totals that the API returns; weekly_active_users
-- has the log-ins and registrations that have not been added to them yet.
create table weekly_activity (
  week_starts_at timestamptz primary key,
  statuses integer not null default 0,
  logins integer not null default 0,
  registrations integer not null default 0,
  -- The week's statuses up to this id have been counted.
  counted_until_status_id bigint not null default 0
);
-- No foreign key to users, because users who have been deleted since still count.
create table weekly_active_users (
  week_starts_at timestamptz not null,
  activity text not null check (activity in ('login', 'registration')),
  user_id bigint not null,
  primary key (week_starts_at, activity, user_id)
);

create table domain_blocks (
  id bigint generated always as identity primary key,
  domain text not null unique,
  severity text not null default 'silence' check (severity in ('noop', 'silence', 'suspend')),
  reject_media boolean not null default false,
  reject_reports boolean not null default false,
  public_comment text not null default '',
  private_comment text not null default '',
  obfuscate boolean not null default false,
  created_at timestamptz not null default now()
);

create table reports (
  id bigint generated always as identity primary key,
  -- the reporter; for a remote report usually the instance actor of the remote server
  account_id bigint not null references accounts on delete cascade,
  target_account_id bigint not null references accounts on delete cascade,
  -- objects that have been deleted since are not displayed
  status_ids bigint[] not null default '{}',
  collection_ids bigint[] not null default '{}',
  rule_ids bigint[] not null default '{}',
  comment text not null default '',
  category text not null default 'other' check (category in ('spam', 'legal', 'violation', 'other')),
  -- also sent to the server of the target account
  forwarded boolean not null default false,
  -- the id of the sent or received Flag activity; a digest of the activity if it has no id
  uri text,
  assigned_account_id bigint references accounts on delete set null,
  action_taken_at timestamptz,
  action_taken_by_account_id bigint references accounts on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index reports_account on reports (account_id);
create index reports_target on reports (target_account_id, id);
create index reports_unresolved on reports (target_account_id, id) where action_taken_at is null;
create index reports_assigned on reports (assigned_account_id) where assigned_account_id is not null;
create index reports_action_taken_by on reports (action_taken_by_account_id)
  where action_taken_by_account_id is not null;
-- An activity may be processed twice. It causes one report for each reported account.
create unique index reports_uri on reports (uri, target_account_id) where uri is not null;

-- What the staff did. Rows are only added: a trigger rejects every change, and there are no foreign keys.
create table audit_log_entries (
  id bigint generated always as identity primary key,
  -- null: an administrator on the command line
  account_id bigint,
  action text not null,
  target_type text not null,
  -- null: the target has no id, such as a setting
  target_id bigint,
  -- the target in words, at the time: a handle, a domain, the name of a setting
  label text not null,
  details jsonb not null default '{}',
  created_at timestamptz not null
);
create index audit_log_entries_account on audit_log_entries (account_id, id);
create index audit_log_entries_target on audit_log_entries (target_type, target_id, id);

create function reject_audit_log_change() returns trigger language plpgsql as $$
begin
  raise exception 'The audit log is append-only';
end $$;
create trigger append_only before update or delete on audit_log_entries
  for each statement execute function reject_audit_log_change();

create table account_warnings (
  id bigint generated always as identity primary key,
  -- the moderator
  account_id bigint references accounts on delete set null,
  target_account_id bigint not null references accounts on delete cascade,
  action text not null check (action in
    ('none', 'disable', 'mark_statuses_as_sensitive', 'delete_statuses', 'sensitive', 'silence', 'suspend')),
  text text not null default '',
  status_ids bigint[],
  -- the report that led to the action
  report_id bigint references reports on delete set null,
  created_at timestamptz not null default now()
);
create index account_warnings_report on account_warnings (report_id) where report_id is not null;
create index account_warnings_account on account_warnings (account_id) where account_id is not null;
create index account_warnings_target on account_warnings (target_account_id, id);
`
