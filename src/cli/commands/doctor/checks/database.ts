import type pg from 'pg'
import { findServerAddress } from '../../../../domain/instance/server-address.ts'
import type { ServerAddress, Config } from '../../../../platform/config/config.ts'
import { createPool } from '../../../../platform/db/connection.ts'
import { databaseFolderIn } from '../../../../platform/db/embedded/location.ts'
import { pathExists } from '../../../../platform/db/embedded/private-folder.ts'
import { listLaterMigrations, listPendingMigrations } from '../../../../platform/db/migrate.ts'
import { findConnectionProblems } from '../../../../platform/db/find-connection-problems.ts'
import { openDatabase } from '../../../../platform/db/open-database.ts'
import { statement } from '../../../../platform/db/statement.ts'
import { createLog } from '../../../../platform/log/log.ts'
import { warning, ok, errorMessageOf, problem } from './finding.ts'
import type { Finding } from './finding.ts'
import { checkPrivateKeys } from './private-keys.ts'
import { checkReplica } from './replica.ts'

/** Some code compares times of the database with times of this process. */
const MAX_CLOCK_SKEW_SECONDS = 5

const readClock = statement<{ row: { now: number } }>(`select extract(epoch from clock_timestamp())::float8 as now`)

export interface DatabaseFindings {
  findings: Finding[]
  /** The address with which the server was last started; null: it has never been started. */
  lastAddress: ServerAddress | 'unknown' | null
}

/** Checks the version, the migrations and the clock of the database. Starts the embedded one if it is not running. */
export async function checkDatabase(config: Config): Promise<DatabaseFindings> {
  if (config.databaseUrl === null && !(await pathExists(databaseFolderIn(config.dataDir)))) {
    return { findings: [warning('there is no database yet', 'the first start creates it')], lastAddress: null }
  }
  try {
    const database = await openDatabase(config, { opener: 'tool', log: createLog('silent') })
    const pool = createPool(database.connection, { max: 1, onError: () => {} })
    try {
      const { findings, lastAddress } = await checkConnection(pool, config)
      const replica = await checkReplica(pool, config)
      return { findings: [ok(`PostgreSQL ${database.version} responds`), ...findings, ...replica], lastAddress }
    } finally {
      await pool.end()
      await database.close()
    }
  } catch (err) {
    return { findings: [problem(errorMessageOf(err), 'Linnet needs the database')], lastAddress: 'unknown' }
  }
}

async function checkConnection(pool: pg.Pool, config: Config): Promise<DatabaseFindings> {
  const client = await pool.connect()
  try {
    const migrations = await checkMigrations(client)
    const isMigrated = migrations.kind !== 'error'
    const keys = isMigrated ? await checkPrivateKeys(client, config) : []
    return {
      findings: [migrations, await checkClockSkew(client), ...(await checkConnectionSettings(client, config)), ...keys],
      lastAddress: isMigrated ? await findServerAddress(client) : 'unknown',
    }
  } finally {
    // The pool cannot end while a client is in use.
    client.release()
  }
}

async function checkConnectionSettings(client: pg.ClientBase, config: Config): Promise<Finding[]> {
  const problems = await findConnectionProblems(client, { config, runsAll: true })
  return problems.map(({ text, remedy }) => warning(text, remedy))
}

async function checkMigrations(client: pg.ClientBase): Promise<Finding> {
  const waiting = await listPendingMigrations(client)
  if (waiting.length > 0)
    return problem(`pending migrations: ${waiting.join(', ')}`, 'start the server or run bin/linnet migrate')
  const later = await listLaterMigrations(client)
  if (later.length === 0) return ok('all migrations have run')
  return warning(
    `a newer version of Linnet has migrated the database: ${later.join(', ')}`,
    'install that version here, too, or restore a backup of this version',
  )
}

async function checkClockSkew(client: pg.ClientBase): Promise<Finding> {
  const before = Date.now()
  const [clock] = await readClock(client)
  const localSeconds = (before + Date.now()) / 2 / 1000
  const seconds = Math.abs((clock?.now ?? 0) - localSeconds)
  if (seconds <= MAX_CLOCK_SKEW_SECONDS) return ok('the clock of the database agrees with the system clock')
  return warning(
    `the clock of the database differs from the system clock by ${seconds.toFixed(0)} s`,
    'synchronise both clocks',
  )
}
