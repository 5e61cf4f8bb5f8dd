import type { Log } from '../../log/log.ts'
import { openExternalLocation } from './external-location.ts'
import { findDatabaseFolder, createDatabaseFolder, grantFolderAccess, tryLocation } from './location.ts'
import type { DatabaseLocation } from './location.ts'
import { EmbeddedDatabaseError, EXTERNAL_DATABASE_HINT } from './embedded-database-error.ts'
import { isRoot } from './launch-method.ts'
import type { LaunchMethod } from './launch-method.ts'

/**
 * Finds a location and a launch method with which the database's user can run the binaries and access its files: in
 * the data folder if a launch method permits that, else under `externalRoot`.
 * @throws EmbeddedDatabaseError with the failed attempts if nothing works
 */
export async function chooseLocation(options: {
  dataDir: string
  nativeFolder: string
  launchMethods: LaunchMethod[]
  externalRoot: string
  log: Log
}): Promise<DatabaseLocation> {
  const { dataDir, nativeFolder, launchMethods } = options
  const folder = await createDatabaseFolder(await findDatabaseFolder(dataDir))
  const failures: string[] = []
  for (const launchMethod of launchMethods) {
    if (isRoot()) await grantFolderAccess(launchMethod, { dataDir, folder })
    const location = await tryLocation({ folder, nativeFolder, launchMethod, failures })
    if (location !== null) return location
  }
  const [launchMethod] = launchMethods
  if (isRoot() && launchMethod) {
    const location = await openExternalLocation({ ...options, launchMethod, failures })
    if (location !== null) return location
  }
  throw new EmbeddedDatabaseError(
    `The embedded PostgreSQL cannot run here (${failures.join('; ') || 'there is no user such as "nobody"'}): ` +
      `start Linnet as an ordinary user who owns ${dataDir}, ${EXTERNAL_DATABASE_HINT}`,
  )
}
