import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Connection } from '../../src/platform/db/connection.ts'
import { startEmbeddedDatabase } from '../../src/platform/db/embedded/embedded-database.ts'
import type { EmbeddedDatabase, EmbeddedOptions } from '../../src/platform/db/embedded/embedded-database.ts'
import { createLog } from '../../src/platform/log/log.ts'
import { restoreSnapshot, saveSnapshot } from '../cluster-snapshot.ts'

/**
 * The PostgreSQL of the suite: the embedded one, or the one of the environment variable `TEST_POSTGRES`. It starts
 * while the first test files load, and stops after the last one.
 */
let starting: Promise<EmbeddedDatabase> | undefined
let folder: string | undefined

/** Begins to start PostgreSQL. Test files load meanwhile, and wait in `serverConnection` until the file is written. */
export async function globalSetup(): Promise<void> {
  if (process.env.TEST_POSTGRES) return
  folder = await mkdtemp(join(tmpdir(), 'linnet-suite-'))
  const file = join(folder, 'connection.json')
  process.env.TEST_POSTGRES_FILE = file
  const publish = async (content: object) => {
    await writeFile(`${file}.new`, JSON.stringify(content))
    await rename(`${file}.new`, file)
  }
  starting = startDatabase(join(folder, 'data'))
  starting
    .then(({ connection }) => publish({ connection }))
    .catch((err: unknown) => publish({ error: `PostgreSQL for tests did not start: ${String(err)}` }))
}

/**
 * glibc asks the kernel for pages of 2 MB and keeps what was freed: sessions that live for seconds then cause half as
 * many page faults, and the database takes a fifth less processor time. Other systems ignore these variables.
 */
const KEEP_MEMORY = {
  GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1',
  MALLOC_MMAP_THRESHOLD_: '33554432',
  MALLOC_TRIM_THRESHOLD_: '268435456',
}

async function startDatabase(dataDir: string): Promise<EmbeddedDatabase> {
  const options = { dataDir, log: createLog('error'), environment: KEEP_MEMORY }
  if (!(await restoreSnapshot(dataDir))) {
    await prepareDatabase(options)
    await saveSnapshot(dataDir)
  }
  return startEmbeddedDatabase(options)
}

/** Creates the database with the suite's settings and the migrated template, and stops it. */
async function prepareDatabase(options: EmbeddedOptions): Promise<void> {
  const { connection, stop } = await startEmbeddedDatabase(options)
  // Imported only for a run without a snapshot, because the migrations load many modules.
  const { ensureTemplate } = await import('../services/database/test-database.ts')
  await changeSettings(connection)
  await ensureTemplate(connection)
  await stop()
}

/**
 * Tests need no durability across a power failure, so PostgreSQL does not wait for the disk. Databases that exist for
 * seconds need no vacuum, and their statistics must not change during a test. Several files run at a time, some with
 * several servers, and need more connections than one server.
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
  const admin = new pg.Client({ ...connection, database: 'template1' })
  await admin.connect()
  for (const [name, value] of Object.entries(SETTINGS)) await admin.query(`alter system set ${name} = ${value}`)
  await admin.end()
}

export async function globalTeardown(): Promise<void> {
  const database = await starting?.catch(() => undefined)
  await database?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
}
