import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openTestServer } from '../../../../test/servers/test-server.ts'

const MINUTE_MS = 60_000

let aheadMs = 0
const testServer = await openTestServer({ env: { DB_POOL: '10' }, now: () => new Date(Date.now() + aheadMs) })
after(testServer.close)

test('BI10 an idempotency key returns the same status for one hour and is then deleted', async () => {
  const alice = await testServer.createUser()
  const post = async () =>
    (await alice.client.post('/api/v1/statuses', { status: 'once' }, { 'idempotency-key': 'k' })).body.id
  const countKeys = async () => {
    await testServer.ctx.write(async (tx) => tx.emit('clock.hourly', {}))
    await testServer.waitForJobs()
    return (await sql`select from idempotency_keys`.execute(testServer.ctx.db)).rows.length
  }
  const first = await post()
  aheadMs += 59 * MINUTE_MS
  assert.equal(await countKeys(), 1)
  assert.equal(await post(), first)
  aheadMs += 2 * MINUTE_MS
  assert.equal(await countKeys(), 0)
  assert.notEqual(await post(), first)
})
