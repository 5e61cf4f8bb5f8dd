// Slow: compares random posts and policies with a model.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import sharp from 'sharp'
import { uploadFile } from '../../../../test/http/upload-file.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import { disableRateLimits } from '../../../../test/servers/uncached-server.ts'
import { importStatus } from '../write/import-status.ts'
import { MIN_AGES, saveCleanupPolicy } from './cleanup-policy.ts'
import type { CleanupPolicy } from './cleanup-policy.ts'

const DAY_MS = 86_400_000

/** What users post now is so old by the program's clock. Imported posts have ages of their own. */
const AGE_DAYS = 400
const testServer = await openTestServer({ now: () => new Date(Date.now() + AGE_DAYS * DAY_MS) })
after(testServer.close)
disableRateLimits(testServer)
const { ctx } = testServer
const fans = [await testServer.createUser(), await testServer.createUser()]
const image = await sharp({ create: { width: 4, height: 3, channels: 3, background: '#2b7a78' } })
  .png()
  .toBuffer()

interface Post {
  kind: 'post' | 'imported' | 'boost'
  ageDays: number
  visibility: 'public' | 'unlisted' | 'private' | 'direct'
  content: 'text' | 'poll' | 'media'
  pinned: boolean
  /** By the author. */
  favourited: boolean
  bookmarked: boolean
  /** How many others have favourited and boosted it. */
  favourites: number
  reblogs: number
}

/** Leaves out what is impossible: a direct post cannot be imported or pinned, and only public ones are boosted. */
function makePossible(post: Post): Post {
  const visibility = post.visibility === 'direct' && post.kind !== 'post' ? 'public' : post.visibility
  const isBoostable = visibility === 'public' || visibility === 'unlisted'
  return {
    ...post,
    visibility,
    ageDays: post.kind === 'imported' ? post.ageDays : AGE_DAYS,
    pinned: post.pinned && visibility !== 'direct',
    reblogs: isBoostable ? post.reblogs : 0,
  }
}

/** Rare, so that mostly one exception at most applies. */
const rarely = fc.constantFrom(true, false, false, false)
const rarelyMany = fc.constantFrom(0, 0, 1, 2)
const posts: fc.Arbitrary<Post> = fc
  .record({
    kind: fc.constantFrom('post', 'post', 'imported', 'boost'),
    ageDays: fc.constantFrom(1, 8, 20, 45, 70, 120, 300, 500, 800),
    visibility: fc.constantFrom('public', 'public', 'unlisted', 'private', 'direct'),
    content: fc.constantFrom('text', 'text', 'poll', 'media'),
    pinned: rarely,
    favourited: rarely,
    bookmarked: rarely,
    favourites: rarelyMany,
    reblogs: rarelyMany,
  } as const)
  .map(makePossible)
const thresholds = fc.option(fc.integer({ min: 1, max: 3 }))
const policies: fc.Arbitrary<CleanupPolicy> = fc.record({
  enabled: fc.constantFrom(true, true, true, false),
  minAgeSeconds: fc.constantFrom(...MIN_AGES),
  keepPinned: fc.boolean(),
  keepDirect: fc.boolean(),
  keepFavourited: fc.boolean(),
  keepBookmarked: fc.boolean(),
  keepPolls: fc.boolean(),
  keepMedia: fc.boolean(),
  minFavourites: thresholds,
  minReblogs: thresholds,
})

/** The rule without SQL. */
function isDeleted(post: Post, policy: CleanupPolicy): boolean {
  if (!policy.enabled || post.ageDays * 86_400 < policy.minAgeSeconds) return false
  if (post.kind === 'boost') return true
  const favourites = post.favourites + (post.favourited ? 1 : 0)
  const exceptions = [
    policy.keepPinned && post.pinned,
    policy.keepDirect && post.visibility === 'direct',
    policy.keepFavourited && post.favourited,
    policy.keepBookmarked && post.bookmarked,
    policy.keepPolls && post.content === 'poll',
    policy.keepMedia && post.content === 'media',
    policy.minFavourites !== null && favourites >= policy.minFavourites,
    policy.minReblogs !== null && post.reblogs >= policy.minReblogs,
  ]
  return !exceptions.includes(true)
}

