import { type Static, Type } from 'typebox'
import { Id } from '../schema/id.ts'
import { nullable } from '../schema/nullable.ts'

export const Token = Type.Object(
  {
    access_token: Type.String(),
    token_type: Type.Literal('Bearer'),
    scope: Type.String({ description: 'Scopes separated by spaces.' }),
    created_at: Type.Integer({ description: 'Unix seconds.' }),
  },
  { $id: 'Token', description: 'An access token. It does not expire.' },
)
export type Token = Static<typeof Token>

export const Application = Type.Object(
  {
    id: Id,
    name: Type.String(),
    website: nullable(Type.String()),
    scopes: Type.Array(Type.String()),
    redirect_uris: Type.Array(Type.String()),
    redirect_uri: Type.String({ deprecated: true, description: 'The `redirect_uris`, one per line.' }),
    vapid_key: Type.String({ deprecated: true }),
  },
  { $id: 'Application' },
)
export type Application = Static<typeof Application>

export const CredentialApplication = Type.Object(
  {
    ...Application.properties,
    client_id: Type.String(),
    client_secret: Type.String(),
    client_secret_expires_at: Type.Integer({ description: 'Unix seconds. 0: never.' }),
  },
  { $id: 'CredentialApplication' },
)
export type CredentialApplication = Static<typeof CredentialApplication>

export const OAuthError = Type.Object(
  {
    error: Type.String({ description: 'An error code of RFC 6749, for example `invalid_grant`.' }),
    error_description: Type.String(),
  },
  { $id: 'OAuthError' },
)
export type OAuthError = Static<typeof OAuthError>

export const OAuthMetadata = Type.Object(
  {
    issuer: Type.String(),
    service_documentation: Type.String(),
    authorization_endpoint: Type.String(),
    token_endpoint: Type.String(),
    app_registration_endpoint: Type.String(),
    revocation_endpoint: Type.String(),
    userinfo_endpoint: Type.String(),
    scopes_supported: Type.Array(Type.String()),
    response_types_supported: Type.Array(Type.String()),
    response_modes_supported: Type.Array(Type.String()),
    grant_types_supported: Type.Array(Type.String()),
    token_endpoint_auth_methods_supported: Type.Array(Type.String()),
    code_challenge_methods_supported: Type.Array(Type.String()),
  },
  { $id: 'OAuthMetadata', description: 'OAuth 2.0 Authorization Server Metadata (RFC 8414).' },
)
export type OAuthMetadata = Static<typeof OAuthMetadata>

export const UserInfo = Type.Object(
  {
    iss: Type.String(),
    sub: Type.String({ description: 'ActivityPub id of the account.' }),
    name: Type.String(),
    preferred_username: Type.String(),
    profile: Type.String({ description: 'URL of the profile page.' }),
    picture: Type.String(),
  },
  { $id: 'UserInfo', description: 'OpenID Connect claims.' },
)
export type UserInfo = Static<typeof UserInfo>
