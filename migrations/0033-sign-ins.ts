/** The history of log-ins, and sessions that their users can list and end. */
export const up = `
-- for the user's list of sessions; the key of the row is the hash of the secret in the cookie
alter table sessions add column id bigint generated always as identity unique;
-- when the user last proved their identity in this session; dangerous changes require that it was recently
alter table sessions add column authenticated_at timestamptz not null default now();

-- log-ins, and log-ins refused after the password was right; deleted after a year
create table login_activities (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  method text not null check (method in ('password', 'otp', 'webauthn', 'omniauth')),
  -- of external log-ins: openid_connect, saml, cas or ldap
  provider text,
  success boolean not null,
  -- null: the log-in succeeded
  failure_reason text check (failure_reason in ('invalid_otp_token', 'invalid_credential')),
  ip inet,
  user_agent text not null default '',
  created_at timestamptz not null default now(),
  check (success = (failure_reason is null)),
  check ((method = 'omniauth') = (provider is not null))
);
create index login_activities_user on login_activities (user_id, id desc);
create index login_activities_age on login_activities (created_at);
`
