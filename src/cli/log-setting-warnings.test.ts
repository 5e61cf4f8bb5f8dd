import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { cloneDatabase } from '../../test/services/database/test-database.ts'
import { readConfig } from '../platform/config/config.ts'
import { createDb, createPool } from '../platform/db/connection.ts'
import { createLog } from '../platform/log/log.ts'
import { logSettingWarnings } from './log-setting-warnings.ts'

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
async function warningsWith(env: Record<string, string>, role = ALL): Promise<string[]> {
  const lines: string[] = []
  const write = (line: string) => void lines.push((JSON.parse(line) as { msg: string }).msg)
  const log = createLog('info', { output: { write } })
  await logSettingWarnings({ config: readConfig(env), db: createDb(pool), log }, role)
  return lines
}

const noFfmpeg = { FFMPEG_BINARY: '/nowhere/ffmpeg' }

test('a server with the defaults logs no warnings', async () => {
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
