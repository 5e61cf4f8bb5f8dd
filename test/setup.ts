import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { Connection } from '../src/platform/db/connect.ts'
import { startEmbedded } from '../src/platform/db/embedded.ts'
import type { EmbeddedDatabase } from '../src/platform/db/embedded.ts'
import { createLog } from '../src/platform/log.ts'

/**
 * What all test files share: the suite's own PostgreSQL, the embedded one as people get it (a `TEST_POSTGRES` of the
 * environment is used instead), and what Node compiled. There before the first of them, and gone after the last.
 */
let database: EmbeddedDatabase | undefined
let folder: string | undefined

export async function globalSetup(): Promise<void> {
  folder = await mkdtemp(join(await chooseGround(), 'linnet-suite-'))
  // Every lane is a process, and so is every program that tests start: compiled once, the server is there in half the time.
  process.env.NODE_COMPILE_CACHE = join(folder, 'compiled')
  if (process.env.TEST_POSTGRES) return
  const place = { dataDir: join(folder, 'data'), log: createLog('error') }
  const first = await startEmbedded(place)
  await adjust(first.connection)
  await first.stop()
  database = await startEmbedded(place)
  process.env.TEST_POSTGRES = JSON.stringify(database.connection)
}

/** What the suite needs at most, with room to spare. */
const NEEDED_BYTES = 4 * 2 ** 30

/**
 * A database is nearly a thousand files, and each test file has its own for a second: where files are memory, making and
 * removing them costs a tenth of what it costs on a disk.
 */
async function chooseGround(): Promise<string> {
  const memory = await statfs('/dev/shm').catch(() => null)
  return memory && memory.bavail * memory.bsize > NEEDED_BYTES ? '/dev/shm' : tmpdir()
}

/**
 * No test outlives a power cut, so nothing of theirs has to: to wait for the disk is most of what a new database costs.
 * And several test files at a time, some with several servers, take more connections than one server.
 */
const SETTINGS = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', max_connections: '300' }

async function adjust(connection: Connection): Promise<void> {
  const admin = new pg.Client({ ...connection, database: 'postgres' })
  await admin.connect()
  for (const [name, value] of Object.entries(SETTINGS)) await admin.query(`alter system set ${name} = ${value}`)
  await admin.end()
}

export async function globalTeardown(): Promise<void> {
  await database?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
}
