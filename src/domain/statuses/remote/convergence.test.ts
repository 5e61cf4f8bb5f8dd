// Slow: applies random histories of activities in different orders.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import {
  HOST,
  createRemoteAccount,
  uniqueName,
  remoteStatusRecord,
} from '../../../../test/federation/remote-records.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { RequestError } from '../../../lib/errors.ts'
import type { Tx } from '../../context.ts'
import { lockUris } from '../../core/lock-uris.ts'
import { recordRemoteFollow } from '../../relationships/follows/record-remote-follow.ts'
import { unfollowAccount } from '../../relationships/follows/unfollow-account.ts'
import { reblogStatus, recordUndoneReblog } from '../interactions/reblog-status.ts'
import { favouriteStatus, recordUndoneFavourite } from '../interactions/favourite-status.ts'
import { createStatus } from '../write/create-statuses.ts'
import { recordRemoteStatus } from './record-remote-status.ts'
import type { RemoteStatusFacts } from './remote-status-facts.ts'
import { removeRemoteStatus } from './remove-remote-status.ts'
import { updateRemoteStatus } from './update-remote-status.ts'

const testServer = await openTestServer({ env: { DB_POOL: '10' }, effects: false })
after(testServer.close)
const { ctx } = testServer

const ACTORS = 2
const INTERACTIONS = ['like', 'reblog', 'follow'] as const

/** What happened on other servers, in the original order. `local`: a reply to the local status. */
interface History {
  posts: { author: number; inReplyTo: number | 'local' | null; edits: number; deleted: boolean }[]
  interactions: { kind: (typeof INTERACTIONS)[number]; actor: number; undone: boolean }[]
}

