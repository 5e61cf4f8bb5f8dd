import pg from 'pg'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import type { Connection } from './connect.ts'
import type { EmbeddedDatabase } from './embedded.ts'

/** The database that the environment names can't be used. The message is one line, without the password. */
export class DatabaseRefusal extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'DatabaseRefusal'
  }
}

export interface OpenedDatabase {
  connection: Connection
  /** What it says of itself, such as `18.4`. */
  version: string
  /** Stops the embedded one if this process started it. Close your pools first. */
  close(): Promise<void>
}

/**
 * Who opens: `server` owns the embedded database alone · `part` (one role of several processes) joins the running one
 * or owns it · `tool` joins it, or starts it until it is done.
 */
export type Opener = 'server' | 'part' | 'tool'

/** The oldest PostgreSQL that has all that the statements use. */
const OLDEST = 15

/**
 * Makes the database reachable: starts the embedded one where none is named.
 * @throws DatabaseRefusal, EmbeddedRefusal
 */
export async function openDatabase(
  config: Config,
  { opener, log, onProgress }: { opener: Opener; log: Log; onProgress?: (text: string) => void },
): Promise<OpenedDatabase> {
  if (config.databaseUrl !== null) {
    const connection = { connectionString: config.databaseUrl }
    return { connection, version: await greet(connection), close: async () => {} }
  }
  const embedded = await openInFolder(config, { opener, log, onProgress })
  try {
    return { connection: embedded.connection, version: await greet(embedded.connection), close: () => embedded.stop() }
  } catch (err) {
    await embedded.stop()
    throw err
  }
}

async function openInFolder(
  { dataDir }: Config,
  { opener, log, onProgress }: { opener: Opener; log: Log; onProgress: ((text: string) => void) | undefined },
): Promise<EmbeddedDatabase> {
  // With a database of one's own, the launcher is never loaded.
  const { connectToRunningEmbedded, openEmbedded, startEmbedded } = await import('./embedded.ts')
  const options = { dataDir, log, ...(onProgress && { onProgress }) }
  if (opener === 'tool') return openEmbedded(options)
  const running = opener === 'part' ? await connectToRunningEmbedded(options) : null
  return running ?? startEmbedded(options)
}

/** Asks the database for its version, and refuses one that is too old. */
async function greet(connection: Connection): Promise<string> {
  const client = new pg.Client({ ...connection, application_name: 'linnet start', connectionTimeoutMillis: 10_000 })
  // It may go away while it is asked; the query tells that itself.
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ server_version: string }>('show server_version')
    const version = rows[0]?.server_version.split(' ')[0] ?? ''
    if (Number.parseInt(version, 10) >= OLDEST) return version
    throw new DatabaseRefusal(
      `The database at ${placeOf(connection)} is PostgreSQL ${version}; Linnet needs ${OLDEST} or newer`,
    )
  } catch (err) {
    if (err instanceof DatabaseRefusal) throw err
    throw new DatabaseRefusal(`The database at ${placeOf(connection)} can't be used: ${reasonOf(err)}`, { cause: err })
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Where a database is, fit to be shown: never the password. */
export function placeOf({ connectionString, host, port, database }: Connection): string {
  if (connectionString === undefined) return `${host}:${port}/${database}`
  const url = URL.parse(connectionString)
  if (url === null) return 'the address of DATABASE_URL'
  return `${url.searchParams.get('host') ?? url.host}${url.pathname}`
}

function reasonOf(err: unknown): string {
  const { code, message } = err as { code?: string; message?: string }
  // An attempt at several addresses fails with a list of errors and no text of its own.
  return message || code || String(err)
}
