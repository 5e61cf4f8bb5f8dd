import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../domain/context.ts'
import { readFeedAccess } from '../domain/feeds/access.ts'
import { readTagTimeline } from '../domain/feeds/tag.ts'
import { keepOpen } from '../domain/statuses/open.ts'
import { readTagName } from '../domain/tags/name.ts'
import { NotFound } from '../lib/errors.ts'
import { toJson } from '../lib/json.ts'
import { statement } from '../platform/db/statement.ts'
import { sendDocument } from './answer.ts'
import { PLAIN_CONTEXT, withContext } from './wire/context.ts'

const NEWEST = 20

const findUris = statement<{ params: { statusIds: readonly string[] }; row: { uri: string } }>(
  `select s.uri from unnest($statusIds::bigint[]) with ordinality as wanted (id, place) join statuses s on s.id = wanted.id
   order by wanted.place`,
)

/** What was posted here with a hashtag, as a list of addresses; a page for people lies there, too. */
export async function tags(server: FastifyInstance, ctx: Ctx): Promise<void> {
  const document = { constraints: { answers: 'document' } }

  server.get<{ Params: { tag: string } }>('/tags/:tag', document, async (request, reply) => {
    const name = readTagName(request.params.tag)?.name
    if (name === undefined) throw new NotFound()
    const access = await readFeedAccess(ctx, { subject: 'topic' })
    const page = { limit: NEWEST }
    const found =
      access.local === 'public' ? await readTagTimeline(ctx, { viewerId: null, page, name, origin: 'local' }) : []
    const rows = await findUris(ctx.db, { statusIds: await keepOpen(ctx, { ids: found }) })
    const collection = {
      id: `${ctx.config.origin}/tags/${encodeURIComponent(name)}`,
      type: 'OrderedCollection',
      orderedItems: rows.map((row) => row.uri),
    }
    return sendDocument(reply, { json: withContext(PLAIN_CONTEXT, toJson(collection)), shared: true })
  })
}
