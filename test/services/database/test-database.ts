import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { createPool } from '../../../src/platform/db/connection.ts'
import type { Connection } from '../../../src/platform/db/connection.ts'
import { migrate } from '../../../src/platform/db/migrate.ts'
import { createLog } from '../../../src/platform/log/log.ts'

const MIGRATIONS = new URL('../../../migrations/', import.meta.url)
const TEMPLATE_LOCK = 4_711_900

/**
 * Returns the connection to the PostgreSQL of the test run (`test/runner/setup.ts`), once it accepts connections. It
 * starts while the test files load. A test file never starts its own.
 * @throws Error with the reason if it could not start
 */
export async function serverConnection(): Promise<Connection> {
  const { TEST_POSTGRES, TEST_POSTGRES_FILE } = process.env
  if (TEST_POSTGRES) return JSON.parse(TEST_POSTGRES) as Connection
  if (!TEST_POSTGRES_FILE) throw new Error('No PostgreSQL for tests: run them by `npm test` (or `bin/test FILE…`)')
  for (;;) {
    const text = await readFile(TEST_POSTGRES_FILE, 'utf8').catch(() => '')
    if (text !== '') {
      const { connection, error } = JSON.parse(text) as { connection?: Connection; error?: string }
      if (!connection) throw new Error(error)
      return connection
    }
    await wait(10)
  }
}

/** The connections that create and drop databases. Test files in one process share them. */
let adminPool: pg.Pool | undefined

/** Runs a statement on the server's database `template1`. The connection does not keep the process running. */
async function runAsAdmin(text: string): Promise<void> {
  const server = await serverConnection()
  if (!adminPool) {
    adminPool = new pg.Pool({ ...server, database: 'template1', idleTimeoutMillis: 0, allowExitOnIdle: true })
    // The server may stop before this process.
    adminPool.on('error', () => undefined)
  }
  await adminPool.query(text)
}

/**
 * Returns the name of the migrated template for the current migrations, and creates it if the server has none yet (only
 * the first file that needs it on a server of `TEST_POSTGRES`; `test/runner/setup.ts` creates it on the suite's own).
 */
export async function ensureTemplate(server: Connection): Promise<string> {
  const name = templateName()
  const admin = new pg.Client({ ...server, database: 'template1' })
  await admin.connect()
  try {
    await admin.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK])
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) {
      const draft = `${name}_draft`
      await admin.query(`drop database if exists ${draft}`)
      await admin.query(`create database ${draft} template template0`)
      const pool = createPool({ ...server, database: draft }, { max: 3, onError: () => {} })
      await migrate(pool, { log: createLog('warn') })
      await pool.end()
      await admin.query(`alter database ${draft} rename to ${name}`)
    }
    return name
  } finally {
    await admin.end()
  }
}

/** Returns the name of the template, with the hash of the migrations. */
function templateName(): string {
  const hash = createHash('sha1')
  for (const file of readdirSync(MIGRATIONS).toSorted()) hash.update(readFileSync(new URL(file, MIGRATIONS)))
  return `template_${hash.digest('hex').slice(0, 16)}`
}

/** Creates a database without tables, as an administrator does for a new server. */
export async function createEmptyDatabase(): Promise<{
  connection: Connection
  countTables(): Promise<number>
  drop(): Promise<void>
}> {
  const name = chooseName()
  await runAsAdmin(`create database ${name} template template0`)
  const connection = { ...(await serverConnection()), database: name }
  return {
    connection,
    async countTables() {
      const client = new pg.Client(connection)
      await client.connect()
      const { rowCount } = await client.query(`select from pg_tables where schemaname !~ '^(pg_|information_schema)'`)
      await client.end()
      return rowCount ?? 0
    },
    drop: () => runAsAdmin(`drop database if exists ${name} with (force)`),
  }
}

function chooseName(): string {
  const random = createHash('sha1').update(`${performance.now()}${Math.random()}`).digest('hex')
  return `test_${process.pid}_${random.slice(0, 10)}`
}

/** The name of the template, which each process determines once. */
let template: Promise<string> | undefined

/** A database for a test. */
export interface ClonedDatabase {
  connection: Connection
  drop(): Promise<void>
}

/** Clones a database from the migrated template. */
export async function cloneDatabase(): Promise<ClonedDatabase> {
  const name = chooseName()
  template ??= serverConnection().then(ensureTemplate)
  const source = await template
  await runAsAdmin(`create database ${name} template ${source} strategy file_copy`)
  return {
    connection: { ...(await serverConnection()), database: name },
    drop: () => runAsAdmin(`drop database if exists ${name} with (force)`),
  }
}
