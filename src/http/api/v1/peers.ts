import { Type } from 'typebox'
import type { Ctx } from '../../../domain/context.ts'
import { searchPeers } from '../../../domain/instance/peers.ts'
import { readSettings } from '../../../domain/instance/settings.ts'
import type { Api } from '../../api.ts'
import { sendUnseen, Unseen } from '../../support/unseen.ts'

/** The other servers that are known here. */
export async function peers(api: Api, ctx: Ctx): Promise<void> {
  api.get(
    '/search',
    {
      schema: {
        tags: ['instance'],
        summary: 'Find servers that are known here by the beginning of their names',
        querystring: Type.Object({ q: Type.Optional(Type.String()) }),
        response: { 200: Type.Array(Type.String({ description: 'A domain.' })), 404: Unseen },
      },
    },
    async ({ query }, reply) =>
      (await readSettings(ctx)).peers ? searchPeers(ctx, { query: query.q ?? '' }) : sendUnseen(reply),
  )
}
