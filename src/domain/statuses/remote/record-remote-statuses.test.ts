// Slow: records random sets of statuses twice.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import {
  HOST,
  createRemoteAccount,
  uniqueName,
  remoteStatusRecord,
} from '../../../../test/federation/remote-records.ts'
import { captureQueries } from '../../../../test/performance/count-queries.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { RequestError } from '../../../lib/errors.ts'
import type { RemoteMediaFacts } from '../../media/record-remote-media.ts'
import { recordTombstone } from '../../core/tombstones.ts'
import { createStatus } from '../write/create-statuses.ts'
import { recordRemoteStatuses } from './record-remote-status.ts'
import type { RecordedStatus } from './record-remote-status.ts'
import type { RemoteStatusFacts } from './remote-status-facts.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { ctx } = testServer

const AUTHORS = 3
const POSTS = 8
const HOURS_AGO = [0, 1, 7, 24 * 30]
const START = Date.now()

const picture: RemoteMediaFacts = {
  type: 'image',
  url: `${HOST}/a.png`,
  mediaType: 'image/png',
  description: null,
  blurhash: null,
  focus: null,
  width: 1,
  height: 2,
  previewUrl: null,
}

/** A post. Numbers refer to other posts of the set, before or after it, or to authors. */
interface Post {
  author: number
  /** Its URI is that of this post: the same post again, or one with the URI of another. */
  uri: number
  inReplyTo: number | 'local' | 'hidden' | 'unknown' | null
  quoted: number | null
  visibility: RemoteStatusFacts['visibility']
  hoursAgo: number
  conversation: number | null
  tags: readonly string[]
  mentions: readonly ('local' | number)[]
  silent: readonly ('local' | number)[]
  hasEmoji: boolean
  hasMedia: boolean
  hasPoll: boolean
  hasLink: boolean
  wasDeleted: boolean
}

const anyPost = (n: number): fc.Arbitrary<Post> => {
  const other = fc.nat({ max: POSTS - 1 })
  const account = fc.oneof(fc.constant('local' as const), fc.nat({ max: AUTHORS - 1 }))
  const rarely = fc.nat({ max: 9 }).map((value) => value === 0)
  return fc.record({
    author: fc.nat({ max: AUTHORS - 1 }),
    uri: fc.oneof({ weight: 6, arbitrary: fc.constant(n) }, { weight: 1, arbitrary: other }),
    inReplyTo: fc.oneof(fc.constant(null), fc.constantFrom('local', 'hidden', 'unknown'), other),
    quoted: fc.option(other, { freq: 3 }),
    visibility: fc.constantFrom('public', 'public', 'unlisted', 'private', 'direct'),
    hoursAgo: fc.constantFrom(...HOURS_AGO),
    conversation: fc.option(fc.nat({ max: 1 }), { freq: 2 }),
    tags: fc.uniqueArray(fc.constantFrom('Fog', 'Sea', 'Train'), { maxLength: 2 }),
    mentions: fc.uniqueArray(account, { maxLength: 2 }),
    silent: fc.uniqueArray(account, { maxLength: 2 }),
    hasEmoji: fc.boolean(),
    hasMedia: fc.boolean(),
    hasPoll: rarely,
    hasLink: fc.boolean(),
    wasDeleted: rarely,
  })
}

const anyPosts = fc.tuple(...Array.from({ length: POSTS }, (_, n) => anyPost(n)))

/** The accounts and local statuses of one run; all of its URIs and hashtags contain `run`. */
interface World {
  run: string
  authors: string[]
  localId: string
  localUri: string
  hiddenUri: string
}

async function createWorld(): Promise<World> {
  const run = uniqueName('run')
  const { accountId: localId } = await testServer.createUser()
  const authors: string[] = []
  while (authors.length < AUTHORS) authors.push(await createRemoteAccount(ctx))
  // Of the first author, the origin has reported how many statuses there are.
  await sql`update accounts set refreshed_at = case when id = ${authors[0]} then ${new Date(START - 2 * 3_600_000)}::timestamptz end
    where id = any(${authors}::bigint[])`.execute(ctx.db)
  const postLocally = async (localOnly: boolean) => {
    const draft = { text: 'ours', spoilerText: '', mediaIds: [], localOnly }
    const statusId = await ctx.write((tx) => createStatus(tx, { accountId: localId, applicationId: null, draft }))
    return `${ctx.config.origin}/ap/users/${localId}/statuses/${statusId}`
  }
  return { run, authors, localId, localUri: await postLocally(false), hiddenUri: await postLocally(true) }
}

