// Slow: starts a PostgreSQL server with a TCP port.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import pg from 'pg'
import { openExternalPostgres } from '../../../test/faults/support/external-postgres.ts'
import { eventually } from '../../../test/servers/linnet-process.ts'
import { openTcpProxy } from '../../../test/services/tcp-proxy.ts'
import { createLog } from '../log/log.ts'
import { acquireWorkerLock } from './worker-lock.ts'

const postgres = await openExternalPostgres()
const { port } = new URL(postgres.url)
const admin = new pg.Client({ connectionString: postgres.url })
await admin.connect()
after(async () => {
  await admin.end()
  await postgres.close()
})
const log = createLog('silent')

/** Returns the client ports of the sessions that hold the lock of a worker. */
async function findPorts(workerId: string): Promise<number[]> {
  const { rows } = await admin.query<{ port: number }>(
    `select client_port as port from pg_stat_activity a join pg_locks l on l.pid = a.pid
     where locktype = 'advisory' and objid = hashtext($1)::bigint & 4294967295`,
    [workerId],
  )
  return rows.map((row) => row.port)
}

test('a worker whose session is lost without being closed acquires its lock again', async (t) => {
  const proxy = await openTcpProxy({ host: '127.0.0.1', port: Number(port) })
  t.after(() => proxy.close())
  const connection = { connectionString: postgres.url.replace(port, String(proxy.port)) }
  const lock = await acquireWorkerLock(connection, { workerId: 'lossy', log, maxSilenceMs: 2_000 })
  t.after(() => lock.stop())
  const [lost] = await findPorts('lossy')
  proxy.loseConnections()
  await eventually(async () => {
    const ports = await findPorts('lossy')
    assert.ok(lock.isHeld && ports.some((one) => one !== lost))
  })
})

const noSockets = process.platform === 'linux' ? false : 'needs /proc/net/tcp of Linux'

test(
  'PostgreSQL checks within seconds whether the machine of a silent worker still exists',
  { skip: noSockets },
  async (t) => {
    const lock = await acquireWorkerLock({ connectionString: postgres.url }, { workerId: 'remote', log })
    t.after(() => lock.stop())
    const [client] = await findPorts('remote')
    const hex = (number: number | string) => Number(number).toString(16).toUpperCase().padStart(4, '0')
    // A line of /proc/net/tcp: the own address, the other one, the state, the queues, and the timer (02: keepalive) with
    // its hundredths of a second.
    const socket = new RegExp(`:${hex(port)} \\w+:${hex(client!)} 01 \\w+:\\w+ 02:(\\w+) `)
    // Until the last response is acknowledged, the timer is that of its retransmission.
    await eventually(async () => {
      const [, timer] = socket.exec(readFileSync('/proc/net/tcp', 'utf8')) ?? []
      assert.ok(timer !== undefined && Number.parseInt(timer, 16) <= 500, `the timer is ${timer}`)
    })
  },
)
