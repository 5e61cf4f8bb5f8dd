// Slow: starts two PostgreSQL servers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCommand } from '../../../test/run-command.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import { query, silentLog } from '../../../test/services/database/embedded-database.ts'
import { startWithReplica } from '../../../test/services/database/streaming-replica.ts'
import { createDb, createPool } from './connection.ts'
import type { Connection } from './connection.ts'
import { migrate } from './migrate.ts'
import { openReplica } from './replica.ts'

const urlOf = ({ host, port, user, database }: Connection) =>
  `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host!)}`

test('figures come from the replica while it is recent, and from the primary otherwise', async (t) => {
  const { primary, replica } = await startWithReplica(t)
  const pool = createPool(primary.connection, { max: 2, onError: () => undefined })
  t.after(() => pool.end())
  await migrate(pool, { log: silentLog, onStep: () => undefined })
  const env = { DATABASE_URL: urlOf(primary.connection), REPLICA_DATABASE_URL: urlOf(replica.connection) }
  const database = { connection: primary.connection, drop: async () => undefined }
  const testServer = await openTestServer({ effects: false, database, env })
  t.after(testServer.close)
  const { client } = await testServer.createUser({ role: 'admin', scopes: 'admin:read' })
  const readMeasure = () =>
    client.post('/api/v1/admin/measures', { keys: ['new_users'], start_at: '2020-01-01', end_at: '2020-01-02' })
  const countQueries = async () =>
    query(replica, "select query from pg_stat_activity where application_name = 'linnet'").then((rows) => rows.length)

  const runDoctor = async () =>
    (await runCommand(['doctor'], { ...env, DATA_DIR: testServer.ctx.config.dataDir })).stdout
  assert.match(await runDoctor(), /✔ the replica at \S+ follows the primary\n/)

  const options = { primary: createDb(pool), max: 1, log: silentLog as never, checkIntervalMs: 0 }
  const opened = openReplica(replica.connection, options)
  t.after(opened.close)
  assert.equal(await opened.isRecent(), true)
  assert.equal((await readMeasure()).status, 200)
  assert.ok((await countQueries()) >= 2, 'the server has a connection to the replica, too')

  await pool.query('create table written (n int)')
  assert.equal(await opened.isRecent(), true)
  assert.deepEqual((await opened.db.query('select n from written', [])).rows, [], 'the replica has the table')
  await query(replica, 'select pg_wal_replay_pause()')
  await pool.query('insert into written values (1)')
  assert.equal(await opened.isRecent(), false, 'the replica is behind')
  await query(replica, 'select pg_wal_replay_resume()')
  assert.equal(await opened.isRecent(), true)

  const same = openReplica(primary.connection, options)
  t.after(same.close)
  assert.equal(await same.isRecent(), false, 'the primary itself is no replica')

  await replica.stop()
  assert.equal(await opened.isRecent(), false)
  assert.equal((await readMeasure()).status, 200, 'an unreachable replica is replaced by the primary')
  assert.match(await runDoctor(), /! the replica at \S+ is not used: connect .*\n +check REPLICA_DATABASE_URL; /)
})
