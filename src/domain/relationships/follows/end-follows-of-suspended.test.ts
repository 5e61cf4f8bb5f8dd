import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createRemoteAccount } from '../../../../test/federation/remote-records.ts'
import { countQueries } from '../../../../test/performance/count-queries.ts'
import { createUsers } from '../../../../test/servers/create-users.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { endFollowsOfSuspended } from './end-follows-of-suspended.ts'

const FOLLOWED = 1_200

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { ctx } = testServer

async function countJobs(name: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from jobs where name like ${`%${name}%`}`.execute(ctx.db)
  return rows[0]!.n
}

test('the follows of many users by a suspended remote account end in a few statements, with a Reject for each', async () => {
  const accountId = await createRemoteAccount(ctx, { handle: { username: 'spammer', domain: 'spam.test' } })
  const targets = await createUsers(ctx, { prefix: 'followed', count: FOLLOWED })
  await sql`insert into follows (account_id, target_account_id, uri)
    select ${accountId}, id, 'https://spam.test/follows/' || id from unnest(${targets}::bigint[]) id`.execute(ctx.db)
  await sql`update account_stats set followers_count = 1 where account_id = any(${targets}::bigint[])`.execute(ctx.db)
  await sql`update account_stats set following_count = ${FOLLOWED} where account_id = ${accountId}`.execute(ctx.db)
  await sql`insert into notifications (account_id, from_account_id, type)
    select id, ${accountId}, 'follow' from unnest(${targets}::bigint[]) id`.execute(ctx.db)
  await endFollowsOfSuspended(ctx, { accountId })
  assert.equal(await countJobs('deliverReject'), 0, 'not suspended')
  await sql`update accounts set suspended_at = now() where id = ${accountId}`.execute(ctx.db)

  const statements = await countQueries(() => endFollowsOfSuspended(ctx, { accountId }))
  assert.ok(statements <= 30, `${statements} statements`)
  const { rows } = await sql`
    select (select count(*)::int from follows where account_id = ${accountId}) as follows,
      (select sum(followers_count + following_count)::int from account_stats
        where account_id = any(${[accountId, ...targets]}::bigint[])) as counters,
      (select count(*)::int from notifications where from_account_id = ${accountId}) as notifications,
      (select sum(followers_count)::int from relationship_severance_events) as lost`.execute(ctx.db)
  assert.deepEqual(rows, [{ follows: 0, counters: 0, notifications: 0, lost: FOLLOWED }])
  assert.equal(await countJobs('deliverReject'), FOLLOWED)
  assert.equal(await countJobs('notifySeveredRelationships'), FOLLOWED)
})
