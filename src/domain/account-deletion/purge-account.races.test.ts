import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { untilLockWaits } from '../../../test/features/lock-waits.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import { deleteAccount } from './delete-account.ts'
import { purgeAccount } from './purge-account.ts'

const testServer = await openTestServer({ effects: false, env: { DB_POOL: '6' } })
after(testServer.close)

async function openSession(statement: string, values: unknown[]): Promise<{ end(): Promise<void> }> {
  const client = new pg.Client(testServer.connection)
  await client.connect()
  await client.query('begin')
  await client.query(statement, values)
  return client
}

test('a quote that is posted while its account is deleted leaves the counter of the quoted post', async () => {
  const { ctx } = testServer
  const [author, deletedUser] = [await testServer.createUser(), await testServer.createUser()]
  const { accountId } = deletedUser
  await deletedUser.client.post(`/api/v1/accounts/${author.accountId}/follow`)
  const { id } = (await author.client.post('/api/v1/statuses', { status: 'Hello' })).body
  await author.client.post(`/api/v1/statuses/${id}/favourite`)

  const counters = await openSession('select from status_stats where status_id = $1 for update', [id])
  const posting = deletedUser.client.post('/api/v1/statuses', { status: 'Look', quoted_status_id: id })
  await untilLockWaits(testServer, 1)
  await ctx.write((tx) => deleteAccount(tx, { accountId }))
  // The purge has deleted the posts when it waits to end the follows.
  const follows = await openSession('select from account_stats where account_id = $1 for update', [author.accountId])
  const purging = purgeAccount(ctx, { accountId })
  await untilLockWaits(testServer, 2)
  await counters.end()
  assert.equal((await posting).status, 200)
  await follows.end()
  await purging

  const { rows } = await sql<{ counted: number; left: number }>`
    select quotes_count as counted, (select count(*)::int from statuses where account_id = ${accountId}) as left
    from status_stats where status_id = ${id}`.execute(ctx.db)
  assert.deepEqual(rows, [{ counted: 0, left: 0 }])
})
