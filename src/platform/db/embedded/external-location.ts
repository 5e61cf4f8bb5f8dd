import { createHash, randomBytes } from 'node:crypto'
import { chmod, realpath, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../../log/log.ts'
import { EmbeddedDatabaseError } from './embedded-database-error.ts'
import { copyBinaries } from './postgres-binaries.ts'
import {
  databaseFolderIn,
  findDatabaseFolder,
  createDatabaseFolder,
  grantFolderAccess,
  tryLocation,
} from './location.ts'
import type { DatabaseLocation } from './location.ts'
import { pathExists } from './private-folder.ts'
import type { LaunchMethod } from './launch-method.ts'

/**
 * Stores binaries and data in a folder under `externalRoot`, and its path in the file `elsewhere` of the data folder.
 * Returns null and adds the reason to `failures` if that does not work either.
 */
export async function openExternalLocation({
  dataDir,
  nativeFolder,
  launchMethod,
  externalRoot,
  failures,
  log,
}: {
  dataDir: string
  nativeFolder: string
  launchMethod: LaunchMethod
  externalRoot: string
  failures: string[]
  log: Log
}): Promise<DatabaseLocation | null> {
  const knownFolder = await findDatabaseFolder(dataDir)
  const isKnown = knownFolder !== databaseFolderIn(dataDir)
  // An existing cluster in the data folder must not be replaced by an empty one.
  if (!isKnown && (await pathExists(join(knownFolder, 'cluster')))) return null
  try {
    const folder = isKnown ? knownFolder : await createExternalFolder({ dataDir, externalRoot, log })
    await grantFolderAccess(launchMethod, { dataDir, folder })
    const copy = await copyBinaries({ native: nativeFolder, into: folder })
    const location = await tryLocation({ folder, nativeFolder: copy, launchMethod, failures })
    if (location !== null && !isKnown) {
      await writeFile(join(databaseFolderIn(dataDir), 'elsewhere'), `${folder}\n`)
      log.warn({ folder, dataDir }, `The database's user cannot enter ${dataDir}; the database is stored in ${folder}`)
    }
    return location
  } catch (err) {
    failures.push(`${externalRoot}: ${(err as Error).message}`)
    return null
  }
}

/**
 * Checks that the external folder that a data folder names exists. A data folder that was restored without it must not
 * get an empty database.
 * @throws EmbeddedDatabaseError with instructions
 */
export async function checkExternalFolder({ dataDir, folder }: { dataDir: string; folder: string }): Promise<void> {
  if (await pathExists(folder)) return
  throw new EmbeddedDatabaseError(
    `The database of ${dataDir} is stored in ${folder}, which does not exist: restore that folder from a backup, too, ` +
      `or delete ${join(databaseFolderIn(dataDir), 'elsewhere')} to start with an empty database`,
  )
}

async function createExternalFolder({
  dataDir,
  externalRoot,
  log,
}: {
  dataDir: string
  externalRoot: string
  log: Log
}): Promise<string> {
  const name = createHash('sha256')
    .update(await realpath(dataDir))
    .digest('hex')
  const folder = join(externalRoot, name.slice(0, 16))
  await createDatabaseFolder(externalRoot)
  // Each data folder has its own database user; all of them traverse this folder.
  await chmod(externalRoot, 0o711)
  if (await pathExists(folder)) {
    // A deleted data folder with the same path left this database. The new data folder must not open it.
    const retiredFolder = `${folder}.old-${randomBytes(4).toString('hex')}`
    await rename(folder, retiredFolder)
    log.warn({ folder: retiredFolder }, `The database of a missing data folder was moved to ${retiredFolder}`)
  }
  return createDatabaseFolder(folder)
}
