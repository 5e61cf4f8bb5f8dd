import pg from 'pg'
import type { Connection } from '../connection.ts'
import { DATABASE_NAME, SOCKET_PORT, DATABASE_USER } from './write-server-config.ts'

/** The application name of the session that a command holds while it uses the database of another process. */
export const TOOL_APPLICATION_NAME = 'linnet guest'

export function connectionTo(sockets: string): Required<Pick<Connection, 'host' | 'port' | 'user' | 'database'>> {
  return { host: sockets, port: SOCKET_PORT, user: DATABASE_USER, database: DATABASE_NAME }
}

/** Opens a session outside the pools. The caller ends it. */
export async function openSession({
  sockets,
  database = DATABASE_NAME,
  name = 'linnet start',
}: {
  sockets: string
  database?: string
  name?: string
}): Promise<pg.Client> {
  const client = new pg.Client({ ...connectionTo(sockets), database, application_name: name })
  // If the server stops first, there is nothing left to do.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/**
 * Gives the empty database of a new cluster the name of Linnet's database. Creating one would write its files a second
 * time: 40 ms, or 300 ms on a slow disk.
 */
export async function nameDatabase(sockets: string): Promise<void> {
  try {
    await (await openSession({ sockets })).end()
  } catch (err) {
    if ((err as { code?: string }).code !== NO_SUCH_DATABASE) throw err
    const client = await openSession({ sockets, database: 'template1' })
    await client.query(`alter database postgres rename to ${DATABASE_NAME}`)
    await client.end()
  }
}

const NO_SUCH_DATABASE = '3D000'

/** Returns the number of sessions of commands that joined this database. */
export async function countToolSessions(sockets: string): Promise<number> {
  const client = await openSession({ sockets })
  try {
    const { rowCount } = await client.query('select from pg_stat_activity where application_name = $1', [
      TOOL_APPLICATION_NAME,
    ])
    return rowCount ?? 0
  } finally {
    await client.end()
  }
}
