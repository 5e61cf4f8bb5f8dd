/** Private notes of the staff on accounts and on reports. */
export const up = `
create table account_moderation_notes (
  id bigint generated always as identity primary key,
  -- the member of the staff who wrote it; null: the account was deleted
  account_id bigint references accounts on delete set null,
  target_account_id bigint not null references accounts on delete cascade,
  content text not null,
  created_at timestamptz not null default now()
);
create index account_moderation_notes_account on account_moderation_notes (account_id) where account_id is not null;
create index account_moderation_notes_target on account_moderation_notes (target_account_id, id);

create table report_notes (
  id bigint generated always as identity primary key,
  -- the member of the staff who wrote it; null: the account was deleted
  account_id bigint references accounts on delete set null,
  report_id bigint not null references reports on delete cascade,
  content text not null,
  created_at timestamptz not null default now()
);
create index report_notes_account on report_notes (account_id) where account_id is not null;
create index report_notes_report on report_notes (report_id, id);
`
