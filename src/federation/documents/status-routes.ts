import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Ctx } from '../../domain/context.ts'
import { wasPubliclyVisible } from '../../domain/access/publicly-visible.ts'
import { visibleTo } from '../../domain/access/visibility.ts'
import { GoneError, NotFoundError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { toJson } from '../../lib/json/json.ts'
import { statement } from '../../platform/db/statement.ts'
import { redirectTo, sendDocument, readQueryText, prefersPage } from './send-document.ts'
import { findActiveLocalAccount } from '../../domain/accounts/lookup/find-local-account.ts'
import { actorUri } from '../objects/uris.ts'
import { toDocument } from '../objects/write/write-activities.ts'
import { writeNotes } from '../objects/write/write-notes.ts'
import { writeStatusActivities } from '../objects/write/write-status-activities.ts'
import { NOTE_CONTEXT, BASE_CONTEXT, withContext } from '../wire/context.ts'

/** The number of statuses on a page of replies or of a thread. */
const PAGE = 60

interface StatusRow {
  id: string
  account_id: string
  uri: string
  url: string
  isPublic: boolean
  original_uri: string | null
  favourites_count: number
  reblogs_count: number
  replies_count: number
}

// A local-only status is never served over ActivityPub, whichever account signed the request.
const find = statement<{ params: { statusId: string; authorId: string; accountId: string | null }; row: StatusRow }>(
  `select s.id, s.account_id, s.uri, s.url, s.visibility in ('public', 'unlisted') as "isPublic", o.uri as original_uri,
     coalesce(st.favourites_count, 0) as favourites_count, coalesce(st.reblogs_count, 0) as reblogs_count,
     coalesce(st.replies_count, 0) as replies_count
   from statuses s left join statuses o on o.id = s.reblog_of_id left join status_stats st on st.status_id = s.id
   where s.id = $statusId and s.account_id = $authorId and s.local and not s.local_only and o.local_only is not true
     and ${visibleTo('$accountId')}`,
)

// Only publicly visible replies.
const findReplies = statement<{
  params: { statusId: string; accountId: string; otherAccountsOnly: boolean; minId: string; limit: number }
  row: { id: string; uri: string }
}>(
  `select s.id, s.uri from statuses s
   where s.in_reply_to_id = $statusId and (s.account_id <> $accountId) = $otherAccountsOnly::boolean and s.id > $minId
     and s.visibility in ('public', 'unlisted') and not s.local_only and ${visibleTo('null')}
   order by s.id limit $limit`,
)

const findThread = statement<{ params: { uri: string }; row: { id: string } }>(
  `select id from conversations where uri = $uri`,
)

// The status that begins the thread, and all publicly visible replies in it, also those of other servers.
const findMembers = statement<{
  params: { conversationId: string; statusId: string; minId: string; limit: number }
  row: { id: string; uri: string }
}>(
  `select s.id, s.uri from statuses s
   where s.conversation_id = $conversationId and s.id > $minId and (s.id = $statusId or s.in_reply_to_id is not null)
     and s.visibility in ('public', 'unlisted') and not s.local_only and ${visibleTo('null')}
   order by s.id limit $limit`,
)

/** The thread that a status begins, as `threadUri` names it. */
const THREAD_PATH = '/contexts/:id-:status'

type ByIds = { Params: { id: string; status: string } }

/**
 * Registers the documents of local statuses and their collections. They do not exist for signers who cannot see them.
 */
export async function registerStatusRoutes(server: FastifyInstance, ctx: Ctx): Promise<void> {
  const path = '/ap/users/:id/statuses/:status'

  server.get<ByIds>(path, { config: { redirectsToPage: true } }, async (request, reply) => {
    const { status, shared } = await findStatus(request)
    if (prefersPage(request)) return redirectTo(reply, { to: status.url, shared })
    if (status.original_uri !== null) return redirectTo(reply, { to: status.original_uri, shared })
    const note = (await writeNotes(ctx, { ids: [status.id], now: ctx.now() })).get(status.id)
    if (!note) throw new NotFoundError()
    return sendDocument(reply, { json: withContext(NOTE_CONTEXT, note.json), shared })
  })

  server.get<ByIds>(`${path}/activity`, async (request, reply) => {
    const { status, shared } = await findStatus(request)
    const activity = (await writeStatusActivities(ctx, { ids: [status.id], now: ctx.now() })).get(status.id)
    if (!activity) throw new NotFoundError()
    return sendDocument(reply, { json: toDocument(activity), shared })
  })

  server.get<ByIds>(`${path}/replies`, async (request, reply) => {
    const { status, shared } = await findNote(request)
    const id = `${status.uri}/replies`
    const isPage = readQueryText(request, 'page') !== null
    const page = await readReplies(status, {
      otherAccountsOnly: isPage && readQueryText(request, 'only_other_accounts') === 'true',
      minId: isPage ? readQueryText(request, 'min_id') : null,
    })
    // The collection embeds its first page, as in the note.
    const document = isPage ? page : { id, type: 'Collection', first: page }
    return sendDocument(reply, { json: withContext(BASE_CONTEXT, toJson(document)), shared })
  })

  server.get<ByIds>(THREAD_PATH, async (request, reply) => {
    const { uri, status, shared } = await findThreadOf(request)
    const attributedTo = actorUri(ctx.config, status.account_id)
    const collection = toJson({ id: uri, type: 'Collection', attributedTo, first: `${uri}/items` })
    return sendDocument(reply, { json: withContext(BASE_CONTEXT, collection), shared })
  })

  server.get<ByIds>(`${THREAD_PATH}/items`, async (request, reply) => {
    const { uri, conversationId, status, shared } = await findThreadOf(request)
    const requestedId = readQueryText(request, 'min_id')
    const minId = isId(requestedId) ? requestedId : '0'
    const rows = await findMembers(ctx.db, { conversationId, statusId: status.id, minId, limit: PAGE })
    const pageUri = (after: string) => `${uri}/items${after === '0' ? '' : `?min_id=${after}`}`
    const page = {
      id: pageUri(minId),
      type: 'CollectionPage',
      partOf: uri,
      ...(rows.length === PAGE && { next: pageUri(rows.at(-1)!.id) }),
      items: rows.map((row) => row.uri),
    }
    return sendDocument(reply, { json: withContext(BASE_CONTEXT, toJson(page)), shared })
  })

  for (const [name, counter] of [
    ['likes', 'favourites_count'],
    ['shares', 'reblogs_count'],
  ] as const) {
    server.get<ByIds>(`${path}/${name}`, async (request, reply) => {
      const { status, shared } = await findNote(request)
      const collection = { id: `${status.uri}/${name}`, type: 'Collection', totalItems: status[counter] }
      return sendDocument(reply, { json: withContext(BASE_CONTEXT, toJson(collection)), shared })
    })
  }

  /**
   * Returns the status of a request.
   * @throws NotFoundError, alike for statuses that the signer cannot see and that never existed · GoneError
   */
  async function findStatus(request: FastifyRequest<ByIds>): Promise<{ status: StatusRow; shared: boolean }> {
    const { accountId, isSigned } = request.signer
    const { id, status: statusId } = request.params
    const author = await ctx.read(findActiveLocalAccount, { id, now: ctx.now() })
    const [status] = isId(statusId) ? await find(ctx.db, { statusId, authorId: author.id, accountId }) : []
    if (!status)
      throw (await wasPubliclyVisible(ctx, { accountId: id, statusId })) ? new GoneError() : new NotFoundError()
    return { status, shared: !isSigned && status.isPublic }
  }

  /** Returns the status of a request, unless it is a reblog: a reblog has no collections of its own. */
  async function findNote(request: FastifyRequest<ByIds>): Promise<{ status: StatusRow; shared: boolean }> {
    const found = await findStatus(request)
    if (found.status.original_uri !== null) throw new NotFoundError()
    return found
  }

  /** Returns the thread that the status of a request begins. @throws NotFoundError · GoneError */
  async function findThreadOf(request: FastifyRequest<ByIds>) {
    const { status, shared } = await findNote(request)
    const uri = `${ctx.config.origin}/contexts/${status.account_id}-${status.id}`
    const [thread] = await findThread(ctx.db, { uri })
    if (!thread) throw new NotFoundError()
    return { uri, conversationId: thread.id, status, shared }
  }

  /**
   * Returns a page of replies: first the self-replies, then those of other accounts. Each page links to the next one.
   */
  async function readReplies(
    status: StatusRow,
    { otherAccountsOnly, minId }: { otherAccountsOnly: boolean; minId: string | null },
  ): Promise<object> {
    const from = isId(minId) ? minId : '0'
    const rows = await findReplies(ctx.db, {
      statusId: status.id,
      accountId: status.account_id,
      otherAccountsOnly,
      minId: from,
      limit: PAGE,
    })
    const pageUri = (others: boolean, after: string) =>
      `${status.uri}/replies?page=true${others ? '&only_other_accounts=true' : ''}${after === '0' ? '' : `&min_id=${after}`}`
    const isFull = rows.length === PAGE
    const next = isFull ? pageUri(otherAccountsOnly, rows.at(-1)!.id) : otherAccountsOnly ? null : pageUri(true, '0')
    return {
      id: pageUri(otherAccountsOnly, from),
      type: 'CollectionPage',
      partOf: `${status.uri}/replies`,
      ...(next === null ? {} : { next }),
      items: rows.map((row) => row.uri),
    }
  }
}
