/** Domain allows, and which moderation states of accounts come from a domain block. */
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
`
