import { openApp } from './app.ts'
import type { OpenedApp } from './app.ts'
import { checkLocalDomain, findServerAddress } from './domain/instance/server-address.ts'
import { checkSecrets } from './platform/check-secrets.ts'
import { readConfig } from './platform/config/config.ts'
import type { ServerAddress, Config } from './platform/config/config.ts'
import { createDataFolder } from './platform/data-folder/create-data-folder.ts'
import { createDb, createPool } from './platform/db/connection.ts'
import type { Queryable } from './platform/db/connection.ts'
import { migrate } from './platform/db/migrate.ts'
import { openDatabase } from './platform/db/open-database.ts'
import type { OpenedDatabase, Opener } from './platform/db/open-database.ts'
import { chooseLogFormat, createLog } from './platform/log/log.ts'
import type { Log } from './platform/log/log.ts'

interface OpenOptions {
  opener: Opener
  /** Receives a short line when something takes time. */
  onProgress(text: string): void
}

/** A running database with all migrations. */
export interface PreparedDatabase extends OpenedDatabase {
  /** The migrations that this start ran. */
  migrationsRun: string[]
  /** The address with which the server was last started. */
  address: ServerAddress | null
  log: Log
}

/** The app and the database of a process. */
export interface OpenedLinnet {
  app: OpenedApp
  /** Closes the app, then the database. */
  close(): Promise<void>
  /** Stops the embedded database immediately, although the app may still use it. */
  stopDatabaseNow(): Promise<void>
}

/** Opens the database and runs pending migrations. `check`: runs afterwards, and closes the database by throwing. */
export async function prepareDatabase(
  config: Config,
  { opener, onProgress, check }: OpenOptions & { check?: (db: Queryable) => Promise<void> },
): Promise<PreparedDatabase> {
  const log = createLog(opener === 'tool' && config.logLevel === 'info' ? 'warn' : config.logLevel, {
    format: chooseLogFormat(config),
    colours: process.stderr.isTTY && process.stderr.hasColors(),
  })
  if (config.databaseUrl !== null) await createDataFolder(config.dataDir)
  const database = await openDatabase(config, { opener, log, onProgress })
  const pool = createPool(database.connection, {
    max: 3,
    // A migration may build an index for longer than any other statement takes.
    maxSilenceMs: 0,
    onError: (err) => log.debug({ err }, 'A database connection was lost'),
  })
  try {
    const migrationsRun = await migrate(pool, {
      log,
      onStep: reportMigrations(onProgress),
      // A server logs it.
      ...(opener === 'tool' && {
        onBlocked: () => onProgress('Waiting for another process that migrates the database'),
      }),
    })
    const db = createDb(pool)
    const address = await findServerAddress(db)
    await check?.(db)
    await pool.end()
    return { ...database, migrationsRun, address, log }
  } catch (err) {
    await pool.end()
    await database.close()
    throw err
  }
}

/** Reports each migration, but for a new database only one line for all of them. */
function reportMigrations(onProgress: (text: string) => void): (name: string) => void {
  let isNewDatabase = false
  return (name) => {
    if (!isNewDatabase) onProgress(name.startsWith('0001-') ? 'Creating the tables' : `Running migration ${name}`)
    isNewDatabase ||= name.startsWith('0001-')
  }
}

/**
 * Opens the database and the app. A command without LOCAL_DOMAIN uses the domain of the server.
 * @throws ConfigError, DataFolderError, DatabaseUnavailableError, EmbeddedDatabaseError, MigrationError, SecretsFileError;
 *   ConflictError if the domain differs from that of the first start
 */
export async function openLinnet(options: OpenOptions): Promise<OpenedLinnet> {
  const config = readConfig()
  const database = await prepareDatabase(config, { ...options, check: (db) => checkSecrets(db, config) })
  try {
    const effectiveConfig = options.opener === 'tool' ? readConfig(process.env, database.address) : config
    // Otherwise, a command would create accounts and links of another domain.
    checkLocalDomain(database.address, effectiveConfig)
    const app = await openApp(effectiveConfig, { connection: database.connection, log: database.log })
    return {
      app,
      async close() {
        await app.close()
        await database.close()
      },
      stopDatabaseNow: () => database.close(),
    }
  } catch (err) {
    await database.close()
    throw err
  }
}
