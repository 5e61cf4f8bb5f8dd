import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../domain/context.ts'
import { readChosenTimelineAccess } from '../../domain/timelines/public/timeline-access.ts'
import { readTagTimeline } from '../../domain/timelines/public/read-tag-timeline.ts'
import { filterPubliclyVisible } from '../../domain/access/publicly-visible.ts'
import { requireUsableTag } from '../../domain/tags/require-usable-tag.ts'
import { parseTagName } from '../../domain/tags/tag-name.ts'
import { NotFoundError } from '../../lib/errors.ts'
import { toJson } from '../../lib/json/json.ts'
import { statement } from '../../platform/db/statement.ts'
import { sendDocument } from './send-document.ts'
import { BASE_CONTEXT, withContext } from '../wire/context.ts'

const PAGE_SIZE = 20

const findUris = statement<{ params: { statusIds: readonly string[] }; row: { uri: string } }>(
  `select s.uri from unnest($statusIds::bigint[]) with ordinality as requested (id, ordinal)
     join statuses s on s.id = requested.id
   order by requested.ordinal`,
)

/** Registers the collection of the URIs of public local statuses with a hashtag. A web page has the same URL. */
export async function registerTagRoutes(server: FastifyInstance, ctx: Ctx): Promise<void> {
  const document = { constraints: { answers: 'document' } }

  server.get<{ Params: { tag: string } }>('/tags/:tag', document, async (request, reply) => {
    const name = parseTagName(request.params.tag)?.name
    if (name === undefined) throw new NotFoundError()
    await requireUsableTag(ctx, { name })
    const access = await readChosenTimelineAccess(ctx, { subject: 'topic' })
    const page = { limit: PAGE_SIZE }
    const found =
      access.local === 'public' ? await readTagTimeline(ctx, { viewerId: null, page, name, origin: 'local' }) : []
    const rows = await findUris(ctx.db, { statusIds: await filterPubliclyVisible(ctx, { ids: found }) })
    const collection = {
      id: `${ctx.config.origin}/tags/${encodeURIComponent(name)}`,
      type: 'OrderedCollection',
      orderedItems: rows.map((row) => row.uri),
    }
    return sendDocument(reply, {
      json: withContext(BASE_CONTEXT, toJson(collection)),
      shared: !request.signer.isSigned,
    })
  })
}
