import { CredentialAccount } from '../../../../entities/accounts/account.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { renderCredentialAccount } from '../../../../render/accounts/render-accounts.ts'
import type { ReadApi } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import { sendJson } from '../../../support/response/send.ts'

/** Mastodon: GET /api/v1/accounts/verify_credentials. The account of the access token's user. */
export function verifyCredentials(api: ReadApi): void {
  api.get(
    '/verify_credentials',
    {
      schema: { tags: ['accounts'], summary: 'Verify account credentials', response: { 200: ref(CredentialAccount) } },
    },
    async (read, request, reply) => {
      const { accountId } = viewerOf(request)
      return sendJson(reply, await renderCredentialAccount(read, { accountId }))
    },
  )
}
