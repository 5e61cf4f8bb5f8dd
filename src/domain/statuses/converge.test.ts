// Slow: plays through random histories.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { HOST, makeRemote, newName, statusFacts } from '../../../test/remote.ts'
import { openWorld } from '../../../test/world.ts'
import { Refusal } from '../../lib/errors.ts'
import type { Tx } from '../context.ts'
import { lockUris } from '../lock-uris.ts'
import { receiveFollow } from '../relationships/receive-follow.ts'
import { unfollowAccount } from '../relationships/unfollow.ts'
import { boostStatus, takeBackBoost } from './boost.ts'
import { favouriteStatus, takeBackFavourite } from './favourite.ts'
import { postStatus } from './post.ts'
import { recordRemoteStatus } from './record-remote.ts'
import type { RemoteStatusFacts } from './record-remote.ts'
import { removeRemoteStatus } from './remove-remote.ts'
import { updateRemoteStatus } from './update-remote.ts'

const world = await openWorld({ env: { DB_POOL: '10' }, effects: false })
after(world.close)
const { ctx } = world

const ACTORS = 2
const DEEDS = ['like', 'boost', 'follow'] as const

/** What happened elsewhere, told in its order. */
interface History {
  posts: { author: number; answers: number | 'us' | null; edits: number; deleted: boolean }[]
  deeds: { kind: (typeof DEEDS)[number]; actor: number; undone: boolean }[]
}