function factsOf({ run, authors, localId, localUri, hiddenUri }: World, post: Post): RemoteStatusFacts {
  const uriOf = (n: number) => `${HOST}/${run}/${n}`
  const named = { local: localUri, hidden: hiddenUri, unknown: uriOf(POSTS) }
  const { inReplyTo, quoted, author } = post
  const idOf = (account: 'local' | number) => (account === 'local' ? localId : authors[account]!)
  return remoteStatusRecord({
    uri: uriOf(post.uri),
    accountId: authors[author]!,
    visibility: post.visibility,
    content: `<p>:${run}: ${post.hasLink ? `<a href="https://pages.test/${run}/${author}">page</a>` : ''}</p>`,
    inReplyTo: inReplyTo === null ? null : typeof inReplyTo === 'number' ? uriOf(inReplyTo) : named[inReplyTo],
    conversation: post.conversation === null ? null : `${HOST}/${run}/conversations/${post.conversation}`,
    publishedAt: new Date(START - post.hoursAgo * 3_600_000),
    mentionedIds: post.mentions.map(idOf),
    silentIds: post.silent.map(idOf),
    hashtags: new Map(post.tags.map((tag) => [`${tag.toLowerCase()}${run}`, `${tag}${run}`])),
    emojis: post.hasEmoji ? [{ uri: null, shortcode: run, imageUrl: `${HOST}/${run}.png`, updatedAt: null }] : [],
    attachments: post.hasMedia ? [{ ...picture, description: run }] : [],
    poll: post.hasPoll
      ? { options: ['tea', 'milk'], tallies: [1, 0], multiple: false, votersCount: 1, expiresAt: null }
      : null,
    quote: quoted === null ? null : { uri: uriOf(quoted), legacy: false, approvalUri: null },
  })
}

type Row = Record<string, unknown>

interface EmittedEvent {
  name: string
  payload: object
}

/** Records the posts in chunks of this size, and returns everything that can be read of them, in terms of the world. */
async function recordInChunks(posts: readonly Post[], size: number): Promise<unknown> {
  const world = await createWorld()
  const all = posts.map((post) => factsOf(world, post))
  const events: EmittedEvent[] = []
  await ctx.write(async (tx) => {
    for (const [n, { wasDeleted, author }] of posts.entries()) {
      if (!wasDeleted) continue
      const { rows } = await sql<Row>`select uri from accounts where id = ${world.authors[author]}`.execute(tx.db)
      await recordTombstone(tx, { uri: all[n]!.uri, ownerUri: String(rows[0]!['uri']) })
    }
  })
  const results: (RecordedStatus | RequestError)[] = []
  for (let at = 0; at < all.length; at += size) {
    results.push(
      ...(await ctx.write((tx) => {
        const emit: typeof tx.emit = (name, payload) => void events.push({ name, payload })
        return recordRemoteStatuses({ ...tx, emit }, all.slice(at, at + size))
      })),
    )
  }
  return describe(world, { results, events })
}

