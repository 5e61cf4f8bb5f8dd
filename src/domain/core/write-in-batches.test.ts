import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { deleteJobs } from '../../../test/jobs/delete-jobs.ts'
import { createUsers } from '../../../test/servers/create-users.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import { PostponedError } from '../../platform/jobs/postponed-error.ts'
import { authorizeAllFollowRequests } from '../relationships/follows/follow-requests.ts'
import { migrateRelationships } from '../relationships/migration/migrate-relationships.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { ctx } = testServer
const { db } = ctx
const deleteAll = () => deleteJobs(ctx)
beforeEach(deleteAll)

/** Runs an effect until it is no longer postponed. Returns what `count` returns after each run. */
async function runAndCount(effect: () => Promise<void>, count: () => Promise<number>): Promise<number[]> {
  const counts: number[] = []
  for (let isPostponed = true; isPostponed;) {
    isPostponed = await effect().then(
      () => false,
      (err: unknown) => {
        assert.ok(err instanceof PostponedError, String(err))
        return true
      },
    )
    counts.push(await count())
    // The jobs of the batch have run.
    if (isPostponed) await deleteAll()
  }
  return counts
}

const countFollowers = async ({ accountId }: { accountId: string }) => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from follows where target_account_id = ${accountId}`.execute(db)
  return rows[0]!.n
}

test('unlocking an account with many follow requests waits for the jobs of each hundred new followers', async () => {
  const bob = await testServer.createUser()
  const fans = await createUsers(ctx, { prefix: 'fan', count: 230 })
  await sql`
    insert into follow_requests (account_id, target_account_id)
    select id, ${bob.accountId} from unnest(${fans}::bigint[]) id`.execute(db)
  const counts = await runAndCount(
    () => authorizeAllFollowRequests(ctx, bob),
    () => countFollowers(bob),
  )
  assert.deepEqual(counts, [100, 200, 230])
})

test('a move of many followers waits for the jobs of each hundred, and loses none', async () => {
  const [from, to] = [await testServer.createUser(), await testServer.createUser()]
  const fans = await createUsers(ctx, { prefix: 'reader', count: 230 })
  await sql`
    insert into follows (account_id, target_account_id)
    select id, ${from.accountId} from unnest(${fans}::bigint[]) id`.execute(db)
  await sql`update accounts set moved_to_account_id = ${to.accountId} where id = ${from.accountId}`.execute(db)
  const counts = await runAndCount(
    () => migrateRelationships(ctx, { accountId: from.accountId, targetAccountId: to.accountId }),
    () => countFollowers(to),
  )
  assert.deepEqual([counts, await countFollowers(from)], [[100, 200, 230], 0])
})
