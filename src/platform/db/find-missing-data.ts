import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { Config } from '../config/config.ts'
import { DataFolderError } from '../data-folder/create-data-folder.ts'
import { findDatabaseFolder } from './embedded/location.ts'
import { pathExists } from './embedded/private-folder.ts'
import { describeConnection } from './open-database.ts'
import { statement } from './statement.ts'

const findSchema = statement<{ row: { exists: boolean } }>(`select to_regclass('migrations') is not null as exists`)

/**
 * Returns the location where a server would store its data if it has none yet, or null if there is data. Creates
 * nothing. An unreachable database counts as one with data: the command that opens it reports the reason.
 * @throws DataFolderError if this user may not look into the data folder of an embedded database
 */
export async function findMissingData({ dataDir, databaseUrl }: Config): Promise<string | null> {
  if (!(await pathExists(dataDir))) return dataDir
  if (databaseUrl === null) {
    await checkReadable(dataDir)
    return (await pathExists(join(await findDatabaseFolder(dataDir), 'cluster'))) ? null : dataDir
  }
  const connection = { connectionString: databaseUrl }
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 10_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const [schema] = await findSchema(client)
    return schema?.exists === false ? describeConnection(connection) : null
  } catch {
    return null
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function checkReadable(dataDir: string): Promise<void> {
  try {
    await access(dataDir, constants.R_OK | constants.X_OK)
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== 'EACCES') throw err
    throw new DataFolderError(
      `This user may not read the data folder ${dataDir}: run the command as the user of the server`,
      { cause: err },
    )
  }
}
