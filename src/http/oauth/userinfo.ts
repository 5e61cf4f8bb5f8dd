import type { Ctx } from '../../domain/context.ts'
import type { Account } from '../../entities/account.ts'
import { ref } from '../../entities/ref.ts'
import { UserInfo } from '../../entities/token.ts'
import { renderAccount } from '../../render/accounts.ts'
import type { Api } from '../api.ts'
import { viewerOf } from '../support/authorise.ts'

/** Who the holder of a token is, in the words of OpenID Connect. */
export async function userinfo(api: Api, ctx: Ctx): Promise<void> {
  api.route({
    method: ['GET', 'POST'],
    url: '/oauth/userinfo',
    schema: { tags: ['oauth'], summary: 'Who I am', response: { 200: ref(UserInfo) } },
    handler: async (request): Promise<UserInfo> => {
      const account = JSON.parse(await renderAccount(ctx, { id: viewerOf(request).accountId })) as Account
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
