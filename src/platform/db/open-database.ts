import pg from 'pg'
import type { Config } from '../config/config.ts'
import type { Log } from '../log/log.ts'
import type { Connection } from './connection.ts'
import type { EmbeddedDatabase } from './embedded/embedded-database.ts'

/** Thrown if the configured database cannot be used. The message is one line, without the password. */
export class DatabaseUnavailableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'DatabaseUnavailableError'
  }
}

export interface OpenedDatabase {
  connection: Connection
  /** The version of PostgreSQL, for example `18.4`. */
  version: string
  /** Stops the embedded database if this process started it. Close all pools first. */
  close(): Promise<void>
}

/**
 * What opens the database: `server` requires the lock of the embedded database · `role` (a process with one of the
 * server's roles) joins the running one or starts it · `tool` (a command) joins it or starts it until `close`.
 */
export type Opener = 'server' | 'role' | 'tool'

/** The oldest PostgreSQL with all features that the statements use. */
const OLDEST_SUPPORTED_MAJOR = 15

/**
 * Returns a connection to the database. Starts the embedded one if DATABASE_URL is not set.
 * @throws DatabaseUnavailableError, EmbeddedDatabaseError
 */
export async function openDatabase(
  config: Config,
  { opener, log, onProgress }: { opener: Opener; log: Log; onProgress?: (text: string) => void },
): Promise<OpenedDatabase> {
  if (config.databaseUrl !== null) {
    const connection = { connectionString: config.databaseUrl }
    return { connection, version: await checkServer(connection), close: async () => {} }
  }
  const embedded = await openEmbeddedInDataFolder(config, { opener, log, onProgress })
  try {
    return {
      connection: embedded.connection,
      version: await checkServer(embedded.connection),
      close: () => embedded.stop(),
    }
  } catch (err) {
    await embedded.stop()
    throw err
  }
}

async function openEmbeddedInDataFolder(
  { dataDir }: Config,
  { opener, log, onProgress }: { opener: Opener; log: Log; onProgress: ((text: string) => void) | undefined },
): Promise<EmbeddedDatabase> {
  // Loaded only here, because an external database does not need it.
  const { joinRunningEmbeddedDatabase, openEmbeddedDatabase, startEmbeddedDatabase } =
    await import('./embedded/embedded-database.ts')
  const options = { dataDir, log, ...(onProgress && { onProgress }) }
  if (opener === 'tool') return openEmbeddedDatabase(options)
  const running = opener === 'role' ? await joinRunningEmbeddedDatabase(options) : null
  return running ?? startEmbeddedDatabase(options)
}

/**
 * Returns the version of the database.
 * @throws DatabaseUnavailableError if it is unreachable, read-only or too old, has another encoding than UTF-8, or if the user
 *   may not create tables
 */
async function checkServer(connection: Connection): Promise<string> {
  const client = new pg.Client({ ...connection, application_name: 'linnet start', connectionTimeoutMillis: 10_000 })
  // If the connection breaks, the query throws.
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<ServerFacts>(READ_FACTS)
    const problem = findProblem(rows[0]!)
    if (problem === null) return rows[0]!.version
    throw new DatabaseUnavailableError(`The database at ${describeConnection(connection)} ${problem}`)
  } catch (err) {
    if (err instanceof DatabaseUnavailableError) throw err
    throw new DatabaseUnavailableError(
      `The database at ${describeConnection(connection)} can't be used: ${errorText(err)}`,
      { cause: err },
    )
  } finally {
    await client.end().catch(() => undefined)
  }
}

interface ServerFacts {
  version: string
  encoding: string
  user: string
  mayCreate: boolean
  isReadOnly: boolean
}

const READ_FACTS = `select split_part(current_setting('server_version'), ' ', 1) as version,
  current_setting('server_encoding') as encoding, current_user as "user",
  coalesce(has_schema_privilege(current_schema(), 'create'), false) as "mayCreate",
  current_setting('transaction_read_only') = 'on' as "isReadOnly"`

/** Returns why Linnet cannot use a database, as the end of a sentence about it; null if it can. */
function findProblem({ version, encoding, user, mayCreate, isReadOnly }: ServerFacts): string | null {
  if (!(Number.parseInt(version, 10) >= OLDEST_SUPPORTED_MAJOR))
    return `is PostgreSQL ${version}; Linnet needs ${OLDEST_SUPPORTED_MAJOR} or newer`
  if (encoding !== 'UTF8') return `has the encoding ${encoding}; Linnet needs one with the encoding UTF8`
  if (!mayCreate) return `does not let the user ${user} create tables; make this user its owner`
  if (isReadOnly) return 'is read-only, as a standby is; Linnet needs the primary'
  return null
}

/** Returns the location of a database for messages, without the password. */
export function describeConnection({ connectionString, host, port, database }: Connection): string {
  if (connectionString === undefined) return `${host}:${port}/${database}`
  const url = URL.parse(connectionString)
  if (url === null) return 'the address of DATABASE_URL'
  return `${url.searchParams.get('host') ?? url.host}${url.pathname}`
}

function errorText(err: unknown): string {
  const { code, message } = err as { code?: string; message?: string }
  // A failed connection to several addresses is an AggregateError without a message.
  return message || code || String(err)
}