/** The rows of a world, with ids and URIs replaced by names that are the same in every world. */
async function describe(
  { run, authors, localId, localUri, hiddenUri }: World,
  { results, events }: { results: readonly (RecordedStatus | RequestError)[]; events: readonly EmittedEvent[] },
): Promise<unknown> {
  const everyone = [...authors, localId]
  const select = async (query: RawBuilder<Row>) => (await query.execute(ctx.db)).rows
  const ofAuthors = sql`join statuses s on s.id = x.status_id and s.account_id = any(${authors}::bigint[])`
  const rows = {
    statuses: await select(
      sql`select s.*, s.version * 0 as version from statuses s where account_id = any(${everyone}::bigint[]) order by uri`,
    ),
    conversations: await select(sql`select uri from conversations where uri like ${`%/${run}/%`} order by uri`),
    mentions: await select(
      sql`select x.status_id, x.account_id, silent from mentions x ${ofAuthors} order by s.uri, x.id`,
    ),
    tags: await select(sql`
      select name, display_name, recent_users, array(select s.uri from status_tags x ${ofAuthors} where x.tag_id = t.id order by 1) as uris
      from tags t where name like ${`%${run}`} order by name`),
    tagUses: await select(sql`
      select t.name, x.account_id, x.day::text, x.uses from tag_uses x join tags t on t.id = x.tag_id where t.name like ${`%${run}`}
      order by t.name, x.account_id, x.day`),
    media: await select(
      sql`select x.status_id, x.remote_url, x.meta from media_attachments x ${ofAuthors} order by s.uri, x.position`,
    ),
    polls: await select(
      sql`select x.status_id, x.account_id, x.options, x.tallies from polls x ${ofAuthors} order by s.uri`,
    ),
    quotes: await select(
      sql`select x.status_id, x.quoted_uri, x.quoted_status_id, x.state from quotes x ${ofAuthors} order by s.uri`,
    ),
    links: await select(sql`
      select x.status_id, x.url, (select sum(uses) from preview_link_uses u where u.link_id = x.link_id) as uses
      from status_preview_links x ${ofAuthors} order by s.uri`),
    counters: await select(sql`
      select x.* from status_stats x join statuses s on s.id = x.status_id where s.account_id = any(${everyone}::bigint[]) order by s.uri`),
    accounts: await select(sql`
      select * from account_stats where account_id = any(${authors}::bigint[]) order by account_id`),
  }
  const emojis = await select(sql`select id from custom_emojis where shortcode = ${run}`)
  const links = await select(sql`select id, url from preview_links where url like ${`%${run}%`}`)
  const conversations = Map.groupBy(rows.statuses, (row) => row['conversation_id'])
  const statusesOf = (id: unknown) =>
    conversations
      .get(id)
      ?.map((row) => row['uri'])
      .join(' ')
  const names = new Map<string, string>([
    ...[...conversations.keys()].map((id) => [`conversation ${id as string}`, `with ${statusesOf(id)}`] as const),
    ...rows.statuses.map((row) => [`status ${row['id'] as string}`, row['uri'] as string] as const),
    ...everyone.map((id, n) => [`account ${id}`, `account ${n}`] as const),
    ...emojis.map((row) => [`emoji ${row['id'] as string}`, 'emoji'] as const),
    ...links.map((row) => [`link ${row['id'] as string}`, row['url'] as string] as const),
  ])
  const nameOf = (key: string, id: unknown) => {
    const kind = ['account', 'conversation', 'emoji', 'link'].find((one) => key.includes(one)) ?? 'status'
    return id === null ? null : names.get(`${kind} ${id as string}`)
  }
  const withNames = (row: Row) =>
    Object.fromEntries(
      Object.entries(row).map(([key, value]) => {
        if (!/(^i|_i|I)ds?$/.test(key)) return [key, value]
        return [key, Array.isArray(value) ? value.map((one) => nameOf(key, one)) : nameOf(key, value)]
      }),
    )
  const described = {
    ...Object.fromEntries(Object.entries(rows).map(([table, all]) => [table, all.map(withNames)])),
    // The times of local statuses differ.
    statuses: rows.statuses.filter((row) => row['local'] !== true).map(withNames),
    results: results.map((result) => (result instanceof RequestError ? result.name : withNames({ ...result }))),
    events: events.map(({ name, payload }) => JSON.stringify([name, withNames({ ...payload })])).toSorted(),
  }
  const text = JSON.stringify(described).replaceAll(localUri, 'local').replaceAll(hiddenUri, 'hidden')
  return JSON.parse(text.replaceAll(run, 'run'))
}

test('statuses that are recorded together have the same result as one after the other', async () => {
  await fc.assert(
    fc.asyncProperty(anyPosts, fc.integer({ min: 2, max: POSTS }), async (posts, size) => {
      assert.deepEqual(await recordInChunks(posts, size), await recordInChunks(posts, 1))
    }),
    { numRuns: 25, endOnFailure: true },
  )
})

test('a status moves its waiting replies into the thread to which another status of its batch moves its parent', async () => {
  const post = (uri: number, inReplyTo: Post['inReplyTo'], author = 0): Post => ({
    author,
    uri,
    inReplyTo,
    quoted: null,
    visibility: 'public',
    hoursAgo: 0,
    conversation: null,
    tags: [],
    mentions: [],
    silent: [],
    hasEmoji: false,
    hasMedia: false,
    hasPoll: false,
    hasLink: false,
    wasDeleted: false,
  })
  const posts = [post(0, 2), post(1, 3), post(2, 'local'), post(3, 0)]
  assert.deepEqual(await recordInChunks(posts, 2), await recordInChunks(posts, 1))
  const byTwo = [post(0, 2, 1), post(1, 3, 1), post(2, 'local', 2), post(3, 0, 1)]
  assert.deepEqual(await recordInChunks(byTwo, 2), await recordInChunks(byTwo, 1))
})

test('the number of statements does not depend on the number of statuses', async () => {
  const record = async (count: number) => {
    const accountIds = await Promise.all(Array.from({ length: 3 }, () => createRemoteAccount(ctx)))
    const { accountId: localId } = await testServer.createUser()
    const parent = remoteStatusRecord({ accountId: accountIds[0]! })
    await ctx.write((tx) => recordRemoteStatuses(tx, [parent]))
    const all = Array.from({ length: count }, (_, n) =>
      remoteStatusRecord({
        accountId: accountIds[n % 3]!,
        inReplyTo: n % 2 === 0 ? parent.uri : null,
        mentionedIds: [localId],
        hashtags: new Map([[`tag${n % 5}`, `Tag${n % 5}`]]),
        content: `<p>:cat: <a href="https://pages.test/${n % 4}">page</a></p>`,
        emojis: [{ uri: null, shortcode: 'cat', imageUrl: `${HOST}/cat.png`, updatedAt: null }],
        attachments: n % 2 === 0 ? [] : [picture],
      }),
    )
    return (await captureQueries(() => ctx.write((tx) => recordRemoteStatuses(tx, all)))).length
  }
  await record(20)
  assert.equal(await record(20), await record(2))
})
