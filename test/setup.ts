import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Connection } from '../src/platform/db/connect.ts'
import { startEmbedded } from '../src/platform/db/embedded.ts'
import type { EmbeddedDatabase, EmbeddedOptions } from '../src/platform/db/embedded.ts'
import { createLog } from '../src/platform/log.ts'
import { restoreSnapshot, saveSnapshot } from './cluster-snapshot.ts'

/**
 * The suite's PostgreSQL: the embedded one, as an administrator gets it, or the one of `TEST_POSTGRES` in the environment.
 * It starts before the first test file and stops after the last.
 */
let database: EmbeddedDatabase | undefined
let folder: string | undefined

export async function globalSetup(): Promise<void> {
  if (process.env.TEST_POSTGRES) return
  folder = await mkdtemp(join(await chooseParentFolder(), 'linnet-suite-'))
  const options = { dataDir: join(folder, 'data'), log: createLog('error') }
  if (!(await restoreSnapshot(options.dataDir))) {
    await prepareDatabase(options)
    await saveSnapshot(options.dataDir)
  }
  database = await startEmbedded(options)
  process.env.TEST_POSTGRES = JSON.stringify(database.connection)
}

/** Creates the database with the suite's settings and the migrated template, and stops it. */
async function prepareDatabase(options: EmbeddedOptions): Promise<void> {
  const { connection, stop } = await startEmbedded(options)
  // Only a run without a snapshot needs all that migrations load.
  const { ensureTemplate } = await import('./postgres.ts')
  await changeSettings(connection)
  await ensureTemplate(connection)
  await stop()
}

/** What the suite needs at most, with room to spare. */
const NEEDED_BYTES = 4 * 2 ** 30

/**
 * A database is nearly a thousand files, and each test file has its own for a second: where files are memory, making and
 * removing them costs a tenth of what it costs on a disk.
 */
async function chooseParentFolder(): Promise<string> {
  const memory = await statfs('/dev/shm').catch(() => null)
  return memory && memory.bavail * memory.bsize > NEEDED_BYTES ? '/dev/shm' : tmpdir()
}

/**
 * No test outlives a power cut, so PostgreSQL waits for no disk. Databases that live for seconds need no vacuum, and
 * their statistics do not change while a test runs. Several files at a time, some with several servers, take more
 * connections than one server.
 */
const SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  autovacuum: 'off',
  max_connections: '300',
}

async function changeSettings(connection: Connection): Promise<void> {
  const { default: pg } = await import('pg')
  const admin = new pg.Client({ ...connection, database: 'postgres' })
  await admin.connect()
  for (const [name, value] of Object.entries(SETTINGS)) await admin.query(`alter system set ${name} = ${value}`)
  await admin.end()
}

export async function globalTeardown(): Promise<void> {
  await database?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
}