async function act({ client }: TestUser, path: string, body: object = {}): Promise<{ id: string }> {
  const { status, body: answer } = await client.post(path, body)
  assert.equal(status, 200, `${path}: ${JSON.stringify(answer)}`)
  return answer
}

/** Creates a post with all that was done with it. Returns its id. */
async function create(author: TestUser, post: Post): Promise<string> {
  const [fan, otherFan] = fans as [TestUser, TestUser]
  const isBoost = post.kind === 'boost'
  const id = isBoost ? (await act(fan, '/api/v1/statuses', { status: 'Look' })).id : await write(author, post)
  const path = `/api/v1/statuses/${id}`
  const boost = isBoost ? await act(author, `${path}/reblog`) : null
  if (post.pinned && !isBoost) await act(author, `${path}/pin`)
  if (post.favourited) await act(author, `${path}/favourite`)
  if (post.bookmarked) await act(author, `${path}/bookmark`)
  for (const one of [fan, otherFan].slice(0, post.favourites)) await act(one, `${path}/favourite`)
  for (const one of [fan, otherFan].slice(0, post.reblogs)) await act(one, `${path}/reblog`)
  return boost?.id ?? id
}

async function write(author: TestUser, { kind, ageDays, visibility, content }: Post): Promise<string> {
  const mediaIds = content === 'media' ? [(await uploadFile(author, image)).body.id] : []
  if (kind === 'imported' && visibility !== 'direct') {
    const publishedAt = new Date(ctx.now().getTime() - ageDays * DAY_MS)
    const poll = { options: ['Yes', 'No'], tallies: [1, 0], multiple: false, votersCount: 1, endedAt: publishedAt }
    const id = await ctx.write((tx) =>
      importStatus(tx, {
        accountId: author.accountId,
        mediaIds,
        post: {
          uri: `https://old.test/${crypto.randomUUID()}`,
          text: 'From before',
          spoilerText: '',
          visibility,
          sensitive: false,
          language: null,
          publishedAt,
          updatedAt: null,
          inReplyTo: null,
          hashtags: new Map(),
          poll: content === 'poll' ? poll : null,
        },
      }),
    )
    return id!
  }
  const { id } = await act(author, '/api/v1/statuses', {
    status: fans.map(({ username }) => `@${username}`).join(' '),
    visibility,
    ...(content === 'media' && { media_ids: mediaIds }),
    ...(content === 'poll' && { poll: { options: ['Yes', 'No'], expires_in: 3600 } }),
  })
  return id
}

async function listIds({ accountId }: TestUser): Promise<string[]> {
  const statuses = ctx.db.selectFrom('statuses').select('id').where('account_id', '=', accountId)
  return (await statuses.where('deleted_at', 'is', null).execute()).map(({ id }) => id)
}

test('exactly the old posts that no exception of the policy keeps, and all old boosts, are deleted', async () => {
  const check = async (scenario: Post[], policy: CleanupPolicy) => {
    const author = await testServer.createUser()
    for (const fan of fans) await act(fan, `/api/v1/accounts/${author.accountId}/follow`)
    const ids: string[] = []
    for (const post of scenario) ids.push(await create(author, post))
    await ctx.write((tx) => saveCleanupPolicy(tx, { userId: author.userId, policy }))
    await testServer.waitForJobs()
    await ctx.write(async (tx) => tx.emit('clock.minutely', {}))
    await testServer.waitForJobs()
    const kept = ids.filter((_id, n) => !isDeleted(scenario[n]!, policy))
    assert.deepEqual((await listIds(author)).toSorted(), kept.toSorted(), JSON.stringify({ scenario, policy, ids }))
  }
  await fc.assert(fc.asyncProperty(fc.array(posts, { minLength: 2, maxLength: 5 }), policies, check), { numRuns: 30 })
})
