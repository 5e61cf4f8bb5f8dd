import { openApp } from './app.ts'
import type { App } from './app.ts'
import { findAddress } from './domain/instance/address.ts'
import { readConfig } from './platform/config.ts'
import type { Address, Config } from './platform/config.ts'
import { createDataFolder } from './platform/create-data-folder.ts'
import { createDb, createPool } from './platform/db/connect.ts'
import { migrate } from './platform/db/migrate.ts'
import { openDatabase } from './platform/db/open.ts'
import type { OpenedDatabase, Opener } from './platform/db/open.ts'
import { chooseLogFormat, createLog } from './platform/log.ts'
import type { Log } from './platform/log.ts'

interface Opening {
  opener: Opener
  /** Gets a short line whenever something takes time. */
  onProgress(text: string): void
}

/** A database that is up and has the newest schema. */
export interface Prepared extends OpenedDatabase {
  /** The migrations that had to run. */
  ran: string[]
  /** As what the server was last started. */
  address: Address | null
  log: Log
}

/** Everything of a process that is open. */
export interface Linnet {
  app: App
  /** Ends everything in the right order. */
  close(): Promise<void>
  /** Stops the embedded database at once, under what still uses it. */
  abandon(): Promise<void>
}

/** Makes the database reachable and brings its schema up to date. */
export async function prepareDatabase(config: Config, { opener, onProgress }: Opening): Promise<Prepared> {
  const log = createLog(opener === 'tool' && config.logLevel === 'info' ? 'warn' : config.logLevel, {
    format: chooseLogFormat(config),
    colours: process.stderr.isTTY && process.stderr.hasColors(),
  })
  if (config.databaseUrl !== null) await createDataFolder(config.dataDir)
  const database = await openDatabase(config, { opener, log, onProgress })
  const pool = createPool(database.connection, {
    max: 3,
    onError: (err) => log.debug({ err }, 'database connection lost'),
  })
  try {
    const ran = await migrate(pool, { log, onStep: tellMigrations(onProgress) })
    const address = await findAddress(createDb(pool))
    await pool.end()
    return { ...database, ran, address, log }
  } catch (err) {
    await pool.end()
    await database.close()
    throw err
  }
}

/** In a new database the steps are one: nobody asks how it came to be. */
function tellMigrations(onProgress: (text: string) => void): (name: string) => void {
  let fresh = false
  return (name) => {
    if (!fresh) onProgress(name.startsWith('0001-') ? 'Creating the tables' : `Running migration ${name}`)
    fresh ||= name.startsWith('0001-')
  }
}

/**
 * Opens everything that a process works with. A tool for which no domain is set works under the server's.
 * @throws ConfigMistakes, DataFolderRefusal, DatabaseRefusal, EmbeddedRefusal, MigrationError
 */
export async function openLinnet(opening: Opening): Promise<Linnet> {
  const config = readConfig()
  const database = await prepareDatabase(config, opening)
  try {
    const served = opening.opener === 'tool' ? readConfig(process.env, database.address) : config
    const app = await openApp(served, { connection: database.connection, log: database.log })
    return {
      app,
      async close() {
        await app.close()
        await database.close()
      },
      abandon: () => database.close(),
    }
  } catch (err) {
    await database.close()
    throw err
  }
}
