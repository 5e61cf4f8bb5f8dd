// Slow: starts servers.
import assert from 'node:assert/strict'
import { access, chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { eventually, findPort, startLinnet, urlOf } from '../../test/servers/linnet-process.ts'
import { cloneDatabase } from '../../test/services/database/test-database.ts'
import { readConfig } from '../platform/config/config.ts'
import { createDb, createPool } from '../platform/db/connection.ts'
import { findSettingWarnings } from './find-setting-warnings.ts'

const database = await cloneDatabase()
const pool = createPool(database.connection, { max: 1, onError: () => {} })

after(async () => {
  await pool.end()
  await database.drop()
})

const ALL = { runsJobs: true, servesPages: true }
const WEB = { runsJobs: false, servesPages: true }
const WORKER = { runsJobs: true, servesPages: false }
const STREAMING = { runsJobs: false, servesPages: false }

/** Returns the warnings of a server with these settings. */
function warningsWith(env: Record<string, string>, role = ALL): Promise<string[]> {
  return findSettingWarnings({ config: readConfig(env), db: createDb(pool) }, role)
}

const directory = await mkdtemp(join(tmpdir(), 'linnet-warnings-'))
const serverEnv = {
  DATA_DIR: join(directory, 'data'),
  DATABASE_URL: urlOf(database.connection),
  PORT: await findPort(),
}
after(() => rm(directory, { recursive: true }))

const noFfmpeg = { FFMPEG_BINARY: '/nowhere/ffmpeg' }

test('a server with the defaults has no warnings', async () => {
  assert.deepEqual(await warningsWith({}), [])
})

test('a server warns if its jobs can use all database connections', async () => {
  const env = { DB_POOL: '8', WORKER_CONCURRENCY: '8' }
  assert.deepEqual(await warningsWith(env), [
    'WORKER_CONCURRENCY (8) is not less than DB_POOL (8), so requests wait while jobs use all database connections; increase DB_POOL or decrease WORKER_CONCURRENCY',
  ])
  assert.deepEqual(await warningsWith(env, WEB), [])
  assert.deepEqual(await warningsWith(env, WORKER), [])
})

test('a server warns if it needs more connections than PostgreSQL permits to its user or for its database', async () => {
  const { rows } = await pool.query<{ name: string }>('select current_database() as name')
  await pool.query(`alter database ${rows[0]!.name} connection limit 11`)
  assert.match(
    (await warningsWith({ DATABASE_URL: 'postgresql://localhost/linnet' })).join(),
    /^a process needs up to 12 database connections \(DB_POOL and 6\), and PostgreSQL permits 11; decrease DB_POOL, or increase max_connections and/,
  )
  await pool.query(`alter database ${rows[0]!.name} connection limit 12`)
  assert.deepEqual(await warningsWith({}), [])
})

test('web and worker processes warn without ffmpeg', async () => {
  const text =
    'users can upload only images: /nowhere/ffmpeg or ffprobe is missing or has no encoder for x264, AAC or MP3'
  assert.deepEqual(await warningsWith(noFfmpeg), [text])
  assert.deepEqual(await warningsWith(noFfmpeg, WORKER), [text])
  assert.deepEqual(await warningsWith(noFfmpeg, STREAMING), [])
})

test('a server without passwords and providers warns that nobody can log in', async () => {
  assert.match((await warningsWith({ OMNIAUTH_ONLY: 'true' })).join(), /^Nobody can log in: OMNIAUTH_ONLY is true/)
})

test('a server logs its warnings when it is ready', async () => {
  const env = { ...serverEnv, ...noFfmpeg }
  const server = startLinnet(['serve', '--only', 'web'], env, {
    within: ['sh', '-c', 'ulimit -n 500; exec "$0" "$@" 2>&1'],
  })
  await server.waitForOutput(/\(web\) is ready/)
  await server.waitForOutput(/this process may open only 500 files, so it closes new connections/)
  await server.waitForOutput(/users can upload only images: \/nowhere\/ffmpeg/)
  server.kill('SIGTERM')
  assert.equal((await server.ended).code, 0)
})

test('a server that stops does not warn about a program that its stop has interrupted', async () => {
  const path = (name: string) => join(directory, name)
  const program = `#!/bin/sh
: > ${path('started')}
while [ ! -e ${path('may-end')} ]; do sleep 0.05; done
: > ${path('ended')}
exit 1
`
  await writeFile(path('ffmpeg'), program)
  await chmod(path('ffmpeg'), 0o755)
  const { PORT: port } = serverEnv
  const server = startLinnet(['serve', '--only', 'web'], { ...serverEnv, FFMPEG_BINARY: path('ffmpeg') })
  await server.waitForOutput(/\(web\) is ready/)
  await eventually(() => access(path('started')))
  // An incomplete request delays the end of the server.
  const socket = connect(Number(port), '127.0.0.1')
  socket.write('POST /oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n')
  assert.equal((await fetch(`http://127.0.0.1:${port}/livez`)).status, 200)
  server.kill('SIGINT')
  await server.waitForOutput(/Stopping\n/)
  await writeFile(path('may-end'), '')
  await eventually(() => access(path('ended')))
  socket.end('wren=')
  const { code, stderr } = await server.ended
  assert.equal(code, 0)
  assert.doesNotMatch(stderr, /users can upload only images/)
})
