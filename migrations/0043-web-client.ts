/** The web client of this server as an OAuth application, whose tokens end with the browser sessions they come from. */
export const up = `
-- null: the web client, which runs in browsers and so cannot have a secret (RFC 6749 §2.1). It proves by PKCE that it
-- exchanges its own code.
alter table applications alter column client_secret_hash drop not null;
alter table applications add constraint applications_secret check (client_secret_hash is not null or client_id = 'web');
insert into applications (name, redirect_uris, scopes, client_id)
  values ('Web', '{}', '{read,write,follow,push,profile,admin:read,admin:write}', 'web');

-- the browser session in which the web client was authorized; null: another application
alter table authorization_codes add column session_id bigint;
alter table access_tokens add column session_id bigint;
create index access_tokens_session on access_tokens (session_id) where session_id is not null and revoked_at is null;
`
