import { Type } from 'typebox'
import { OAuthRefusal } from '../../domain/auth/oauth-refusal.ts'
import { revokeToken } from '../../domain/auth/tokens.ts'
import type { Ctx } from '../../domain/context.ts'
import { ref } from '../../entities/ref.ts'
import { OAuthError } from '../../entities/token.ts'
import type { Api } from '../api.ts'
import { challengeClient, CLIENT, findClient } from './client.ts'

/** Takes a token back. An unknown one is as good as revoked, so nobody can try out tokens here. */
export async function revoke(api: Api, ctx: Ctx): Promise<void> {
  api.post(
    '/oauth/revoke',
    {
      schema: {
        tags: ['oauth'],
        summary: 'Revoke a token',
        body: Type.Object({ ...CLIENT, token: Type.Optional(Type.String()) }),
        response: { 200: Type.Object({}), 403: ref(OAuthError) },
      },
    },
    async (request, reply) => {
      const app = await findClient(ctx, { request, body: request.body })
      if (!app) {
        challengeClient(request, reply)
        throw new OAuthRefusal('unauthorized_client')
      }
      const { token } = request.body
      const result = token && (await ctx.write((tx) => revokeToken(tx, { token, applicationId: app.id })))
      if (result === 'foreign') throw new OAuthRefusal('unauthorized_client')
      return {}
    },
  )
}
