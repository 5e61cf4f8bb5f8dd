import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { join } from 'node:path'
import { eventually } from '../../../test/servers/linnet-process.ts'
import { cloneDatabase } from '../../../test/services/database/test-database.ts'
import { openTcpProxy } from '../../../test/services/tcp-proxy.ts'
import { noValkey, openValkey } from '../../../test/services/valkey.ts'
import { connectValkey } from '../connect-valkey.ts'
import { createPool } from '../db/connection.ts'
import { createLog } from '../log/log.ts'
import { createValkeyRateLimiter } from '../rate-limit/valkey-rate-limiter.ts'
import type { Bus } from './bus.ts'
import { createPostgresBus } from './postgres-bus.ts'
import { createValkeyBus } from './valkey-bus.ts'

const SILENT = createLog('silent')

/** Returns a log and the messages of its lines. */
function recordLog(): { log: ReturnType<typeof createLog>; lines: string[] } {
  const lines: string[] = []
  const write = (line: string) => void lines.push((JSON.parse(line) as { msg: string }).msg)
  return { log: createLog('info', { output: { write } }), lines }
}

/** Publishes until the other process receives a message. */
async function checkDelivery({ from, to }: { from: Bus; to: Bus }): Promise<void> {
  // Messages of earlier checks may still arrive.
  const topic = randomUUID()
  let isReceived = false
  const unsubscribe = to.subscribe(topic, () => (isReceived = true))
  await eventually(async () => {
    await from.publish(topic, {})
    assert.ok(isReceived)
  })
  unsubscribe()
}

test('a process whose connection to the bus of PostgreSQL is lost without being closed receives messages again', async (t) => {
  const database = await cloneDatabase()
  const { host, port, user, database: name } = database.connection
  const proxy = await openTcpProxy({ path: join(host!, `.s.PGSQL.${port}`) })
  const pool = createPool(database.connection, { max: 1, onError: () => {} })
  const direct = await createPostgresBus(database.connection, { pool, log: SILENT })
  const { log, lines } = recordLog()
  const connection = { host: '127.0.0.1', port: proxy.port, user: user!, database: name! }
  const bus = await createPostgresBus(connection, { pool, log, timing: { heartbeatMs: 100, maxSilenceMs: 600 } })
  t.after(async () => {
    await Promise.all([bus.close(), direct.close()])
    await pool.end()
    await proxy.close()
    await database.drop()
  })
  await checkDelivery({ from: direct, to: bus })
  assert.deepEqual(lines, [])
  proxy.loseConnections()
  await checkDelivery({ from: direct, to: bus })
  assert.deepEqual(lines, ['Message bus disconnected'])
})

test('a process that closes the bus of PostgreSQL sends its last messages', async (t) => {
  const database = await cloneDatabase()
  const open = () => createPool(database.connection, { max: 1, onError: () => {} })
  const [pool, otherPool] = [open(), open()]
  const { log, lines } = recordLog()
  const bus = await createPostgresBus(database.connection, { pool, log })
  const other = await createPostgresBus(database.connection, { pool: otherPool, log })
  t.after(async () => {
    await other.close()
    await otherPool.end()
    await database.drop()
  })
  const received: unknown[] = []
  other.subscribe('last', (message) => received.push(message))
  const busy = await pool.connect()
  void bus.publish('last', 1)
  // The first message waits for the connection, and the second one for the first.
  await otherPool.query('select')
  void bus.publish('last', 2)
  let isClosed = false
  const closed = bus.close().then(() => (isClosed = true))
  for (let n = 0; n < 100; n += 1) await otherPool.query('select')
  assert.equal(isClosed, false)
  busy.release()
  await closed
  await pool.end()
  await eventually(async () => assert.deepEqual(received, [1, 2]))
  assert.deepEqual(lines, [])
})

test('a process that closes the bus of Valkey sends its last messages', { skip: noValkey }, async (t) => {
  const { lossy, direct, lines, disconnect } = await openValkeyProcesses(t)
  const received: unknown[] = []
  direct.subscribe('last', (message) => received.push(message))
  const first = lossy.publish('last', 1)
  // The second message waits for the response to the first one.
  await Promise.resolve()
  const second = lossy.publish('last', 2)
  await lossy.close()
  disconnect()
  await Promise.all([first, second])
  await eventually(async () => assert.deepEqual(received, [1, 2]))
  assert.deepEqual(lines, [])
})