const histories: fc.Arbitrary<History> = fc.record({
  posts: fc.array(
    fc.record({
      author: fc.nat({ max: ACTORS - 1 }),
      inReplyTo: fc.oneof(fc.nat({ max: 3 }), fc.constant('local' as const), fc.constant(null)),
      edits: fc.nat({ max: 2 }),
      deleted: fc.boolean(),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  interactions: fc.uniqueArray(
    fc.record({
      kind: fc.constantFrom(...INTERACTIONS),
      actor: fc.nat({ max: ACTORS - 1 }),
      undone: fc.boolean(),
    }),
    { selector: ({ kind, actor }) => `${kind} ${actor}`, maxLength: 6 },
  ),
})

type Step = (tx: Tx) => Promise<unknown>

/** A local account with a status, and the remote accounts of a history. */
interface Scenario {
  localAccountId: string
  actors: string[]
  localStatusId: string
  run: string
}

async function createScenario(): Promise<Scenario> {
  const { accountId: localAccountId } = await testServer.createUser()
  const actors = await Promise.all(Array.from({ length: ACTORS }, () => createRemoteAccount(ctx)))
  // Without a refresh, the number of statuses is not known from the remote server, so it is counted here.
  await sql`update accounts set refreshed_at = null where id = any(${actors}::bigint[])`.execute(ctx.db)
  const draft = { text: 'ours', spoilerText: '', mediaIds: [], localOnly: false }
  const statusId = await ctx.write((tx) => createStatus(tx, { accountId: localAccountId, applicationId: null, draft }))
  return { localAccountId, actors, localStatusId: statusId, run: uniqueName('run') }
}

function uriOfPost({ run }: Scenario, n: number): string {
  return `${HOST}/${run}/posts/${n}`
}

/** Returns the remote status after `version` edits. */
function factsOf(scenario: Scenario, history: History, n: number, version: number): RemoteStatusFacts {
  const { author, inReplyTo } = history.posts[n]!
  const minutesAgo = (minutes: number) => new Date(START - minutes * 60_000)
  // Self-replies are left out: the account replied to is then that of another status, which may be deleted. Other tests
  // cover this.
  const isOther = typeof inReplyTo === 'number' && inReplyTo < n && history.posts[inReplyTo]!.author !== author
  const localUri = `${ctx.config.origin}/ap/users/${scenario.localAccountId}/statuses/${scenario.localStatusId}`
  return remoteStatusRecord({
    uri: uriOfPost(scenario, n),
    accountId: scenario.actors[author]!,
    content: `<p>post ${n}, version ${version}</p>`,
    inReplyTo: inReplyTo === 'local' ? localUri : isOther ? uriOfPost(scenario, inReplyTo) : null,
    publishedAt: minutesAgo(60 - n),
    updatedAt: version === 0 ? null : minutesAgo(30 - version),
    mentionedIds: version % 2 === 0 ? [scenario.localAccountId] : [],
    hashtags: new Map([[`tag${version}`, `Tag${version}`]]),
    attachments: Array.from({ length: version }, (_, place) => ({
      type: 'image',
      url: `${HOST}/${version - place}.png`,
      mediaType: 'image/png',
      description: `version ${version}`,
      blurhash: null,
      focus: null,
      width: null,
      height: null,
      previewUrl: null,
    })),
  })
}

const START = Date.now()

function stepsOf(scenario: Scenario, history: History): Step[] {
  const { localAccountId, localStatusId, run } = scenario
  const posts = history.posts.flatMap(({ author, edits, deleted }, n) => {
    const facts = (version: number) => factsOf(scenario, history, n, version)
    const steps: Step[] = [(tx) => recordRemoteStatus(tx, facts(0))]
    for (let version = 1; version <= edits; version += 1) {
      steps.push(async (tx) => {
        const { uri, inReplyTo } = facts(version)
        // Combines two operations in one transaction, which takes the locks of both at once to prevent deadlocks.
        await lockUris(tx, { uris: inReplyTo === null ? [uri] : [uri, inReplyTo] })
        return (await updateRemoteStatus(tx, facts(version))) ?? recordRemoteStatus(tx, facts(version))
      })
    }
    const uri = uriOfPost(scenario, n)
    if (deleted) steps.push((tx) => removeRemoteStatus(tx, { uri, accountId: scenario.actors[author]! }))
    return steps
  })
  const interactions = history.interactions.flatMap(({ kind, actor, undone }) => {
    const uri = `${HOST}/${run}/${kind}/${actor}`
    const interaction = { accountId: scenario.actors[actor]!, statusId: localStatusId, uri }
    const pair = { accountId: interaction.accountId, targetAccountId: localAccountId, uri }
    const [perform, undo] = {
      like: [(tx: Tx) => favouriteStatus(tx, interaction), (tx: Tx) => recordUndoneFavourite(tx, interaction)],
      reblog: [
        (tx: Tx) => reblogStatus(tx, { ...interaction, remote: { uri, publishedAt: new Date(START - 60_000) } }),
        (tx: Tx) => recordUndoneReblog(tx, { ...interaction, statusId: null }),
      ],
      follow: [(tx: Tx) => recordRemoteFollow(tx, pair), (tx: Tx) => unfollowAccount(tx, pair)],
    }[kind] as [Step, Step]
    return undone ? [perform, undo] : [perform]
  })
  return [...posts, ...interactions]
}

/** Applies a step; ignores refusals, which happen if the object was deleted or the activity was undone before. */
async function apply(step: Step): Promise<void> {
  try {
    await ctx.write(step)
  } catch (err) {
    if (!(err instanceof RequestError)) throw err
  }
}

/** Returns the visible state of a scenario, without the ids and names that differ between scenarios. */
async function stateOf(scenario: Scenario): Promise<unknown> {
  const { localAccountId, actors, localStatusId, run } = scenario
  const accountIds = [localAccountId, ...actors]
  const posts = await sql`
    select replace(s.uri, ${run}, '') as uri, s.content, s.edited_at, s.created_at, replace(p.uri, ${run}, '') as parent,
      array_position(${accountIds}::bigint[], s.in_reply_to_account_id) as recipient, p.local as replies_to_local,
      coalesce(st.replies_count, 0) as replies,
      array(select m.remote_url || ' ' || m.description from media_attachments m
        where m.status_id = s.id and m.withdrawn_at is null order by m.position) as media,
      array(select array_position(${accountIds}::bigint[], account_id) from mentions
        where status_id = s.id and not silent) as mentions,
      array(select t.name from status_tags join tags t on t.id = tag_id where status_id = s.id order by 1) as tags
    from statuses s left join statuses p on p.id = s.in_reply_to_id left join status_stats st on st.status_id = s.id
    where s.account_id = any(${actors}::bigint[]) and s.reblog_of_id is null order by s.uri`.execute(ctx.db)
  const stats = await sql`
    select statuses_count, followers_count, following_count from account_stats
    where account_id = any(${accountIds}::bigint[]) order by array_position(${accountIds}::bigint[], account_id)`.execute(
    ctx.db,
  )
  const own = await sql`
    select replies_count, reblogs_count, favourites_count,
      (select count(*)::int from statuses where reblog_of_id = ${localStatusId}) as reblogs,
      (select count(*)::int from statuses where in_reply_to_id = ${localStatusId}) as replies,
      (select count(*)::int from favourites where status_id = ${localStatusId}) as favourites
    from status_stats where status_id = ${localStatusId}`.execute(ctx.db)
  const follows = await sql`
    select array_position(${accountIds}::bigint[], account_id) as follower from follows
    where target_account_id = ${localAccountId} order by 1`.execute(ctx.db)
  const [counted] = own.rows as Record<string, number>[]
  if (counted) {
    const { replies_count, reblogs_count, favourites_count, reblogs, replies, favourites } = counted
    assert.deepEqual([replies_count, reblogs_count, favourites_count], [replies, reblogs, favourites])
  }
  const localCounts = {
    replies: counted?.['replies'] ?? 0,
    reblogs: counted?.['reblogs'] ?? 0,
    likes: counted?.['favourites'] ?? 0,
  }
  return JSON.parse(
    JSON.stringify({ posts: posts.rows, stats: stats.rows, local: localCounts, follows: follows.rows }).replaceAll(
      `/ap/users/${localAccountId}/statuses/${localStatusId}`,
      '/ours',
    ),
  ) as unknown
}

/** Returns the steps in an order that the keys determine, some of them repeated. */
function shuffled(steps: readonly Step[], keys: readonly number[]): Step[] {
  const repeated = steps.flatMap((step, n) => Array.from({ length: 1 + (keys[n % keys.length]! % 3) }, () => step))
  return repeated
    .map((step, n) => ({ step, key: keys[(n * 7 + 3) % keys.length]! * 31 + (keys[n % keys.length]! % 97) }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ step }) => step)
}

const orders = fc.array(fc.nat({ max: 100_000 }), { minLength: 20, maxLength: 40 })

test('FP6 remote activities in any order and with repetitions lead to the same state as in the original order', async () => {
  await fc.assert(
    fc.asyncProperty(histories, orders, async (history, keys) => {
      const [ordered, shuffledScenario] = [await createScenario(), await createScenario()]
      for (const step of stepsOf(ordered, history)) await apply(step)
      for (const step of shuffled(stepsOf(shuffledScenario, history), keys)) await apply(step)
      assert.deepEqual(await stateOf(shuffledScenario), await stateOf(ordered))
    }),
    { numRuns: 40 },
  )
})

test('FP5 remote activities in parallel lead to the same state as in the original order', async () => {
  await fc.assert(
    fc.asyncProperty(histories, orders, async (history, keys) => {
      const [ordered, shuffledScenario] = [await createScenario(), await createScenario()]
      for (const step of stepsOf(ordered, history)) await apply(step)
      await Promise.all(shuffled(stepsOf(shuffledScenario, history), keys).map(apply))
      assert.deepEqual(await stateOf(shuffledScenario), await stateOf(ordered))
    }),
    { numRuns: 20 },
  )
})
