/** Log-ins by external providers: OpenID Connect, SAML, CAS and LDAP. */
export const up = `
create table external_identities (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  provider text not null check (provider in ('openid_connect', 'saml', 'cas', 'ldap')),
  -- identifies the user at the provider
  uid text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  unique (provider, uid),
  unique (user_id, provider)
);

-- Log-ins that a browser has begun. The provider answers once; the user then may have to choose an account.
create table external_login_attempts (
  -- of the parameter that returns from the provider
  state_hash bytea primary key,
  -- of the cookie of the browser that began the log-in
  browser_hash bytea not null,
  provider text not null check (provider in ('openid_connect', 'saml', 'cas', 'ldap')),
  -- AES-256-GCM: what the protocol needs to verify the answer
  encrypted_secrets bytea not null,
  -- the path of this server to which the log-in leads
  next text,
  -- the user who adds the provider to their account; null: a log-in
  linking_user_id bigint references users on delete cascade,
  -- null: the provider has not answered
  answered_at timestamptz,
  -- AES-256-GCM: what the provider has stated about the user, verified
  encrypted_identity bytea,
  expires_at timestamptz not null
);
create index external_login_attempts_age on external_login_attempts (expires_at);
create index external_login_attempts_linking_user on external_login_attempts (linking_user_id)
  where linking_user_id is not null;

-- SAML assertions that were accepted, until they expire: each is accepted once
create table used_assertions (
  provider text not null,
  id text not null,
  expires_at timestamptz not null,
  primary key (provider, id)
);
create index used_assertions_age on used_assertions (expires_at);
`
