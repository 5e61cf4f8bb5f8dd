import pg from 'pg'
import type { Connection } from '../connect.ts'
import { DATABASE, PORT, SUPERUSER } from './settings.ts'

/** The name under which a tool holds one session, so that the database's owner sees that it is not done. */
export const GUEST = 'linnet guest'

export function connectionTo(sockets: string): Required<Pick<Connection, 'host' | 'port' | 'user' | 'database'>> {
  return { host: sockets, port: PORT, user: SUPERUSER, database: DATABASE }
}

/** One session of its own, outside every pool; the caller ends it. */
export async function openSession({
  sockets,
  database = DATABASE,
  name = 'linnet start',
}: {
  sockets: string
  database?: string
  name?: string
}): Promise<pg.Client> {
  const client = new pg.Client({ ...connectionTo(sockets), database, application_name: name })
  // The server may stop first, and then there is nothing left to do.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** Makes our database in a new cluster. */
export async function ensureDatabase(sockets: string): Promise<void> {
  try {
    await (await openSession({ sockets })).end()
  } catch (err) {
    if ((err as { code?: string }).code !== NO_SUCH_DATABASE) throw err
    const client = await openSession({ sockets, database: 'postgres' })
    await client.query(`create database ${DATABASE}`)
    await client.end()
  }
}

const NO_SUCH_DATABASE = '3D000'

/** How many tools are at work here besides the owner. */
export async function countGuests(sockets: string): Promise<number> {
  const client = await openSession({ sockets })
  try {
    const { rowCount } = await client.query('select from pg_stat_activity where application_name = $1', [GUEST])
    return rowCount ?? 0
  } finally {
    await client.end()
  }
}
