import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { countDeadlocks, untilLockWaits } from '../../../../test/features/lock-waits.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'

const testServer = await openTestServer({ effects: false, env: { DB_POOL: '6' } })
after(testServer.close)

test('staff delete a reply without a deadlock while its author replies to the same post', async () => {
  const { ctx, connection } = testServer
  const staff = await testServer.createUser({ role: 'owner', scopes: 'admin:write' })
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const post = async (user: typeof alice, more: object = {}) =>
    (await user.client.post('/api/v1/statuses', { status: 'Hello', ...more })).body.id
  const [parent, quoted] = [await post(alice), await post(alice)]
  const reply = await post(bob, { in_reply_to_id: parent })
  await bob.client.post(`/api/v1/statuses/${quoted}/favourite`)
  const before = await countDeadlocks(ctx.db)
  const holder = new pg.Client(connection)
  await holder.connect()
  try {
    // The second reply waits for the counters of the quoted post, when it has locked those of the parent.
    await holder.query('begin')
    await holder.query('select from status_stats where status_id = $1 for update', [quoted])
    const posting = post(bob, { in_reply_to_id: parent, quoted_status_id: quoted })
    await untilLockWaits(testServer, 1)
    const path = `/api/v1/admin/accounts/${bob.accountId}/statuses/action`
    const deleting = staff.client.post(path, { type: 'delete', status_ids: [reply] })
    await untilLockWaits(testServer, 2)
    await holder.query('rollback')
    assert.ok(await posting)
    assert.equal((await deleting).status, 200)
  } finally {
    await holder.end()
  }
  assert.equal(await countDeadlocks(ctx.db), before)
  assert.equal((await alice.client.get(`/api/v1/statuses/${parent}`)).body.replies_count, 1)
})
