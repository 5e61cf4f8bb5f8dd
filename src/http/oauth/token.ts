import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Application } from '../../domain/auth/apps.ts'
import { exchangeCode } from '../../domain/auth/codes.ts'
import { OAuthRefusal } from '../../domain/auth/oauth-refusal.ts'
import { issueToken } from '../../domain/auth/tokens.ts'
import type { IssuedToken } from '../../domain/auth/tokens.ts'
import type { Ctx } from '../../domain/context.ts'
import { ref } from '../../entities/ref.ts'
import { OAuthError, Token } from '../../entities/token.ts'
import { areKnownScopes, parseScopes, withinScopes } from '../../lib/scopes.ts'
import type { Api } from '../api.ts'
import { challengeClient, CLIENT, findClient } from './client.ts'

const Grant = Type.Object({
  ...CLIENT,
  grant_type: Type.Optional(Type.String()),
  code: Type.Optional(Type.String()),
  redirect_uri: Type.Optional(Type.String()),
  code_verifier: Type.Optional(Type.String()),
  scope: Type.Optional(Type.String()),
})
type Grant = Static<typeof Grant>

/** Gives tokens: for a code that a person allowed, or for an application alone. */
export async function token(api: Api, ctx: Ctx): Promise<void> {
  api.post(
    '/oauth/token',
    {
      schema: {
        tags: ['oauth'],
        summary: 'Get a token',
        body: Grant,
        response: { 200: ref(Token), 400: ref(OAuthError), 401: ref(OAuthError) },
      },
    },
    async (request, reply) => {
      const grant = request.body
      if (!grant.grant_type) throw missing('grant_type')
      if (grant.grant_type !== 'authorization_code' && grant.grant_type !== 'client_credentials') {
        throw new OAuthRefusal('unsupported_grant_type')
      }
      const app = await findClient(ctx, { request, body: grant })
      if (!app) {
        challengeClient(request, reply)
        throw new OAuthRefusal('invalid_client')
      }
      const issued =
        grant.grant_type === 'authorization_code' ? await forCode(ctx, app, grant) : await forApp(ctx, app, grant)
      return presentToken(issued)
    },
  )
}

export function presentToken({ token: text, scopes, createdAt }: IssuedToken): Token {
  return {
    access_token: text,
    token_type: 'Bearer',
    scope: scopes.join(' '),
    created_at: Math.floor(createdAt.getTime() / 1000),
  }
}

async function forCode(ctx: Ctx, app: Application, grant: Grant): Promise<IssuedToken> {
  if (!grant.code) throw missing('code')
  if (!grant.redirect_uri) throw missing('redirect_uri')
  const { code, redirect_uri: redirectUri } = grant
  const issued = await ctx.write((tx) =>
    exchangeCode(tx, { code, applicationId: app.id, redirectUri, codeVerifier: grant.code_verifier || null }),
  )
  if (!issued) throw new OAuthRefusal('invalid_grant')
  return issued
}

async function forApp(ctx: Ctx, app: Application, grant: Grant): Promise<IssuedToken> {
  const scopes = parseScopes(grant.scope?.trim() || 'read')
  if (!areKnownScopes(scopes) || !withinScopes(scopes, app.scopes)) throw new OAuthRefusal('invalid_scope')
  return ctx.write((tx) => issueToken(tx, { applicationId: app.id, userId: null, scopes }))
}

function missing(name: string): OAuthRefusal {
  return new OAuthRefusal('invalid_request', `Missing required parameter: ${name}.`)
}
