import type { Ctx } from '../../domain/context.ts'
import { ref } from '../../entities/ref.ts'
import { UserInfo } from '../../entities/token.ts'
import { renderAccount } from '../../render/accounts/render-accounts.ts'
import type { Api } from '../api.ts'
import { viewerOf } from '../support/authorise.ts'
import { parseEntity } from '../../lib/entity-json.ts'

/** Who the holder of a token is, in the words of OpenID Connect. */
export async function userinfo(api: Api, ctx: Ctx): Promise<void> {
  api.route({
    method: ['GET', 'POST'],
    url: '/oauth/userinfo',
    schema: { tags: ['oauth'], summary: 'Who I am', response: { 200: ref(UserInfo) } },
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
