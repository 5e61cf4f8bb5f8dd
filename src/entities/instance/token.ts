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

export const TokenInfo = Type.Object(
  {
    resource_owner_id: nullable(Type.String({ description: 'The id of the user, which is not an account id.' })),
    scope: Type.Array(Type.String()),
    expires_in: Type.Null({ description: 'Tokens do not expire.' }),
    application: Type.Object({ uid: nullable(Type.String({ description: 'The `client_id` of the application.' })) }),
    created_at: Type.Integer({ description: 'Unix seconds.' }),
  },
  { $id: 'TokenInfo', description: 'An access token, as its holder sees it.' },
)
export type TokenInfo = Static<typeof TokenInfo>

export const TokenIntrospection = Type.Object(
  {
    active: Type.Boolean({ description: 'False for unknown and revoked tokens, and for those of other applications.' }),
    scope: Type.Optional(Type.String({ description: 'Scopes separated by spaces.' })),
    client_id: Type.Optional(Type.String()),
    token_type: Type.Optional(Type.Literal('Bearer')),
    iat: Type.Optional(Type.Integer({ description: 'Unix seconds.' })),
  },
  { $id: 'TokenIntrospection', description: 'OAuth 2.0 Token Introspection (RFC 7662).' },
)
export type TokenIntrospection = Static<typeof TokenIntrospection>

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
    introspection_endpoint: Type.String(),
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
