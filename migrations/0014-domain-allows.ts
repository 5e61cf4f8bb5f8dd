/** Domain allows, and what domain blocks did to known accounts and follows, so that it can be undone. */
export const up = `
-- Domains that staff allow to federate where federation is limited to a list.
create table domain_allows (
  id bigint generated always as identity primary key,
  -- canonical ASCII
  domain text not null unique,
  created_at timestamptz not null default now()
);

-- Whether silenced_at and suspended_at of a remote account were set by a block of its domain. They are reset with the
-- block. A limit or a suspension of the account itself stays.
alter table accounts
  add column silenced_by_domain_block boolean not null default false,
  add column suspended_by_domain_block boolean not null default false;

-- Follows of remote accounts by local users that a domain block ended. If the block is removed within 30 days, the users
-- follow these accounts again.
create table severed_follows (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  target_account_id bigint not null references accounts on delete cascade,
  show_reblogs boolean not null,
  notify boolean not null,
  -- null: all
  languages text[],
  created_at timestamptz not null,
  unique (account_id, target_account_id)
);
create index severed_follows_target on severed_follows (target_account_id);
create index severed_follows_created_at on severed_follows (created_at);
`
