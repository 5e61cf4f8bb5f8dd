import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Ctx } from '../domain/context.ts'
import { wasOpen } from '../domain/statuses/open.ts'
import { visibleTo } from '../domain/statuses/visibility.ts'
import { Gone, NotFound } from '../lib/errors.ts'
import { isId } from '../lib/ids.ts'
import { toJson } from '../lib/json.ts'
import { statement } from '../platform/db/statement.ts'
import { redirect, sendDocument, textOfQuery, wantsPage } from './answer.ts'
import { findShownAccount } from '../domain/accounts/find-local.ts'
import { documentOf } from './objects/write-activities.ts'
import { writeNotes } from './objects/write-notes.ts'
import { writeStatusActivities } from './objects/write-status-activities.ts'
import { findSigner } from './signer.ts'
import { NOTE_CONTEXT, PLAIN_CONTEXT, withContext } from './wire/context.ts'

const REPLIES_PAGE = 60

interface Found {
  id: string
  account_id: string
  uri: string
  url: string
  isOpen: boolean
  original_uri: string | null
  favourites_count: number
  reblogs_count: number
  replies_count: number
}

// A local-only status is never served over ActivityPub, whichever account signed the request.
const find = statement<{ params: { statusId: string; authorId: string; accountId: string | null }; row: Found }>(
  `select s.id, s.account_id, s.uri, s.url, s.visibility in ('public', 'unlisted') as "isOpen", o.uri as original_uri,
     coalesce(st.favourites_count, 0) as favourites_count, coalesce(st.reblogs_count, 0) as reblogs_count,
     coalesce(st.replies_count, 0) as replies_count
   from statuses s left join statuses o on o.id = s.reblog_of_id left join status_stats st on st.status_id = s.id
   where s.id = $statusId and s.account_id = $authorId and s.local and not s.local_only and o.local_only is not true
     and ${visibleTo('$accountId')}`,
)

// Only publicly visible replies.
const findReplies = statement<{
  params: { statusId: string; accountId: string; byOthers: boolean; from: string; limit: number }
  row: { id: string; uri: string }
}>(
  `select s.id, s.uri from statuses s
   where s.in_reply_to_id = $statusId and (s.account_id <> $accountId) = $byOthers::boolean and s.id > $from
     and s.visibility in ('public', 'unlisted') and not s.local_only and ${visibleTo('null')}
   order by s.id limit $limit`,
)

type ByIds = { Params: { id: string; status: string } }

/** What people of here wrote and passed on, for those who may read it. For everybody else there is nothing. */
export async function statuses(server: FastifyInstance, ctx: Ctx): Promise<void> {
  const path = '/ap/users/:id/statuses/:status'

  server.get<ByIds>(path, async (request, reply) => {
    const { status, shared } = await findStatus(request)
    if (wantsPage(request)) return redirect(reply, { to: status.url, shared })
    if (status.original_uri !== null) return redirect(reply, { to: status.original_uri, shared })
    const note = (await writeNotes(ctx, { ids: [status.id], now: ctx.now() })).get(status.id)
    if (!note) throw new NotFound()
    return sendDocument(reply, { json: withContext(NOTE_CONTEXT, note.json), shared })
  })

  server.get<ByIds>(`${path}/activity`, async (request, reply) => {
    const { status, shared } = await findStatus(request)
    const activity = (await writeStatusActivities(ctx, { ids: [status.id], now: ctx.now() })).get(status.id)
    if (!activity) throw new NotFound()
    return sendDocument(reply, { json: documentOf(activity), shared })
  })

  server.get<ByIds>(`${path}/replies`, async (request, reply) => {
    const { status, shared } = await findNote(request)
    const id = `${status.uri}/replies`
    if (textOfQuery(request, 'page') === null) {
      const collection = toJson({ id, type: 'Collection', first: `${id}?page=true` })
      return sendDocument(reply, { json: withContext(PLAIN_CONTEXT, collection), shared })
    }
    const page = await readReplies(status, {
      byOthers: textOfQuery(request, 'only_other_accounts') === 'true',
      above: textOfQuery(request, 'min_id'),
    })
    return sendDocument(reply, { json: withContext(PLAIN_CONTEXT, toJson({ ...page, partOf: id })), shared })
  })

  for (const [name, counter] of [
    ['likes', 'favourites_count'],
    ['shares', 'reblogs_count'],
  ] as const) {
    server.get<ByIds>(`${path}/${name}`, async (request, reply) => {
      const { status, shared } = await findNote(request)
      const collection = { id: `${status.uri}/${name}`, type: 'Collection', totalItems: status[counter] }
      return sendDocument(reply, { json: withContext(PLAIN_CONTEXT, toJson(collection)), shared })
    })
  }

  /** @throws NotFound, the very same for what this signer may not read as for what never was · Gone */
  async function findStatus(request: FastifyRequest<ByIds>): Promise<{ status: Found; shared: boolean }> {
    const { accountId, isSigned } = await findSigner(ctx, request)
    const { id, status: statusId } = request.params
    const author = await ctx.read(findShownAccount, { id, now: ctx.now() })
    const [status] = isId(statusId) ? await find(ctx.db, { statusId, authorId: author.id, accountId }) : []
    if (!status) throw (await wasOpen(ctx, { accountId: id, statusId })) ? new Gone() : new NotFound()
    return { status, shared: !isSigned && status.isOpen }
  }

  /** A boost has neither replies nor anything else of its own. */
  async function findNote(request: FastifyRequest<ByIds>): Promise<{ status: Found; shared: boolean }> {
    const found = await findStatus(request)
    if (found.status.original_uri !== null) throw new NotFound()
    return found
  }

  /** First the author's own replies, then those of others; each page says where the next one begins. */
  async function readReplies(
    status: Found,
    { byOthers, above }: { byOthers: boolean; above: string | null },
  ): Promise<object> {
    const from = isId(above) ? above : '0'
    const rows = await findReplies(ctx.db, {
      statusId: status.id,
      accountId: status.account_id,
      byOthers,
      from,
      limit: REPLIES_PAGE,
    })
    const pageUri = (others: boolean, after: string) =>
      `${status.uri}/replies?page=true${others ? '&only_other_accounts=true' : ''}${after === '0' ? '' : `&min_id=${after}`}`
    const isFull = rows.length === REPLIES_PAGE
    const next = isFull ? pageUri(byOthers, rows.at(-1)!.id) : byOthers ? null : pageUri(true, '0')
    return {
      id: pageUri(byOthers, from),
      type: 'CollectionPage',
      ...(next === null ? {} : { next }),
      items: rows.map((row) => row.uri),
    }
  }
}
