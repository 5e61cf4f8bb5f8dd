import type { Ctx } from '../../../../domain/context.ts'
import { CredentialAccount } from '../../../../entities/account.ts'
import { ref } from '../../../../entities/ref.ts'
import { renderCredentialAccount } from '../../../../render/accounts.ts'
import type { Api } from '../../../api.ts'
import { viewerOf } from '../../../support/authorise.ts'
import { sendJson } from '../../../support/send.ts'

/** Whom a token stands for. */
export async function credentials(api: Api, ctx: Ctx): Promise<void> {
  api.get(
    '/verify_credentials',
    { schema: { tags: ['accounts'], summary: 'Who I am', response: { 200: ref(CredentialAccount) } } },
    async (request, reply) => {
      const { accountId, asOf } = viewerOf(request)
      return sendJson(reply, await renderCredentialAccount(ctx, { accountId, asOf }))
    },
  )
}
