import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readFollowers, readFollowing } from '../domain/accounts/followers.ts'
import type { Ctx } from '../domain/context.ts'
import { pageClause, pageParameters, readPaged } from '../domain/feeds/page.ts'
import type { PageParameters } from '../domain/feeds/page.ts'
import { visibleTo } from '../domain/statuses/visibility.ts'
import { Forbidden } from '../lib/errors.ts'
import { isId } from '../lib/ids.ts'
import { jsonArray, toJson } from '../lib/json.ts'
import type { Json } from '../lib/json.ts'
import type { Page } from '../lib/page.ts'
import { statement } from '../platform/db/statement.ts'
import { sendDocument, textOfQuery } from './answer.ts'
import { findShownAccount } from '../domain/accounts/find-local.ts'
import { actorUri, featuredUri, instanceActorUri } from './objects/uris.ts'
import { writeNotes } from './objects/write-notes.ts'
import { presentFeaturedTag } from './objects/write-hashtag.ts'
import { writeStatusActivities } from './objects/write-status-activities.ts'
import { findSigner } from './signer.ts'
import { NOTE_CONTEXT, PLAIN_CONTEXT, withContext } from './wire/context.ts'

const OUTBOX_PAGE = 20
const PEOPLE_PAGE = 12

interface Counters {
  statuses: number
  followers: number
  following: number
}

const count = statement<{ params: { accountId: string }; row: Counters }>(
  `select statuses_count as statuses, followers_count as followers, following_count as following
   from account_stats where account_id = $accountId`,
)

const page = pageClause('s.id')

// Lists contain publicly visible statuses, and for followers also followers-only ones.
const outbox = (order: string) =>
  statement<{ params: { accountId: string; viewerId: string | null } & PageParameters; row: { id: string } }>(
    `select s.id from statuses s left join statuses o on o.id = s.reblog_of_id
     where s.account_id = $accountId and ${page.where} and s.local and s.deleted_at is null
       and not s.local_only and o.local_only is not true
       and s.visibility in ('public', 'unlisted', 'private') and ${visibleTo('$viewerId')}
     ${order}`,
  )
const newest = outbox(page.descending)
const upwards = outbox(page.ascending)

const findUris = statement<{ params: { peopleIds: readonly string[] }; row: { uri: string } }>(
  `select a.uri from unnest($peopleIds::bigint[]) with ordinality as wanted (id, place)
    join accounts a on a.id = wanted.id
   order by wanted.place`,
)

// A status that is not publicly visible appears only as its URI.
const findFeatured = statement<{
  params: { accountId: string; viewerId: string | null }
  row: { id: string; uri: string; open: boolean }
}>(
  `select s.id, s.uri, s.visibility in ('public', 'unlisted') as open
   from pins p join statuses s on s.id = p.status_id
   where p.account_id = $accountId and s.local and not s.local_only and ${visibleTo('$viewerId')} order by p.id desc`,
)

const findTags = statement<{ params: { accountId: string }; row: { name: string } }>(
  `select t.name from featured_tags f join tags t on t.id = f.tag_id where f.account_id = $accountId order by f.id`,
)

type ById = { Params: { id: string } }

