import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { captureQueries, countQueries } from '../../../test/performance/count-queries.ts'
import { openSocket, until } from '../../../test/streaming/streams.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'

const CONNECTIONS = 150

const testServer = await openTestServer({ effects: false })
const { db } = testServer.ctx
after(testServer.close)
const address = await testServer.listen()

const isTokenLookup = (text: string) => text.includes('invalidations_since')

async function countConnections(): Promise<number> {
  return new Promise((resolve, reject) =>
    testServer.server.server.getConnections((err, count) => (err ? reject(err) : resolve(count))),
  )
}

/** Locks a table while `work` runs. */
async function whileLocked(table: string, work: () => Promise<unknown>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(tx)
    await work()
  })
}

test('F25 concurrent connections are looked up with a few statements, and other requests are not delayed', async () => {
  const users = await Promise.all(Array.from({ length: 10 }, async () => testServer.createUser()))
  const tokens = Array.from({ length: CONNECTIONS }, (_, n) => users[n % users.length]!.token)
  const open = async () => Promise.all(tokens.map(async (token) => openSocket(address, { token, stream: 'user' })))
  let opening: ReturnType<typeof open> | undefined
  const texts = await captureQueries(async () => {
    await whileLocked('access_tokens', async () => {
      opening = open()
      await until(async () => (await countConnections()) >= CONNECTIONS, 'all connections')
      assert.equal((await testServer.anonymous.get('/api/v2/instance')).status, 200)
      const { rows } = await sql`
        select from pg_locks where not granted and relation = 'access_tokens'::regclass
          and database = (select oid from pg_database where datname = current_database())`.execute(db)
      assert.equal(rows.length, 1)
    })
    await opening
  })
  // The checks for invalidations are not blocked by the lock, so there can be one for each connection.
  const [checks, others] = [texts.filter(isTokenLookup), texts.filter((text) => !isTokenLookup(text))]
  assert.ok(checks.length <= CONNECTIONS + 1, `${checks.length} checks`)
  // The rest updates the last use of tokens and users, in batches.
  assert.ok(others.length < 40, `${others.length} statements`)
  for (const { ws } of await opening!) ws.terminate()
})

test('F25 the lists of concurrent connections are looked up in batches, too', async () => {
  const owner = await testServer.createUser()
  const { body: list } = await owner.client.post('/api/v1/lists', { title: 'L' })
  const sockets = await Promise.all(Array.from({ length: 20 }, async () => openSocket(address, { token: owner.token })))
  const cost = await countQueries(async () => {
    await whileLocked('lists', async () => {
      await Promise.all(
        sockets.map(async ({ send, subscribe }) => {
          send({ type: 'subscribe', stream: 'list', list: list.id })
          // Commands run in order: the error for this list shows that the other subscription is active.
          send({ type: 'subscribe', stream: 'list', list: '404' })
          await subscribe()
        }),
      )
    })
    await until(() => sockets.every(({ errors }) => errors.length > 0), 'an error on every socket')
  })
  assert.ok(cost < 10, `${cost} statements`)
  for (const { ws } of sockets) ws.terminate()
})
