/**
 * The fields by which the staff filter the list of all accounts, in narrow rows of their own: any combination of filters
 * is answered by one scan of them. Triggers keep them equal to their sources.
 */
export const up = `
create type inet_range as range (subtype = inet, multirange_type_name = inet_multirange);

create table account_filter_fields (
  account_id bigint primary key references accounts on delete cascade,
  -- 1 local, 2 silenced, 4 suspended, 8 sensitized, 16 not approved, 32 disabled
  states integer not null default 0,
  role_id bigint,
  -- the account whose invite the user signed up with
  invited_by bigint,
  -- in lower case, as are the display name and the e-mail address
  username text collate "C" not null default '',
  -- the first 60 characters
  display_name text collate "C" not null default '',
  email text collate "C",
  domain text collate "C",
  -- of the sign-up and of all sessions; a multirange, because no other type compares many addresses with a range at once
  addresses inet_multirange
) with (fillfactor = 90);

-- What the rows of account_filter_fields have to be.
create view account_filter_sources as
select a.id as account_id,
  (a.domain is null)::integer + 2 * (a.silenced_at is not null)::integer + 4 * (a.suspended_at is not null)::integer
    + 8 * (a.sensitized_at is not null)::integer + 16 * coalesce(not u.approved, false)::integer
    + 32 * (u.disabled_at is not null)::integer as states,
  u.role_id,
  (select inviter.account_id from invite_uses x join invites i on i.id = x.invite_id
     join users inviter on inviter.id = i.user_id where x.user_id = u.id) as invited_by,
  lower(a.username) as username,
  left(lower(a.display_name), 60) as display_name,
  lower(u.email) as email,
  a.domain,
  (select range_agg(inet_range(used.ip, used.ip, '[]')) from (
     select u.sign_up_ip as ip union all select s.ip from sessions s where s.user_id = u.id) used
   where used.ip is not null) as addresses
from accounts a left join users u on u.account_id = a.id;

-- The row is locked before its sources are read, so that of two concurrent changes, the later one reads both.
create function refresh_account_filter_fields(changed_account_id bigint) returns void language plpgsql as $$
begin
  perform from account_filter_fields where account_id = changed_account_id for no key update;
  if not found then
    insert into account_filter_fields (account_id) select id from accounts where id = changed_account_id
      on conflict (account_id) do nothing;
    perform from account_filter_fields where account_id = changed_account_id for no key update;
  end if;
  update account_filter_fields f set states = s.states, role_id = s.role_id, invited_by = s.invited_by,
    username = s.username, display_name = s.display_name, email = s.email, domain = s.domain, addresses = s.addresses
  from account_filter_sources s where f.account_id = changed_account_id and s.account_id = changed_account_id
    and (f.states, f.role_id, f.invited_by, f.username, f.display_name, f.email, f.domain, f.addresses)
      is distinct from (s.states, s.role_id, s.invited_by, s.username, s.display_name, s.email, s.domain, s.addresses);
end $$;

create function refresh_account_filter_fields_of_account() returns trigger language plpgsql as $$
begin
  perform refresh_account_filter_fields(new.id);
  return null;
end $$;
create function refresh_account_filter_fields_of_users() returns trigger language plpgsql as $$
begin
  perform refresh_account_filter_fields(coalesce(new.account_id, old.account_id));
  return null;
end $$;
-- Of sessions and of uses of invites. The user may have been deleted with them.
create function refresh_account_filter_fields_of_user() returns trigger language plpgsql as $$
begin
  perform refresh_account_filter_fields(u.account_id) from users u where u.id = coalesce(new.user_id, old.user_id);
  return null;
end $$;

create trigger refresh_filter_fields after insert on accounts
  for each row execute function refresh_account_filter_fields_of_account();
create trigger refresh_changed_filter_fields
  after update of username, domain, display_name, silenced_at, suspended_at, sensitized_at on accounts for each row
  when ((old.username, old.domain, old.display_name, old.silenced_at, old.suspended_at, old.sensitized_at)
    is distinct from (new.username, new.domain, new.display_name, new.silenced_at, new.suspended_at, new.sensitized_at))
  execute function refresh_account_filter_fields_of_account();
create trigger refresh_filter_fields after insert or delete on users
  for each row execute function refresh_account_filter_fields_of_users();
create trigger refresh_changed_filter_fields
  after update of email, role_id, approved, disabled_at, sign_up_ip on users for each row
  when ((old.email, old.role_id, old.approved, old.disabled_at, old.sign_up_ip)
    is distinct from (new.email, new.role_id, new.approved, new.disabled_at, new.sign_up_ip))
  execute function refresh_account_filter_fields_of_users();
create trigger refresh_filter_fields after insert or delete or update of ip on sessions
  for each row execute function refresh_account_filter_fields_of_user();
create trigger refresh_filter_fields after insert or delete or update of invite_id on invite_uses
  for each row execute function refresh_account_filter_fields_of_user();
`