/** The lists of an actor: what they did, whom they know, what they put first. */
export async function collections(server: FastifyInstance, ctx: Ctx): Promise<void> {
  server.get<ById>('/ap/users/:id/outbox', async (request, reply) => {
    const { accountId: viewerId, isSigned } = await findSigner(ctx, request)
    const { id } = await ctx.read(findShownAccount, { id: request.params.id, now: ctx.now() })
    const uri = `${actorUri(ctx.config, id)}/outbox`
    if (!asksForPage(request)) {
      const { statuses } = await countOf(ctx, id)
      const ends = { first: `${uri}?page=true`, last: `${uri}?min_id=0&page=true` }
      return send(reply, { collection: { ...ordered(uri, statuses), ...ends }, shared: !isSigned })
    }
    return sendOutboxPage(reply, { uri, accountId: id, viewerId, page: pageOf(request, OUTBOX_PAGE), isSigned })
  })

  async function sendOutboxPage(
    reply: FastifyReply,
    {
      uri,
      accountId,
      viewerId,
      page: asked,
      isSigned,
    }: { uri: string; accountId: string; viewerId: string | null; page: Page; isSigned: boolean },
  ): Promise<FastifyReply> {
    const values = { accountId, viewerId, ...pageParameters(asked) }
    const rows = await readPaged(asked, {
      descending: () => newest(ctx.db, values),
      ascending: () => upwards(ctx.db, values),
    })
    const ids = rows.map((row) => row.id)
    const activities = await writeStatusActivities(ctx, { ids, now: ctx.now() })
    const items = ids.map((one) => activities.get(one)?.json).filter((json) => json !== undefined)
    const document = toJson({
      ...pageHead(uri, asked),
      ...(ids.length === OUTBOX_PAGE ? { next: `${uri}?max_id=${ids.at(-1)!}&page=true` } : {}),
      ...(ids.length > 0 ? { prev: `${uri}?min_id=${ids[0]!}&page=true` } : {}),
    })
    const json = `${document.slice(0, -1)},"orderedItems":${jsonArray(items)}}` as Json<object>
    return sendDocument(reply, { json: withContext(NOTE_CONTEXT, json), shared: !isSigned })
  }

  for (const [name, read] of [
    ['followers', readFollowers],
    ['following', readFollowing],
  ] as const) {
    server.get<ById>(`/ap/users/:id/${name}`, async (request, reply) => {
      const { accountId: viewerId, isSigned } = await findSigner(ctx, request)
      const actor = await ctx.read(findShownAccount, { id: request.params.id, now: ctx.now() })
      const uri = `${actorUri(ctx.config, actor.id)}/${name}`
      if (!asksForPage(request)) {
        const counters = await countOf(ctx, actor.id)
        const first = actor.hide_collections ? {} : { first: `${uri}?page=true` }
        return send(reply, { collection: { ...ordered(uri, counters[name]), ...first }, shared: !isSigned })
      }
      if (actor.hide_collections) throw new Forbidden()
      const asked = pageOf(request, PEOPLE_PAGE)
      const people = await read(ctx, { accountId: actor.id, viewerId, page: asked })
      const rows = people.length === 0 ? [] : await findUris(ctx.db, { peopleIds: people.map((one) => one.id) })
      const collection = {
        ...pageHead(uri, asked),
        ...(people.length === PEOPLE_PAGE ? { next: `${uri}?max_id=${people.at(-1)!.cursor}&page=true` } : {}),
        ...(people.length > 0 && !isFirst(asked) ? { prev: `${uri}?min_id=${people[0]!.cursor}&page=true` } : {}),
        orderedItems: rows.map((row) => row.uri),
      }
      return send(reply, { collection, shared: !isSigned })
    })
  }

  server.get<ById>('/ap/users/:id/collections/featured', async (request, reply) => {
    const { accountId: viewerId, isSigned } = await findSigner(ctx, request)
    const { id } = await ctx.read(findShownAccount, { id: request.params.id, now: ctx.now() })
    const rows = await findFeatured(ctx.db, { accountId: id, viewerId })
    const open = rows.filter((row) => row.open).map((row) => row.id)
    const notes = await writeNotes(ctx, { ids: open, now: ctx.now() })
    const items = rows.map((row) => notes.get(row.id)?.json ?? toJson(row.uri))
    const head = toJson(ordered(featuredUri(ctx.config, id), rows.length))
    const json = `${head.slice(0, -1)},"orderedItems":${jsonArray<unknown>(items)}}` as Json<object>
    return sendDocument(reply, { json: withContext(NOTE_CONTEXT, json), shared: !isSigned })
  })
  server.get<ById>('/ap/users/:id/collections/tags', async (request, reply) => {
    const { isSigned } = await findSigner(ctx, request)
    const { id, username } = await ctx.read(findShownAccount, { id: request.params.id, now: ctx.now() })
    const rows = await findTags(ctx.db, { accountId: id })
    const collection = {
      id: `${actorUri(ctx.config, id)}/collections/tags`,
      type: 'Collection',
      totalItems: rows.length,
      items: rows.map(({ name }) => presentFeaturedTag(ctx.config, { username, name })),
    }
    return sendDocument(reply, { json: withContext(NOTE_CONTEXT, toJson(collection)), shared: !isSigned })
  })

  // The server itself says nothing.
  server.get('/actor/outbox', async (_request, reply) =>
    send(reply, {
      collection: { ...ordered(`${instanceActorUri(ctx.config)}/outbox`, 0), orderedItems: [] },
      shared: true,
    }),
  )
}

function send(reply: FastifyReply, { collection, shared }: { collection: object; shared: boolean }): FastifyReply {
  return sendDocument(reply, { json: withContext(PLAIN_CONTEXT, toJson(collection)), shared })
}

function ordered(id: string, totalItems: number): object {
  return { id, type: 'OrderedCollection', totalItems }
}

function pageHead(uri: string, { maxId, minId }: Page): object {
  const cursor = maxId === undefined ? (minId === undefined ? '' : `min_id=${minId}&`) : `max_id=${maxId}&`
  return { id: `${uri}?${cursor}page=true`, type: 'OrderedCollectionPage', partOf: uri }
}

function asksForPage(request: FastifyRequest): boolean {
  return textOfQuery(request, 'page') !== null
}

function isFirst({ maxId, minId }: Page): boolean {
  return maxId === undefined && minId === undefined
}

/** A cursor that is none counts as if it had not been sent; 0 is where a list begins. */
function pageOf(request: FastifyRequest, limit: number): Page {
  const [maxId, minId] = [textOfQuery(request, 'max_id'), textOfQuery(request, 'min_id')]
  if (isId(maxId)) return { limit, maxId }
  return isId(minId) || minId === '0' ? { limit, minId } : { limit }
}

async function countOf(ctx: Ctx, accountId: string): Promise<Counters> {
  const [counters] = await count(ctx.db, { accountId })
  return counters!
}
