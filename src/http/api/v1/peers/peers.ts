import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { searchPeers } from '../../../../domain/instance/list-peers.ts'
import { readPublishedFigures } from '../../../../domain/instance/published-figures.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { sendHidden, HiddenResponse } from '../../../support/response/send-hidden.ts'

/** Mastodon: GET /api/v1/peers/search. Searches the domains of known remote servers. */
export async function peers(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(
    '/search',
    {
      schema: {
        tags: ['instance'],
        summary: 'Search known servers by the beginning of their domain',
        querystring: Type.Object({ q: Type.Optional(Type.String()) }),
        response: { 200: Type.Array(Type.String({ description: 'A domain.' })), 404: HiddenResponse },
      },
    },
    async ({ query }, reply) =>
      (await readPublishedFigures(ctx)).peers ? searchPeers(ctx, { query: query.q ?? '' }) : sendHidden(reply),
  )
}
