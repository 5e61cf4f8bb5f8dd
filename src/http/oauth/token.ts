import { Type } from 'typebox'
import type { Static } from 'typebox'
import { lockApplication } from '../../domain/auth/applications.ts'
import type { Application } from '../../domain/auth/applications.ts'
import { exchangeCode } from '../../domain/auth/authorization-codes.ts'
import { OAuthRequestError } from '../../domain/auth/oauth-request-error.ts'
import { issueToken } from '../../domain/auth/access-tokens.ts'
import type { IssuedToken } from '../../domain/auth/access-tokens.ts'
import { isWebClient } from '../../domain/auth/web-client.ts'
import type { Ctx } from '../../domain/context.ts'
import { ref } from '../../entities/schema/ref.ts'
import { OAuthError, Token } from '../../entities/instance/token.ts'
import { areKnownScopes, parseScopes, withinScopes } from '../../lib/http/scopes.ts'
import type { TypedFastify } from '../typed-fastify.ts'
import { challengeClient, CLIENT_PARAMS, findClient } from './find-client.ts'

const TokenRequest = Type.Object({
  ...CLIENT_PARAMS,
  grant_type: Type.Optional(Type.String()),
  code: Type.Optional(Type.String()),
  redirect_uri: Type.Optional(Type.String()),
  code_verifier: Type.Optional(Type.String()),
  scope: Type.Optional(Type.String()),
})
type TokenRequest = Static<typeof TokenRequest>

/** The token endpoint (Mastodon: POST /oauth/token), with the grants `authorization_code` and `client_credentials`. */
export async function token(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.post(
    '/oauth/token',
    {
      schema: {
        tags: ['oauth'],
        summary: 'Get a token',
        body: TokenRequest,
        response: { 200: ref(Token), 400: ref(OAuthError), 401: ref(OAuthError) },
      },
    },
    async (request, reply) => {
      const grant = request.body
      if (!grant.grant_type) throw missingParameter('grant_type')
      if (grant.grant_type !== 'authorization_code' && grant.grant_type !== 'client_credentials') {
        throw new OAuthRequestError('unsupported_grant_type')
      }
      const app = await findClient(ctx, { request, body: grant })
      if (!app) {
        challengeClient(request, reply)
        throw new OAuthRequestError('invalid_client')
      }
      const issued =
        grant.grant_type === 'authorization_code'
          ? await exchangeAuthorizationCode(ctx, app, grant)
          : await issueClientToken(ctx, app, grant)
      return renderToken(issued)
    },
  )
}

export function renderToken({ token: accessToken, scopes, createdAt }: IssuedToken): Token {
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    scope: scopes.join(' '),
    created_at: Math.floor(createdAt.getTime() / 1000),
  }
}

async function exchangeAuthorizationCode(ctx: Ctx, app: Application, grant: TokenRequest): Promise<IssuedToken> {
  if (!grant.code) throw missingParameter('code')
  if (!grant.redirect_uri) throw missingParameter('redirect_uri')
  const { code, redirect_uri: redirectUri } = grant
  const issued = await ctx.write((tx) =>
    exchangeCode(tx, { code, applicationId: app.id, redirectUri, codeVerifier: grant.code_verifier || null }),
  )
  if (!issued) throw new OAuthRequestError('invalid_grant')
  return issued
}

async function issueClientToken(ctx: Ctx, app: Application, grant: TokenRequest): Promise<IssuedToken> {
  // RFC 6749 §4.4: only for clients that are authenticated.
  if (isWebClient(app)) throw new OAuthRequestError('unauthorized_client', 'The client may not use this grant type.')
  const scopes = parseScopes(grant.scope?.trim() || 'read')
  if (!areKnownScopes(scopes) || !withinScopes(scopes, app.scopes)) throw new OAuthRequestError('invalid_scope')
  return ctx.write(async (tx) => {
    const present = await lockApplication(tx, app)
    // Its owner has deleted it since it was authenticated.
    if (present.length === 0) throw new OAuthRequestError('invalid_client')
    if (!withinScopes(scopes, present)) throw new OAuthRequestError('invalid_scope')
    return issueToken(tx, { applicationId: app.id, userId: null, scopes })
  })
}

function missingParameter(name: string): OAuthRequestError {
  return new OAuthRequestError('invalid_request', `Missing required parameter: ${name}.`)
}
