import { join } from 'node:path'
import pg from 'pg'
import type { Config } from '../config.ts'
import { locateHome } from './embedded/home.ts'
import { exists } from './embedded/private-folder.ts'
import { placeOf } from './open.ts'
import { statement } from './statement.ts'

const findSchema = statement<{ row: { exists: boolean } }>(`select to_regclass('migrations') is not null as exists`)

/**
 * Returns where a server would keep its data but has none yet, or null when there is some. Creates nothing. A database
 * that does not answer counts as one with data: the command that opens it reports the reason.
 */
export async function findMissingData({ dataDir, databaseUrl }: Config): Promise<string | null> {
  if (!(await exists(dataDir))) return dataDir
  if (databaseUrl === null) return (await exists(join(await locateHome(dataDir), 'cluster'))) ? null : dataDir
  const connection = { connectionString: databaseUrl }
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 10_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const [schema] = await findSchema(client)
    return schema?.exists === false ? placeOf(connection) : null
  } catch {
    return null
  } finally {
    await client.end().catch(() => undefined)
  }
}
