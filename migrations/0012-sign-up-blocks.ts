/** Who may not use the server or sign up: blocks of IP addresses, of e-mail domains and of e-mail addresses. */
export const up = `
create table ip_blocks (
  id bigint generated always as identity primary key,
  ip cidr not null unique,
  -- no_access: requests get 403; sign_up_block: no sign-ups; sign_up_requires_approval: new users are pending
  severity text not null check (severity in ('sign_up_requires_approval', 'sign_up_block', 'no_access')),
  comment text not null,
  -- null: never
  expires_at timestamptz,
  created_at timestamptz not null
);

-- A kind of invalidation of its own (0010-cache-invalidation): other caches do not depend on these rows. Processes of
-- versions that do not know the kind invalidate everything.
create function record_ip_blocks_invalidations() returns trigger language plpgsql as $$
begin
  if exists (select from touched) then
    insert into invalidations (kind, subject_id) values ('i', 0);
  end if;
  return null;
end $$;
create trigger invalidate_insert after insert on ip_blocks
  referencing new table as touched for each statement execute function record_ip_blocks_invalidations();
create trigger invalidate_update after update on ip_blocks
  referencing new table as touched for each statement execute function record_ip_blocks_invalidations();
create trigger invalidate_delete after delete on ip_blocks
  referencing old table as touched for each statement execute function record_ip_blocks_invalidations();

create table email_domain_blocks (
  id bigint generated always as identity primary key,
  -- canonical; the block includes subdomains and domains whose mail servers are in it
  domain text not null unique,
  -- false: addresses are refused; true: new users await approval
  allow_with_approval boolean not null,
  created_at timestamptz not null
);

-- Sign-ups that a block matched. A row for each network, so that networks can be counted.
create table email_domain_block_attempts (
  block_id bigint not null references email_domain_blocks on delete cascade,
  day date not null,
  -- an IPv4 address, or the /64 of an IPv6 address
  network text not null,
  attempts integer not null default 1,
  primary key (block_id, day, network)
);
create index email_domain_block_attempts_day on email_domain_block_attempts (day);

create table canonical_email_blocks (
  id bigint generated always as identity primary key,
  -- SHA-256 of the canonical form of an address, so that the address itself is not stored
  email_hash bytea not null unique check (length(email_hash) = 32),
  created_at timestamptz not null
);
`
