import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { describeToken } from '../../domain/auth/describe-token.ts'
import type { TokenDescription } from '../../domain/auth/describe-token.ts'
import { OAuthRequestError } from '../../domain/auth/oauth-request-error.ts'
import { isWebClient } from '../../domain/auth/web-client.ts'
import type { Ctx } from '../../domain/context.ts'
import { OAuthError, TokenInfo, TokenIntrospection } from '../../entities/instance/token.ts'
import { ref } from '../../entities/schema/ref.ts'
import { bearerChallenge, tokenOf } from '../support/auth/authorize-routes.ts'
import type { TypedFastify } from '../typed-fastify.ts'
import { challengeClient, CLIENT_PARAMS, findClient } from './find-client.ts'

const IntrospectionRequest = Type.Object({ ...CLIENT_PARAMS, token: Type.Optional(Type.String()) })
type IntrospectionRequest = Static<typeof IntrospectionRequest>

/**
 * Describes access tokens, as Doorkeeper does for Mastodon: GET /oauth/token/info to the holder of a token, POST
 * /oauth/introspect (RFC 7662) to its application.
 */
export async function tokenInfo(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(
    '/oauth/token/info',
    {
      schema: {
        tags: ['oauth'],
        summary: 'View the token of the request',
        response: { 200: ref(TokenInfo), 401: ref(OAuthError) },
      },
    },
    async (request, reply): Promise<TokenInfo> => {
      const { userId, scopes, clientId, createdAt } = await describeBearer(ctx, { request, reply })
      return {
        resource_owner_id: userId,
        scope: scopes,
        expires_in: null,
        application: { uid: clientId },
        created_at: unixSeconds(createdAt),
      }
    },
  )

  api.post(
    '/oauth/introspect',
    {
      schema: {
        tags: ['oauth'],
        summary: 'Check whether a token of your application is valid',
        description: 'With the credentials of the application, or with another token of it.',
        body: IntrospectionRequest,
        response: { 200: ref(TokenIntrospection), 400: ref(OAuthError), 401: ref(OAuthError) },
      },
    },
    async (request, reply): Promise<TokenIntrospection> => {
      const { body } = request
      const caller = await authenticate(ctx, { request, reply, body })
      if (!body.token) throw new OAuthRequestError('invalid_request', 'Missing required parameter: token.')
      const found = await describeToken(ctx, { token: body.token })
      // RFC 7662 §2.1: the token of the request must be another one, so that it is not tested by itself.
      if (found && found.id === caller.tokenId) refuseToken(reply)
      return introspectionOf(found && found.applicationId === caller.applicationId ? found : null)
    },
  )
}

/** Returns the application of an introspection request, and the id of the token that stands for its credentials. */
async function authenticate(
  ctx: Ctx,
  { request, reply, body }: { request: FastifyRequest; reply: FastifyReply; body: IntrospectionRequest },
): Promise<{ applicationId: string | null; tokenId: string | null }> {
  const sendsCredentials = body.client_id !== undefined || /^basic /i.test(request.headers.authorization ?? '')
  if (!sendsCredentials) {
    if (tokenOf(request) === null) throw new OAuthRequestError('invalid_request')
    const { applicationId, id } = await describeBearer(ctx, { request, reply })
    return { applicationId, tokenId: id }
  }
  const app = await findClient(ctx, { request, body })
  // Everybody knows the client id of the web client, and it has no secret.
  if (!app || isWebClient(app)) {
    challengeClient(request, reply)
    throw new OAuthRequestError('invalid_client')
  }
  return { applicationId: app.id, tokenId: null }
}

/** Returns the token of a request. @throws OAuthRequestError without a valid one */
async function describeBearer(
  ctx: Ctx,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<TokenDescription> {
  const token = tokenOf(request)
  return (token === null ? null : await describeToken(ctx, { token })) ?? refuseToken(reply)
}

function refuseToken(reply: FastifyReply): never {
  const error = new OAuthRequestError('invalid_token')
  reply.header('www-authenticate', bearerChallenge(error.description))
  throw error
}

/** Returns what an application learns about a token; null stands for all tokens that are not valid or not its own. */
function introspectionOf(token: TokenDescription | null): TokenIntrospection {
  if (token === null) return { active: false }
  return {
    active: true,
    scope: token.scopes.join(' '),
    ...(token.clientId !== null && { client_id: token.clientId }),
    token_type: 'Bearer',
    iat: unixSeconds(token.createdAt),
  }
}

function unixSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}
