import assert from 'node:assert/strict'
import { after, afterEach, suite, test } from 'node:test'
import { disable, enable, suspend, unsuspend } from '../../../../test/features/moderation.ts'
import { deleteJobs } from '../../../../test/jobs/delete-jobs.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import { disableRateLimits } from '../../../../test/servers/uncached-server.ts'
import type { Ctx } from '../../context.ts'
import { deleteAccount } from '../../account-deletion/delete-account.ts'
import { pinStatus, unpinStatus } from '../interactions/pin-status.ts'
import { readCleanupPolicy, saveCleanupPolicy } from './cleanup-policy.ts'
import type { CleanupPolicy } from './cleanup-policy.ts'
import { deleteOldStatus } from './delete-old-status.ts'
import { requestCleanups } from './request-cleanups.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const WEEK_SECONDS = 604_800

// No workers run, so that the tests see which deletions a run has requested.
let aheadMs = 0
const testServer = await openTestServer({ effects: false, now: () => new Date(Date.now() + aheadMs) })
after(testServer.close)
disableRateLimits(testServer)
const { ctx } = testServer
const { db } = ctx

afterEach(async () => {
  await db.updateTable('status_cleanup_policies').set({ enabled: false }).execute()
  aheadMs = 0
})

async function choose({ userId }: TestUser, changes: Partial<CleanupPolicy> = {}): Promise<void> {
  const policy = { ...(await readCleanupPolicy(ctx, { userId })), enabled: true, minAgeSeconds: WEEK_SECONDS }
  await ctx.write((tx) => saveCleanupPolicy(tx, { userId, policy: { ...policy, ...changes } }))
}

async function post({ client }: TestUser, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n += 1) {
    const { status, body } = await client.post('/api/v1/statuses', { status: `Number ${n}` })
    assert.equal(status, 200)
    ids.push(body.id)
  }
  return ids
}

/** Lets a minute's job run. Returns the ids of the statuses whose deletion it has requested, by account. */
async function run(): Promise<Record<string, string[]>> {
  await deleteJobs(ctx)
  await requestCleanups(ctx)
  const jobs = await db.selectFrom('jobs').select('payload').where('name', '=', 'deleteOldStatus').execute()
  const found: Record<string, string[]> = {}
  for (const { payload } of jobs) {
    const { accountId, statusId } = payload as { accountId: string; statusId: string }
    ;(found[accountId] ??= []).push(statusId)
  }
  for (const ids of Object.values(found)) ids.sort()
  return found
}

