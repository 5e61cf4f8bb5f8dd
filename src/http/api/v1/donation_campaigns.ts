import { Type } from 'typebox'
import type { Api } from '../../api.ts'

/** Mastodon: GET /api/v1/donation_campaigns. This server runs no campaigns, which Mastodon answers with 204. */
export async function donationCampaigns(api: Api): Promise<void> {
  const response = { 204: Type.Null({ description: 'There is none.' }) }
  api.get(
    '',
    { schema: { tags: ['instance'], summary: 'See the current donation campaign', response } },
    async (_request, reply) => reply.code(204).send(null),
  )
}
