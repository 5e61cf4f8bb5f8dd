import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/** Groups of notifications, whose are held back, what ends relationships, what moderators say to people, and letters. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table relationship_severances (
      id bigint generated always as identity primary key,
      -- who lost them
      account_id bigint not null references accounts on delete cascade,
      type text not null check (type in ('domain_block', 'user_domain_block', 'account_suspension')),
      -- the domain or the handle
      target_name text not null,
      -- names what ended them: what takes several transactions is one event
      cause text not null,
      followers_count integer not null default 0,
      following_count integer not null default 0,
      created_at timestamptz not null default now(),
      unique (account_id, cause)
    )`.execute(db)
  await sql`
    create table account_warnings (
      id bigint generated always as identity primary key,
      -- who of the staff gave it
      account_id bigint references accounts on delete set null,
      target_account_id bigint not null references accounts on delete cascade,
      action text not null check (action in
        ('none', 'disable', 'mark_statuses_as_sensitive', 'delete_statuses', 'sensitive', 'silence', 'suspend')),
      text text not null default '',
      status_ids bigint[],
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index account_warnings_account on account_warnings (account_id) where account_id is not null`.execute(
    db,
  )
  await sql`create index account_warnings_target on account_warnings (target_account_id, id)`.execute(db)

  await sql`
    alter table notifications
      -- what it is shown together with; null = nothing
      add column group_key text,
      -- held back by the policy of whom it is for
      add column filtered boolean not null default false,
      -- when a stream or a push told of it; null = none did
      add column heard_at timestamptz,
      add column severance_id bigint references relationship_severances on delete cascade,
      add column warning_id bigint references account_warnings on delete cascade`.execute(db)
  await sql`
    update notifications set group_key =
      concat_ws('-', type, status_id, floor(extract(epoch from created_at) / 43200)::bigint * 12)
    where type in ('favourite', 'reblog', 'follow', 'admin.sign_up')`.execute(db)
  await sql`create index notifications_severance on notifications (severance_id) where severance_id is not null`.execute(
    db,
  )
  await sql`create index notifications_warning on notifications (warning_id) where warning_id is not null`.execute(db)
  await sql`create index notifications_group on notifications (account_id, group_key, id desc) where group_key is not null`.execute(
    db,
  )
  await sql`create index notifications_filtered on notifications (account_id, from_account_id, id desc) where filtered`.execute(
    db,
  )
  // Whole groups are stepped over without a look at their rows.
  await sql`drop index notifications_account`.execute(db)
  await sql`create index notifications_account on notifications (account_id, id desc) include (group_key, type)`.execute(
    db,
  )
  await sql`drop index notifications_once`.execute(db)
  await sql`
    create unique index notifications_once on notifications
      (account_id, type, from_account_id, coalesce(status_id, 0), coalesce(collection_id, 0), coalesce(report_id, 0),
       coalesce(severance_id, 0), coalesce(warning_id, 0))`.execute(db)

  await sql`
    create table notification_policies (
      account_id bigint primary key references accounts on delete cascade,
      for_not_following text not null default 'accept' check (for_not_following in ('accept', 'filter', 'drop')),
      for_not_followers text not null default 'accept' check (for_not_followers in ('accept', 'filter', 'drop')),
      for_new_accounts text not null default 'accept' check (for_new_accounts in ('accept', 'filter', 'drop')),
      for_private_mentions text not null default 'filter' check (for_private_mentions in ('accept', 'filter', 'drop')),
      for_limited_accounts text not null default 'filter' check (for_limited_accounts in ('accept', 'filter', 'drop')),
      for_bots text not null default 'accept' check (for_bots in ('accept', 'filter', 'drop'))
    )`.execute(db)
  // Whose notifications are taken whatever the policy says.
  await sql`
    create table notification_permissions (
      account_id bigint not null references accounts on delete cascade,
      from_account_id bigint not null references accounts on delete cascade,
      created_at timestamptz not null default now(),
      -- when what was held back before had all been let in; null = not yet
      merged_at timestamptz,
      primary key (account_id, from_account_id)
    )`.execute(db)
  await sql`create index notification_permissions_from on notification_permissions (from_account_id)`.execute(db)
  await sql`
    create index notification_permissions_unmerged on notification_permissions (account_id) where merged_at is null`.execute(
    db,
  )
  await sql`
    create table notification_requests (
      id bigint generated always as identity primary key,
      account_id bigint not null references accounts on delete cascade,
      from_account_id bigint not null references accounts on delete cascade,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      unique (account_id, from_account_id)
    )`.execute(db)
  await sql`create index notification_requests_account on notification_requests (account_id, id desc)`.execute(db)
  await sql`create index notification_requests_from on notification_requests (from_account_id)`.execute(db)

  await sql`
    alter table users
      -- kinds of notifications that are told by letter
      add column mail_kinds text[] not null default '{mention,quote,follow,follow_request}',
      -- also of what was seen already
      add column always_mail boolean not null default false`.execute(db)
  // Where a letter of this kind is stopped, for its headers.
  await sql`alter table mails add column unsubscribe_url text`.execute(db)
}
