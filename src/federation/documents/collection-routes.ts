import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { listFollowers, listFollowing } from '../../domain/accounts/lookup/list-followers.ts'
import type { Ctx } from '../../domain/context.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../../domain/core/keyset-page.ts'
import type { PageParameters } from '../../domain/core/keyset-page.ts'
import { visibleTo } from '../../domain/access/visibility.ts'
import { ForbiddenError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { jsonArray, toJson } from '../../lib/json/json.ts'
import type { Json } from '../../lib/json/json.ts'
import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/statement.ts'
import { sendDocument, readQueryText } from './send-document.ts'
import { findActiveLocalAccount } from '../../domain/accounts/lookup/find-local-account.ts'
import { actorUri, featuredUri, instanceActorUri } from '../objects/uris.ts'
import { writeNotes } from '../objects/write/write-notes.ts'
import { renderFeaturedTag } from '../objects/write/write-featured-tag.ts'
import { writeStatusActivities } from '../objects/write/write-status-activities.ts'
import { NOTE_CONTEXT, BASE_CONTEXT, withContext } from '../wire/context.ts'

const OUTBOX_PAGE = 20
const ACCOUNTS_PAGE = 12

interface Counters {
  statuses: number
  followers: number
  following: number
}

const count = statement<{ params: { accountId: string }; row: Counters }>(
  `select statuses_count as statuses, followers_count as followers, following_count as following
   from account_stats where account_id = $accountId`,
)

const page = keysetClause('s.id')

// Lists contain publicly visible statuses, and for followers also followers-only ones.
const selectOutbox = (order: string) =>
  statement<{ params: { accountId: string; viewerId: string | null } & PageParameters; row: { id: string } }>(
    `select s.id from statuses s left join statuses o on o.id = s.reblog_of_id
     where s.account_id = $accountId and ${page.where} and s.local and s.deleted_at is null
       and not s.local_only and o.local_only is not true
       and s.visibility in ('public', 'unlisted', 'private') and ${visibleTo('$viewerId')}
     ${order}`,
  )
const selectDescending = selectOutbox(page.descending)
const selectAscending = selectOutbox(page.ascending)

const findUris = statement<{ params: { accountIds: readonly string[] }; row: { uri: string } }>(
  `select a.uri from unnest($accountIds::bigint[]) with ordinality as requested (id, ordinal)
    join accounts a on a.id = requested.id
   order by requested.ordinal`,
)

// A status that is not publicly visible appears only as its URI, and so does a poll: of embedded objects, Mastodon and
// others only read notes.
const findFeatured = statement<{
  params: { accountId: string; viewerId: string | null }
  row: { id: string; uri: string; is_embedded: boolean }
}>(
  `select s.id, s.uri, s.visibility in ('public', 'unlisted')
       and not exists (select from polls where polls.status_id = s.id) as is_embedded
   from status_pins p join statuses s on s.id = p.status_id
   where p.account_id = $accountId and s.local and not s.local_only and ${visibleTo('$viewerId')} order by p.id desc`,
)

const findTags = statement<{ params: { accountId: string }; row: { name: string } }>(
  `select t.name from featured_tags f join tags t on t.id = f.tag_id where f.account_id = $accountId order by f.id`,
)

type ById = { Params: { id: string } }

/** Registers the collections of actors: outbox, followers, following, pinned statuses and featured hashtags. */
export async function registerCollectionRoutes(server: FastifyInstance, ctx: Ctx): Promise<void> {
  server.get<ById>('/ap/users/:id/outbox', async (request, reply) => {
    const { accountId: viewerId, isSigned } = request.signer
    const { id } = await ctx.read(findActiveLocalAccount, { id: request.params.id, now: ctx.now() })
    const uri = `${actorUri(ctx.config, id)}/outbox`
    if (!requestsPage(request)) {
      const { statuses } = await readCounters(ctx, id)
      const ends = { first: `${uri}?page=true`, last: `${uri}?min_id=0&page=true` }
      return send(reply, { collection: { ...orderedCollection(uri, statuses), ...ends }, shared: !isSigned })
    }
    return sendOutboxPage(reply, { uri, accountId: id, viewerId, page: readPage(request, OUTBOX_PAGE), isSigned })
  })

  async function sendOutboxPage(
    reply: FastifyReply,
    {
      uri,
      accountId,
      viewerId,
      page: requestedPage,
      isSigned,
    }: { uri: string; accountId: string; viewerId: string | null; page: Page; isSigned: boolean },
  ): Promise<FastifyReply> {
    const values = { accountId, viewerId, ...pageParameters(requestedPage) }
    const rows = await readKeysetPage(requestedPage, {
      descending: () => selectDescending(ctx.db, values),
      ascending: () => selectAscending(ctx.db, values),
    })
    const ids = rows.map((row) => row.id)
    const activities = await writeStatusActivities(ctx, { ids, now: ctx.now() })
    const items = ids.map((one) => activities.get(one)?.json).filter((json) => json !== undefined)
    const document = toJson({
      ...pageHead(uri, requestedPage),
      ...(ids.length === OUTBOX_PAGE ? { next: `${uri}?max_id=${ids.at(-1)!}&page=true` } : {}),
      ...(ids.length > 0 ? { prev: `${uri}?min_id=${ids[0]!}&page=true` } : {}),
    })
    const json = `${document.slice(0, -1)},"orderedItems":${jsonArray(items)}}` as Json<object>
    return sendDocument(reply, { json: withContext(NOTE_CONTEXT, json), shared: !isSigned })
  }

  for (const [name, list] of [
    ['followers', listFollowers],
    ['following', listFollowing],
  ] as const) {
    server.get<ById>(`/ap/users/:id/${name}`, async (request, reply) => {
      const { accountId: viewerId, isSigned } = request.signer
      const actor = await ctx.read(findActiveLocalAccount, { id: request.params.id, now: ctx.now() })
      const uri = `${actorUri(ctx.config, actor.id)}/${name}`
      if (!requestsPage(request)) {
        const counters = await readCounters(ctx, actor.id)
        const first = actor.hide_collections ? {} : { first: `${uri}?page=true` }
        return send(reply, { collection: { ...orderedCollection(uri, counters[name]), ...first }, shared: !isSigned })
      }
      if (actor.hide_collections) throw new ForbiddenError()
      const requestedPage = readPage(request, ACCOUNTS_PAGE)
      const entries = await ctx.read(list, { accountId: actor.id, viewerId, page: requestedPage })
      const rows = entries.length === 0 ? [] : await findUris(ctx.db, { accountIds: entries.map((one) => one.id) })
      const collection = {
        ...pageHead(uri, requestedPage),
        ...(entries.length === ACCOUNTS_PAGE ? { next: `${uri}?max_id=${entries.at(-1)!.cursor}&page=true` } : {}),
        ...(entries.length > 0 && !isFirst(requestedPage)
          ? { prev: `${uri}?min_id=${entries[0]!.cursor}&page=true` }
          : {}),
        orderedItems: rows.map((row) => row.uri),
      }
      return send(reply, { collection, shared: !isSigned })
    })
  }

  server.get<ById>('/ap/users/:id/collections/featured', async (request, reply) => {
    const { accountId: viewerId, isSigned } = request.signer
    const { id } = await ctx.read(findActiveLocalAccount, { id: request.params.id, now: ctx.now() })
    const rows = await findFeatured(ctx.db, { accountId: id, viewerId })
    const embeddedIds = rows.filter((row) => row.is_embedded).map((row) => row.id)
    const notes = await writeNotes(ctx, { ids: embeddedIds, now: ctx.now() })
    const items = rows.map((row) => notes.get(row.id)?.json ?? toJson(row.uri))
    const head = toJson(orderedCollection(featuredUri(ctx.config, id), rows.length))
    const json = `${head.slice(0, -1)},"orderedItems":${jsonArray<unknown>(items)}}` as Json<object>
    return sendDocument(reply, { json: withContext(NOTE_CONTEXT, json), shared: !isSigned })
  })
  server.get<ById>('/ap/users/:id/collections/tags', async (request, reply) => {
    const { isSigned } = request.signer
    const { id, username } = await ctx.read(findActiveLocalAccount, { id: request.params.id, now: ctx.now() })
    const rows = await findTags(ctx.db, { accountId: id })
    const collection = {
      id: `${actorUri(ctx.config, id)}/collections/tags`,
      type: 'Collection',
      totalItems: rows.length,
      items: rows.map(({ name }) => renderFeaturedTag(ctx.config, { username, name })),
    }
    return sendDocument(reply, { json: withContext(NOTE_CONTEXT, toJson(collection)), shared: !isSigned })
  })

  // The instance actor publishes nothing.
  server.get('/actor/outbox', async (request, reply) =>
    send(reply, {
      collection: { ...orderedCollection(`${instanceActorUri(ctx.config)}/outbox`, 0), orderedItems: [] },
      shared: !request.signer.isSigned,
    }),
  )
}

function send(reply: FastifyReply, { collection, shared }: { collection: object; shared: boolean }): FastifyReply {
  return sendDocument(reply, { json: withContext(BASE_CONTEXT, toJson(collection)), shared })
}

function orderedCollection(id: string, totalItems: number): object {
  return { id, type: 'OrderedCollection', totalItems }
}

function pageHead(uri: string, { maxId, minId }: Page): object {
  const cursor = maxId === undefined ? (minId === undefined ? '' : `min_id=${minId}&`) : `max_id=${maxId}&`
  return { id: `${uri}?${cursor}page=true`, type: 'OrderedCollectionPage', partOf: uri }
}

function requestsPage(request: FastifyRequest): boolean {
  return readQueryText(request, 'page') !== null
}

function isFirst({ maxId, minId }: Page): boolean {
  return maxId === undefined && minId === undefined
}

/** Reads the page of a request. An invalid cursor counts as absent; `min_id=0` is the oldest page. */
function readPage(request: FastifyRequest, limit: number): Page {
  const [maxId, minId] = [readQueryText(request, 'max_id'), readQueryText(request, 'min_id')]
  if (isId(maxId)) return { limit, maxId }
  return isId(minId) || minId === '0' ? { limit, minId } : { limit }
}

async function readCounters(ctx: Ctx, accountId: string): Promise<Counters> {
  const [counters] = await count(ctx.db, { accountId })
  return counters!
}
