/** Two-factor authentication: authenticator apps, passkeys, recovery codes, and roles that require a second factor. */
export const up = `
-- users with this role must have a second factor; of the base role: all users
alter table roles add column require_2fa boolean not null default false;

-- mails about refused second factors are sent at most once an hour
alter table users add column second_factor_failure_mailed_at timestamptz;

-- authenticator apps (TOTP)
create table totp_authenticators (
  user_id bigint primary key references users on delete cascade,
  -- encrypted
  secret bytea not null,
  -- the newest time step whose code was used; codes of this step and of earlier ones are refused
  last_step bigint not null,
  created_at timestamptz not null
);

-- passkeys and security keys (WebAuthn)
create table passkeys (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  credential_id bytea not null unique,
  -- random; the authenticator returns it with a log-in; equal for all passkeys of a user
  user_handle bytea not null,
  -- COSE
  public_key bytea not null,
  -- as the authenticator reported it last; 0: it does not count
  sign_count bigint not null,
  -- how browsers reach the authenticator: usb, internal, hybrid …
  transports text[] not null,
  nickname text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create unique index passkeys_nickname on passkeys (user_id, lower(nickname));

-- each code works once; its row is deleted then
create table recovery_codes (
  user_id bigint not null references users on delete cascade,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);

-- log-ins whose first factor is proved and whose second one is not
create table pending_logins (
  -- of the secret in the cookie
  id_hash bytea primary key,
  user_id bigint not null references users on delete cascade,
  -- the first factor
  method text not null check (method in ('password', 'omniauth')),
  -- of external log-ins
  provider text,
  expires_at timestamptz not null,
  check ((method = 'omniauth') = (provider is not null))
);
create index pending_logins_user on pending_logins (user_id);
create index pending_logins_age on pending_logins (expires_at);

-- challenges of passkeys that were answered; they are signed and not stored before
create table used_passkey_challenges (
  challenge_hash bytea primary key,
  -- the challenge is too old from then on
  expires_at timestamptz not null
);
create index used_passkey_challenges_age on used_passkey_challenges (expires_at);

-- The user of a token is cached with whether a required second factor is missing.
create function record_second_factor_invalidations() returns trigger language plpgsql as $$
begin
  insert into invalidations (kind, subject_id)
    select distinct 'u', u.account_id from touched join users u on u.id = touched.user_id;
  return null;
end $$;
create trigger invalidate_insert after insert on totp_authenticators
  referencing new table as touched for each statement execute function record_second_factor_invalidations();
create trigger invalidate_delete after delete on totp_authenticators
  referencing old table as touched for each statement execute function record_second_factor_invalidations();
create trigger invalidate_insert after insert on passkeys
  referencing new table as touched for each statement execute function record_second_factor_invalidations();
create trigger invalidate_delete after delete on passkeys
  referencing old table as touched for each statement execute function record_second_factor_invalidations();
`
