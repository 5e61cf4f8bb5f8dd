/** When the data of suspended accounts are deleted, and what the end of a suspension restores. */
export const up = `
-- The accounts that this server has suspended. Their data are deleted 30 days later; until then the staff can end the
-- suspension without a loss.
create table account_purges (
  account_id bigint primary key references accounts on delete cascade,
  -- from this time on, a job deletes the data
  due_at timestamptz not null,
  -- When the deletion began. The row of the account stays: a remote one is suspended until the staff end it, a local one
  -- for good.
  started_at timestamptz,
  -- when nothing was left to delete
  finished_at timestamptz,
  check (finished_at is null or started_at is not null)
);
create index account_purges_due on account_purges (due_at) where started_at is null;
create index account_purges_unfinished on account_purges (account_id) where started_at is not null and finished_at is null;

-- Accounts that are suspended already are purged 30 days after the upgrade. Deleted local accounts have no user.
insert into account_purges (account_id, due_at)
  select a.id, now() + interval '30 days' from accounts a
  where a.suspended_at is not null and not a.suspended_by_origin
    and (a.domain is not null or exists (select from users u where u.account_id = a.id));

-- Whether the staff ended a limit or a suspension that came from the block of the domain, which stays so until no block
-- applies to the account.
alter table accounts
  add column exempt_from_domain_limit boolean not null default false,
  add column exempt_from_domain_suspension boolean not null default false;

-- The lists of the follower that the account was in.
alter table severed_follows add column list_ids bigint[] not null default '{}';

-- The suspended account whose user has the address. The block ends with its suspension. Null: created by the staff.
alter table canonical_email_blocks add column account_id bigint references accounts on delete set null;
create index canonical_email_blocks_account on canonical_email_blocks (account_id) where account_id is not null;

-- Finds the suspended account that a profile image belongs to.
create index accounts_suspended_images on accounts
  using gin ((array[avatar_key, avatar_static_key, header_key, header_static_key]))
  where suspended_at is not null and domain is null;
`
