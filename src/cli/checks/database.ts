import type pg from 'pg'
import { findAddress } from '../../domain/instance/address.ts'
import type { Address, Config } from '../../platform/config.ts'
import { createDb, createPool } from '../../platform/db/connect.ts'
import { folderIn } from '../../platform/db/embedded/home.ts'
import { exists } from '../../platform/db/embedded/private-folder.ts'
import { listWaitingMigrations } from '../../platform/db/migrate.ts'
import { openDatabase } from '../../platform/db/open.ts'
import { statement } from '../../platform/db/statement.ts'
import { createLog } from '../../platform/log.ts'
import { care, fine, reasonOf, trouble } from './finding.ts'
import type { Finding } from './finding.ts'

/** Times of the database and of this process are compared in places. */
const MOST_SKEW_SECONDS = 5

const readClock = statement<{ row: { now: number } }>(`select extract(epoch from clock_timestamp())::float8 as now`)

export interface DatabaseFindings {
  findings: Finding[]
  /** As what the server was last started; null when that can't be known. */
  served: Address | null
}

/** Whether the database answers, is new enough, and has the newest tables. Starts the embedded one while it looks. */
export async function checkDatabase(config: Config): Promise<DatabaseFindings> {
  if (config.databaseUrl === null && !(await exists(folderIn(config.dataDir)))) {
    return { findings: [care('there is no database yet', 'the first start creates it')], served: null }
  }
  try {
    const database = await openDatabase(config, { opener: 'tool', log: createLog('silent') })
    const pool = createPool(database.connection, { max: 1, onError: () => {} })
    try {
      const { findings, served } = await question(pool)
      return { findings: [fine(`PostgreSQL ${database.version} responds`), ...findings], served }
    } finally {
      await pool.end()
      await database.close()
    }
  } catch (err) {
    return { findings: [trouble(reasonOf(err), 'Linnet needs the database')], served: null }
  }
}

async function question(pool: pg.Pool): Promise<DatabaseFindings> {
  const findings = await inspect(pool)
  const known = findings.every(({ kind }) => kind !== 'trouble')
  return { findings, served: known ? await findAddress(createDb(pool)) : null }
}

async function inspect(pool: pg.Pool): Promise<Finding[]> {
  const client = await pool.connect()
  try {
    return [await checkTables(client), await checkSkew(client)]
  } finally {
    // The pool can't end while a client is in use.
    client.release()
  }
}

async function checkTables(client: pg.ClientBase): Promise<Finding> {
  const waiting = await listWaitingMigrations(client)
  if (waiting.length === 0) return fine('all migrations have run')
  return trouble(`pending migrations: ${waiting.join(', ')}`, 'start the server or run bin/linnet migrate')
}

async function checkSkew(client: pg.ClientBase): Promise<Finding> {
  const before = Date.now()
  const [clock] = await readClock(client)
  const here = (before + Date.now()) / 2 / 1000
  const seconds = Math.abs((clock?.now ?? 0) - here)
  if (seconds <= MOST_SKEW_SECONDS) return fine('the clock of the database agrees with the system clock')
  return care(
    `the clock of the database differs from the system clock by ${seconds.toFixed(0)} s`,
    'synchronise both clocks',
  )
}
