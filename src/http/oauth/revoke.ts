import { Type } from 'typebox'
import { OAuthRequestError } from '../../domain/auth/oauth-request-error.ts'
import { revokeToken } from '../../domain/auth/access-tokens.ts'
import type { Ctx } from '../../domain/context.ts'
import { ref } from '../../entities/schema/ref.ts'
import { OAuthError } from '../../entities/instance/token.ts'
import type { TypedFastify } from '../typed-fastify.ts'
import { challengeClient, CLIENT_PARAMS, findClient } from './find-client.ts'

/**
 * Revokes a token (RFC 7009; Mastodon: POST /oauth/revoke). An unknown token gets the same response as a revoked one,
 * so the endpoint does not reveal which tokens exist.
 */
export async function revoke(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.post(
    '/oauth/revoke',
    {
      schema: {
        tags: ['oauth'],
        summary: 'Revoke a token',
        body: Type.Object({ ...CLIENT_PARAMS, token: Type.Optional(Type.String()) }),
        response: { 200: Type.Object({}), 403: ref(OAuthError) },
      },
    },
    async (request, reply) => {
      const app = await findClient(ctx, { request, body: request.body })
      if (!app) {
        challengeClient(request, reply)
        throw new OAuthRequestError('unauthorized_client')
      }
      const { token } = request.body
      const result = token && (await ctx.write((tx) => revokeToken(tx, { token, applicationId: app.id })))
      if (result === 'foreign') throw new OAuthRequestError('unauthorized_client')
      return {}
    },
  )
}
