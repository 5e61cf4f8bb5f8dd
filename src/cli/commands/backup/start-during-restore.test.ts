// Slow: starts a server.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { openCommandLine } from '../../../../test/command-line.ts'
import { eventually, findPort, runLinnet, startLinnet, urlOf } from '../../../../test/servers/linnet-process.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { createEmptyDatabase } from '../../../../test/services/database/test-database.ts'
import type { V1Instance } from '../../../entities/instance/instance.ts'
import { createPool } from '../../../platform/db/connection.ts'
import { migrate } from '../../../platform/db/migrate.ts'
import { createLog } from '../../../platform/log/log.ts'

const testServer = await openTestServer()
after(testServer.close)
const root = await mkdtemp(join(tmpdir(), 'linnet-restore-'))
after(() => rm(root, { recursive: true, force: true }))
await testServer.createUser()
const backup = join(root, 'backup')
await (await openCommandLine(testServer)).run('backup', backup)

test('a server that starts during a restore waits for its end', async (t) => {
  const database = await createEmptyDatabase()
  t.after(() => database.drop())
  const pool = createPool(database.connection, { max: 1, onError: () => {} })
  await migrate(pool, { log: createLog('silent') })
  await pool.end()
  const [observer, reader] = [new pg.Client(database.connection), new pg.Client(database.connection)]
  await observer.connect()
  const waitForSession = (condition: string) =>
    eventually(async () => {
      const { rows } = await observer.query(
        `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and ${condition}`,
      )
      assert.equal(rows.length, 1)
    })
  await reader.connect()
  // Only that of the reader: the session of the migrations ends after them.
  await waitForSession('true')
  await reader.query('begin; lock table accounts in access share mode')
  const env = { DATABASE_URL: urlOf(database.connection), DATA_DIR: join(root, 'data'), LOCAL_DOMAIN: 'linnet.test' }
  const restored = runLinnet(['restore', backup], env)
  await waitForSession(`application_name = 'linnet restore' and wait_event_type = 'Lock'`)
  const port = await findPort()
  const server = startLinnet(['serve'], { ...env, PORT: port })
  t.after(async () => {
    server.kill('SIGTERM')
    await server.ended
  })
  await waitForSession(`application_name = 'linnet' and query like '%pg_try_advisory_lock%'`)
  await reader.query('rollback')
  await Promise.all([observer.end(), reader.end()])
  assert.equal((await restored).code, 0)
  await server.waitForOutput(/is ready after/)
  const { stats } = (await (await fetch(`http://localhost:${port}/api/v1/instance`)).json()) as V1Instance
  assert.equal(stats.user_count, (await testServer.anonymous.get('/api/v1/instance')).body.stats.user_count)
})
