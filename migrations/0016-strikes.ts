/** Warning presets, appeals against strikes, and the choice of the staff which mails they get. */
export const up = `
-- Texts that the staff can use for warnings.
create table account_warning_presets (
  id bigint generated always as identity primary key,
  title text not null default '',
  text text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- When an appeal against the strike was approved.
alter table account_warnings add column overruled_at timestamptz;

-- Appeals of users against strikes, at most one for each strike.
create table appeals (
  id bigint generated always as identity primary key,
  warning_id bigint not null unique references account_warnings on delete cascade,
  text text not null,
  state text not null default 'pending' check (state in ('pending', 'approved', 'rejected')),
  -- the member of the staff who approved or rejected it
  decided_by_account_id bigint references accounts on delete set null,
  decided_at timestamptz,
  created_at timestamptz not null,
  check ((state = 'pending') = (decided_at is null))
);
create index appeals_state on appeals (state, id);
create index appeals_decided_by on appeals (decided_by_account_id) where decided_by_account_id is not null;

-- Kinds of mails to the staff that the user does not want.
alter table users add column muted_staff_mails text[] not null default '{}';
`
