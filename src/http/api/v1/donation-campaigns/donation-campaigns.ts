import { Type } from 'typebox'
import type { TypedFastify } from '../../../typed-fastify.ts'

/** Mastodon: GET /api/v1/donation_campaigns. This server runs no campaigns; Mastodon returns 204 then. */
export async function donationCampaigns(api: TypedFastify): Promise<void> {
  const response = { 204: Type.Null({ description: 'There is no campaign.' }) }
  api.get(
    '',
    { schema: { tags: ['instance'], summary: 'View the current donation campaign', response } },
    async (_request, reply) => reply.code(204).send(null),
  )
}
