import { CredentialAccount } from '../../../../entities/account.ts'
import { ref } from '../../../../entities/ref.ts'
import { renderCredentialAccount } from '../../../../render/accounts/render-accounts.ts'
import type { ReadApi } from '../../../api.ts'
import { viewerOf } from '../../../support/authorise.ts'
import { sendJson } from '../../../support/send.ts'

/** Whom a token stands for. */
export function credentials(api: ReadApi): void {
  api.get(
    '/verify_credentials',
    { schema: { tags: ['accounts'], summary: 'Who I am', response: { 200: ref(CredentialAccount) } } },
    async (read, request, reply) => {
      const { accountId } = viewerOf(request)
      return sendJson(reply, await renderCredentialAccount(read, { accountId }))
    },
  )
}