suite('the automated deletion of posts', () => {
  test('begins when a post reaches the age, and requests each deletion once', async () => {
    const ada = await testServer.createUser()
    const ids = await post(ada, 3)
    await choose(ada)
    aheadMs = WEEK_SECONDS * 1_000 - HOUR_MS
    assert.deepEqual(await run(), {})
    aheadMs += 2 * HOUR_MS
    assert.deepEqual(await run(), { [ada.accountId]: ids })
    assert.deepEqual(await run(), {})
    aheadMs += HOUR_MS
    assert.deepEqual(await run(), {})
  })

  test('deletes at most 50 posts in a run, five of each user in turn, and oldest first', async () => {
    const [ada, ben, cem] = [
      await testServer.createUser(),
      await testServer.createUser(),
      await testServer.createUser(),
    ]
    const [ofAda, ofBen, ofCem] = [await post(ada, 62), await post(ben, 12), await post(cem, 1)]
    for (const user of [ada, ben, cem]) await choose(user)
    aheadMs = 8 * DAY_MS
    const first = await run()
    assert.deepEqual(first, { [ada.accountId]: ofAda.slice(0, 37), [ben.accountId]: ofBen, [cem.accountId]: ofCem })
    assert.deepEqual(await run(), { [ada.accountId]: ofAda.slice(37) })
    assert.deepEqual(await run(), {})
  })

  test('reaches users whose turn did not come in the run before', async () => {
    const users: TestUser[] = []
    for (let n = 0; n < 14; n += 1) {
      const user = await testServer.createUser()
      await post(user, 6)
      await choose(user)
      users.push(user)
    }
    aheadMs = 8 * DAY_MS
    const [first, second] = [await run(), await run()]
    assert.deepEqual(
      users.map(({ accountId }) => first[accountId]?.length ?? 0),
      [5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 0, 0, 0, 0],
    )
    assert.deepEqual(
      users.map(({ accountId }) => second[accountId]?.length ?? 0),
      [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 6, 6, 6, 6],
    )
  })

  test('gets past any number of posts that exceptions keep', async () => {
    const ada = await testServer.createUser()
    const { visibility, ids } = { visibility: 'direct', ids: await post(ada, 1) }
    await db
      .insertInto('statuses')
      .values(
        Array.from({ length: 2_500 }, (_, n) => ({
          id: (BigInt(ids[0]!) - BigInt(n + 1)).toString(),
          account_id: ada.accountId,
          uri: `https://linnet.test/direct/${n}`,
          url: `https://linnet.test/direct/${n}`,
          visibility,
        })),
      )
      .execute()
    await choose(ada)
    aheadMs = 8 * DAY_MS
    assert.deepEqual(await run(), { [ada.accountId]: ids })
  })

  test('finds posts that an exception does not keep any more: at once if the policy changed, else within a day', async () => {
    const ada = await testServer.createUser()
    const [pinned, other] = (await post(ada, 2)) as [string, string]
    await ctx.write((tx) => pinStatus(tx, { accountId: ada.accountId, statusId: pinned }))
    await choose(ada, { keepPinned: true })
    aheadMs = 8 * DAY_MS
    assert.deepEqual(await run(), { [ada.accountId]: [other] })
    await deleteOldStatus(ctx, { accountId: ada.accountId, statusId: other })
    await choose(ada, { keepPinned: false })
    assert.deepEqual(await run(), { [ada.accountId]: [pinned] })
    await choose(ada, { keepPinned: true })
    assert.deepEqual(await run(), {})
    await ctx.write((tx) => unpinStatus(tx, { accountId: ada.accountId, statusId: pinned }))
    aheadMs += HOUR_MS
    assert.deepEqual(await run(), {})
    aheadMs += DAY_MS
    await run()
    aheadMs += HOUR_MS
    assert.deepEqual(await run(), { [ada.accountId]: [pinned] })
  })

  test('requests each deletion once if several processes run at the same time', async () => {
    const users = [await testServer.createUser(), await testServer.createUser(), await testServer.createUser()]
    const posts: string[] = []
    for (const user of users) {
      posts.push(...(await post(user, 9)))
      await choose(user)
    }
    aheadMs = 8 * DAY_MS
    await deleteJobs(ctx)
    await Promise.all(Array.from({ length: 4 }, () => requestCleanups(ctx)))
    const jobs = await db.selectFrom('jobs').select('payload').where('name', '=', 'deleteOldStatus').execute()
    const requested = jobs.map(({ payload }) => (payload as { statusId: string }).statusId)
    assert.deepEqual(requested.toSorted(), posts.toSorted())
  })

  test('loses no post if a run fails in the middle', async () => {
    const ada = await testServer.createUser()
    const ids = await post(ada, 8)
    await choose(ada)
    aheadMs = 8 * DAY_MS
    await deleteJobs(ctx)
    let rounds = 0
    const failing: Ctx = {
      ...ctx,
      write: (work) =>
        ctx.write(async (tx) => {
          const result = await work(tx)
          rounds += 1
          if (rounds === 2) throw new Error('The connection is lost')
          return result
        }),
    }
    await assert.rejects(requestCleanups(failing), /The connection is lost/)
    const jobs = await db.selectFrom('jobs').select('name').execute()
    assert.deepEqual(
      jobs.map(({ name }) => name),
      Array.from({ length: 5 }, () => 'deleteOldStatus'),
    )
    assert.deepEqual(await run(), { [ada.accountId]: ids.slice(5) })
  })

  test('waits while the server is under load', async () => {
    const ada = await testServer.createUser()
    const ids = await post(ada, 1)
    await choose(ada)
    aheadMs = 8 * DAY_MS
    for (const [queue, name, seconds] of [
      ['default', 'fanOutStatus', 30],
      ['network', 'deliverToHost', 30],
    ] as const) {
      await deleteJobs(ctx)
      const job = { queue, name, payload: '{}', max_attempts: 8, run_at: new Date(Date.now() - seconds * 1_000) }
      await db.insertInto('jobs').values(job).execute()
      await requestCleanups(ctx)
      const names = await db.selectFrom('jobs').select('name').execute()
      assert.deepEqual(names, [{ name }])
    }
    assert.deepEqual(await run(), { [ada.accountId]: ids })
  })

  test('stops for users who are suspended or frozen, and continues afterwards', async () => {
    const ada = await testServer.createUser()
    const ids = await post(ada, 1)
    await choose(ada)
    aheadMs = 8 * DAY_MS
    await suspend(ctx, ada)
    assert.deepEqual(await run(), {})
    await unsuspend(ctx, ada)
    await disable(ctx, ada)
    assert.deepEqual(await run(), {})
    await enable(ctx, ada)
    assert.deepEqual(await run(), { [ada.accountId]: ids })
  })

  test('ends with the account', async () => {
    const ada = await testServer.createUser()
    await choose(ada)
    await ctx.write((tx) => deleteAccount(tx, { accountId: ada.accountId }))
    const rows = await db.selectFrom('status_cleanup_policies').select('user_id').execute()
    assert.ok(rows.every((row) => row.user_id !== ada.userId))
  })
})