test('messages that are published directly after the connections to PostgreSQL have ended reach all processes once', async (t) => {
  const database = await cloneDatabase()
  const pool = createPool(database.connection, { max: 1, onError: () => {} })
  const { log, lines } = recordLog()
  const open = () => createPostgresBus(database.connection, { pool, log })
  const [one, other] = [await open(), await open()]
  t.after(async () => {
    await Promise.all([one.close(), other.close()])
    await pool.end()
    await database.drop()
  })
  for (let round = 0; round < 3; round += 1) {
    const received = [one, other].map((bus) => {
      const messages: string[] = []
      bus.subscribe(`round ${round}`, (message) => messages.push(String(message)))
      return messages
    })
    const { rowCount } = await pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'linnet bus' and datname = current_database()`,
    )
    assert.equal(rowCount, 2)
    await eventually(async () => assert.equal(lines.length, 2 * (round + 1)))
    await Promise.all([one.publish(`round ${round}`, 1), other.publish(`round ${round}`, 2)])
    await eventually(async () =>
      assert.deepEqual(
        received.map((messages) => messages.toSorted().join()),
        ['1,2', '1,2'],
      ),
    )
  }
})

/** Connects two processes to Valkey; the connections of `lossy` go through a proxy. */
async function openValkeyProcesses(t: TestContext, { maxWaiting }: { maxWaiting?: number } = {}) {
  const server = await openValkey()
  const proxy = await openTcpProxy({ host: '127.0.0.1', port: Number(new URL(server.url).port) })
  const { log, lines } = recordLog()
  const options = { localDomain: 'a.test' }
  const lossy = await connectValkey(`redis://127.0.0.1:${proxy.port}`, { ...options, log })
  const direct = await connectValkey(server.url, { ...options, log: SILENT })
  const buses = {
    lossy: await createValkeyBus(lossy, { log, heartbeatMs: 50, ...(maxWaiting !== undefined && { maxWaiting }) }),
    direct: await createValkeyBus(direct, { log: SILENT }),
  }
  t.after(async () => {
    await Promise.all([buses.lossy.close(), buses.direct.close()])
    lossy.close()
    direct.close()
    await proxy.close()
    await server.kill()
  })
  const limiter = createValkeyRateLimiter(lossy, { log })
  return { server, proxy, lines, limiter, disconnect: () => lossy.close(), ...buses }
}

test('the same with Valkey, where requests are counted again, too', { skip: noValkey }, async (t) => {
  const { proxy, limiter, lossy, direct, lines } = await openValkeyProcesses(t)
  const take = async () =>
    limiter.take({ name: 'test', limit: 1_000, windowSeconds: 3_600 }, 'key', new Date('2026-11-05T00:00:10Z'))
  await checkDelivery({ from: direct, to: lossy })
  assert.equal((await take()).remaining, 999)
  proxy.loseConnections()
  await assert.rejects(take)
  await checkDelivery({ from: direct, to: lossy })
  await checkDelivery({ from: lossy, to: direct })
  await eventually(async () => assert.ok((await take()).remaining > 0))
  assert.equal(lines.filter((line) => line === 'Valkey is unreachable').length, 1)
})

test('messages that are published while Valkey is down arrive once, when it is back', { skip: noValkey }, async (t) => {
  const { server, lossy, direct, lines } = await openValkeyProcesses(t)
  const received: unknown[] = []
  direct.subscribe('greeting', (message) => received.push(message))
  await server.kill()
  for (let n = 0; n < 20; n += 1) await lossy.publish('greeting', n)
  await eventually(async () => assert.ok(lines.includes('Valkey is unreachable')))
  await server.start()
  await eventually(async () => assert.ok(lines.includes('Valkey is reachable again')))
  await lossy.publish('greeting', 20)
  await eventually(async () => assert.equal(received.at(-1), 20))
  assert.deepEqual(received, [...Array(21).keys()])
  assert.deepEqual(lines, ['Valkey is unreachable', 'Valkey is reachable again'])
})

test(
  'of more messages than may wait for Valkey, the latest arrive, and one line reports it',
  { skip: noValkey },
  async (t) => {
    const { server, lossy, direct, lines } = await openValkeyProcesses(t, { maxWaiting: 3 })
    const received: unknown[] = []
    direct.subscribe('greeting', (message) => received.push(message))
    await server.kill()
    for (let n = 0; n < 20; n += 1) await lossy.publish('greeting', n)
    await server.start()
    await eventually(async () => assert.deepEqual(received, [17, 18, 19]))
    // The messages may arrive before the process that sent them gets the response of Valkey.
    await eventually(async () => {
      const ofBus = lines.filter((line) => line.startsWith('Bus'))
      assert.deepEqual(ofBus, ['Bus messages were lost', 'Bus messages are sent again'])
    })
  },
)