const histories: fc.Arbitrary<History> = fc.record({
  posts: fc.array(
    fc.record({
      author: fc.nat({ max: ACTORS - 1 }),
      answers: fc.oneof(fc.nat({ max: 3 }), fc.constant('us' as const), fc.constant(null)),
      edits: fc.nat({ max: 2 }),
      deleted: fc.boolean(),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  deeds: fc.uniqueArray(
    fc.record({
      kind: fc.constantFrom(...DEEDS),
      actor: fc.nat({ max: ACTORS - 1 }),
      undone: fc.boolean(),
    }),
    { selector: ({ kind, actor }) => `${kind} ${actor}`, maxLength: 6 },
  ),
})

type Step = (tx: Tx) => Promise<unknown>

/** People here and elsewhere to whom a history happens. */
interface Stage {
  here: string
  actors: string[]
  ours: string
  run: string
}

async function openStage(): Promise<Stage> {
  const { accountId: here } = await world.createPerson()
  const actors = await Promise.all(Array.from({ length: ACTORS }, () => makeRemote(ctx)))
  // Their server has never said how much they wrote, so it is counted here.
  await sql`update accounts set refreshed_at = null where id = any(${actors}::bigint[])`.execute(ctx.db)
  const draft = { text: 'ours', spoilerText: '', mediaIds: [], localOnly: false }
  const statusId = await ctx.write((tx) => postStatus(tx, { accountId: here, applicationId: null, draft }))
  return { here, actors, ours: statusId, run: newName('run') }
}

function uriOfPost({ run }: Stage, n: number): string {
  return `${HOST}/${run}/posts/${n}`
}

/** How a post is after some edits. */
function factsOf(stage: Stage, history: History, n: number, version: number): RemoteStatusFacts {
  const { author, answers } = history.posts[n]!
  const minutesAgo = (minutes: number) => new Date(START - minutes * 60_000)
  // Going on under one's own answer is for another, who may be gone: this is told in tests of its own.
  const isOther = typeof answers === 'number' && answers < n && history.posts[answers]!.author !== author
  const ours = `${ctx.config.origin}/ap/users/${stage.here}/statuses/${stage.ours}`
  return statusFacts({
    uri: uriOfPost(stage, n),
    accountId: stage.actors[author]!,
    content: `<p>post ${n}, version ${version}</p>`,
    inReplyTo: answers === 'us' ? ours : isOther ? uriOfPost(stage, answers) : null,
    publishedAt: minutesAgo(60 - n),
    updatedAt: version === 0 ? null : minutesAgo(30 - version),
    mentionedIds: version % 2 === 0 ? [stage.here] : [],
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

function stepsOf(stage: Stage, history: History): Step[] {
  const { here, ours, run } = stage
  const posts = history.posts.flatMap(({ author, edits, deleted }, n) => {
    const facts = (version: number) => factsOf(stage, history, n, version)
    const steps: Step[] = [(tx) => recordRemoteStatus(tx, facts(0))]
    for (let version = 1; version <= edits; version += 1) {
      steps.push(async (tx) => {
        const { uri, inReplyTo } = facts(version)
        // Two transactions in one: without all locks of both at once, several of them would end in deadlocks.
        await lockUris(tx, { uris: inReplyTo === null ? [uri] : [uri, inReplyTo] })
        return (await updateRemoteStatus(tx, facts(version))) ?? recordRemoteStatus(tx, facts(version))
      })
    }
    const uri = uriOfPost(stage, n)
    if (deleted) steps.push((tx) => removeRemoteStatus(tx, { uri, accountId: stage.actors[author]! }))
    return steps
  })
  const deeds = history.deeds.flatMap(({ kind, actor, undone }) => {
    const uri = `${HOST}/${run}/${kind}/${actor}`
    const deed = { accountId: stage.actors[actor]!, statusId: ours, uri }
    const pair = { accountId: deed.accountId, targetAccountId: here, uri }
    const [done, back] = {
      like: [(tx: Tx) => favouriteStatus(tx, deed), (tx: Tx) => takeBackFavourite(tx, deed)],
      boost: [
        (tx: Tx) => boostStatus(tx, { ...deed, remote: { uri, publishedAt: new Date(START - 60_000) } }),
        (tx: Tx) => takeBackBoost(tx, { ...deed, statusId: null }),
      ],
      follow: [(tx: Tx) => receiveFollow(tx, pair), (tx: Tx) => unfollowAccount(tx, pair)],
    }[kind] as [Step, Step]
    return undone ? [done, back] : [done]
  })
  return [...posts, ...deeds]
}

/** What is refused was taken away or taken back before. */
async function take(step: Step): Promise<void> {
  try {
    await ctx.write(step)
  } catch (err) {
    if (!(err instanceof Refusal)) throw err
  }
}

/** All that can be seen afterwards, without what differs from stage to stage. */
async function stateOf(stage: Stage): Promise<unknown> {
  const { here, actors, ours, run } = stage
  const people = [here, ...actors]
  const posts = await sql`
    select replace(s.uri, ${run}, '') as uri, s.content, s.edited_at, s.created_at, replace(p.uri, ${run}, '') as parent,
      array_position(${people}::bigint[], s.in_reply_to_account_id) as addressee, p.local as answers_us,
      coalesce(st.replies_count, 0) as replies,
      array(select m.remote_url || ' ' || m.description from media_attachments m
        where m.status_id = s.id and m.withdrawn_at is null order by m.position) as media,
      array(select array_position(${people}::bigint[], account_id) from mentions
        where status_id = s.id and not silent) as mentions,
      array(select t.name from status_tags join tags t on t.id = tag_id where status_id = s.id order by 1) as tags
    from statuses s left join statuses p on p.id = s.in_reply_to_id left join status_stats st on st.status_id = s.id
    where s.account_id = any(${actors}::bigint[]) and s.reblog_of_id is null order by s.uri`.execute(ctx.db)
  const stats = await sql`
    select statuses_count, followers_count, following_count from account_stats
    where account_id = any(${people}::bigint[]) order by array_position(${people}::bigint[], account_id)`.execute(
    ctx.db,
  )
  const own = await sql`
    select replies_count, reblogs_count, favourites_count,
      (select count(*)::int from statuses where reblog_of_id = ${ours}) as boosts,
      (select count(*)::int from statuses where in_reply_to_id = ${ours}) as replies,
      (select count(*)::int from favourites where status_id = ${ours}) as favourites
    from status_stats where status_id = ${ours}`.execute(ctx.db)
  const follows = await sql`
    select array_position(${people}::bigint[], account_id) as who from follows
    where target_account_id = ${here} order by 1`.execute(ctx.db)
  const [counted] = own.rows as Record<string, number>[]
  if (counted) {
    const { replies_count, reblogs_count, favourites_count, boosts, replies, favourites } = counted
    assert.deepEqual([replies_count, reblogs_count, favourites_count], [replies, boosts, favourites])
  }
  const ourCounts = {
    replies: counted?.['replies'] ?? 0,
    boosts: counted?.['boosts'] ?? 0,
    likes: counted?.['favourites'] ?? 0,
  }
  return JSON.parse(
    JSON.stringify({ posts: posts.rows, stats: stats.rows, ours: ourCounts, follows: follows.rows }).replaceAll(
      `/ap/users/${here}/statuses/${ours}`,
      '/ours',
    ),
  ) as unknown
}

/** The history of a stage, with some of it told again, in an order that the keys give. */
function shuffled(steps: readonly Step[], keys: readonly number[]): Step[] {
  const told = steps.flatMap((step, n) => Array.from({ length: 1 + (keys[n % keys.length]! % 3) }, () => step))
  return told
    .map((step, n) => ({ step, key: keys[(n * 7 + 3) % keys.length]! * 31 + (keys[n % keys.length]! % 97) }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ step }) => step)
}

const orders = fc.array(fc.nat({ max: 100_000 }), { minLength: 20, maxLength: 40 })

test('FP6 whatever order what happened elsewhere is told in, and however often, it ends as it ended there', async () => {
  await fc.assert(
    fc.asyncProperty(histories, orders, async (history, keys) => {
      const [straight, mixed] = [await openStage(), await openStage()]
      for (const step of stepsOf(straight, history)) await take(step)
      for (const step of shuffled(stepsOf(mixed, history), keys)) await take(step)
      assert.deepEqual(await stateOf(mixed), await stateOf(straight))
    }),
    { numRuns: 40 },
  )
})

test('FP5 told all at once, it ends as it ended there', async () => {
  await fc.assert(
    fc.asyncProperty(histories, orders, async (history, keys) => {
      const [straight, mixed] = [await openStage(), await openStage()]
      for (const step of stepsOf(straight, history)) await take(step)
      await Promise.all(shuffled(stepsOf(mixed, history), keys).map(take))
      assert.deepEqual(await stateOf(mixed), await stateOf(straight))
    }),
    { numRuns: 20 },
  )
})
