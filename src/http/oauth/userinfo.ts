import type { Ctx } from '../../domain/context.ts'
import { ref } from '../../entities/schema/ref.ts'
import { UserInfo } from '../../entities/instance/token.ts'
import { renderAccount } from '../../render/accounts/render-accounts.ts'
import type { TypedFastify } from '../typed-fastify.ts'
import { viewerOf } from '../support/auth/authorize-routes.ts'
import { parseEntity } from '../../lib/json/json-content.ts'

/** The account of a token as OpenID Connect claims (Mastodon: GET and POST /oauth/userinfo). */
export async function userinfo(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.route({
    method: ['GET', 'POST'],
    url: '/oauth/userinfo',
    schema: {
      tags: ['oauth'],
      summary: 'View the OpenID Connect claims of the user',
      response: { 200: ref(UserInfo) },
    },
    handler: async (request): Promise<UserInfo> => {
      const account = parseEntity(await ctx.read(renderAccount, { id: viewerOf(request).accountId }))
      return {
        iss: `${ctx.config.origin}/`,
        sub: account.uri,
        name: account.display_name,
        preferred_username: account.username,
        profile: account.url,
        picture: account.avatar,
      }
    },
  })
}
