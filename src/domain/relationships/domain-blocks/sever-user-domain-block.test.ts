import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { countReadRowsOfWrites } from '../../../../test/performance/count-read-rows.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { recordRemoteFollow } from '../follows/record-remote-follow.ts'
import { blockDomain, severUserDomainBlock } from './block-domain.ts'

const testServer = await openTestServer()
after(testServer.close)
const { ctx } = testServer

/** Creates accounts of a domain that follow the user, who is notified of each; returns their ids. */
async function createFollowers(
  accountId: string,
  { domain, count }: { domain: string; count: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with created as (
      insert into accounts (username, domain, uri, url)
      select 'fan' || n, d, 'https://' || d || '/' || n, 'https://' || d || '/@' || n
      from generate_series(1, ${count}::int) n, (values (${domain}::text)) of_domain (d) returning id
    ), stats as (
      insert into account_stats (account_id, following_count) select id, 1 from created
    ), followed as (
      insert into follows (account_id, target_account_id, uri)
      select id, ${accountId}::bigint, 'https://any.test/follows/' || id from created
    ), notified as (
      insert into notifications (account_id, from_account_id, type) select ${accountId}::bigint, id, 'follow' from created
    )
    select id from created`.execute(ctx.db)
  await sql`update account_stats set followers_count = followers_count + ${count} where account_id = ${accountId}`.execute(
    ctx.db,
  )
  return rows.map(({ id }) => id)
}

test('a domain block ends more follows than one batch, and a follow created concurrently, in short transactions', async () => {
  const { accountId, client } = await testServer.createUser()
  const [follower] = await createFollowers(accountId, { domain: 'many.test', count: 1_200 })
  await createFollowers(accountId, { domain: 'other.test', count: 3_000 })
  await createFollowers(accountId, { domain: 'late.many.test', count: 1 })
  for (const table of ['follows', 'notifications']) {
    const domain = `${table}.test`
    const { counting, rowsOfWrites } = countReadRowsOfWrites(ctx, { table })
    await counting.write((tx) => blockDomain(tx, { accountId, domain }))
    await severUserDomainBlock(counting, { accountId, domain, notificationsBefore: null })
    assert.ok(rowsOfWrites.length > 4 && Math.max(...rowsOfWrites) < 2_500, `${table}: ${rowsOfWrites.join(', ')}`)
  }
  await client.post('/api/v1/domain_blocks', { domain: 'many.test' })
  await testServer.waitForJobs()
  const remaining = async () => {
    const { rows } = await sql<{ follows: number; counter: number; notifications: number; of_others: number }>`
      select (select count(*)::int from follows where target_account_id = ${accountId}) as follows,
        (select followers_count from account_stats where account_id = ${accountId}) as counter,
        (select count(*)::int from notifications where account_id = ${accountId} and type = 'follow') as notifications,
        (select sum(following_count)::int from account_stats st join accounts a on a.id = st.account_id
          where a.domain like '%many.test') as of_others`.execute(ctx.db)
    return rows[0]!
  }
  assert.deepEqual(await remaining(), { follows: 3_000, counter: 3_000, notifications: 3_000, of_others: 0 })
  await sql`insert into follows (account_id, target_account_id) values (${follower}, ${accountId})`.execute(ctx.db)
  await severUserDomainBlock(ctx, { accountId, domain: 'many.test' })
  assert.equal((await remaining()).follows, 3_000)
  // Without the block, no follow and no notification ends.
  await client.delete('/api/v1/domain_blocks', { domain: 'many.test' })
  const uri = 'https://many.test/follows/again'
  await ctx.write((tx) => recordRemoteFollow(tx, { accountId: follower!, targetAccountId: accountId, uri }))
  await testServer.waitForJobs()
  await severUserDomainBlock(ctx, { accountId, domain: 'many.test', notificationsBefore: '9223372036854775807' })
  const { follows, notifications } = await remaining()
  assert.deepEqual([follows, notifications], [3_001, 3_001])
})
