import { mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createDataFolder } from '../../data-folder/create-data-folder.ts'
import { linkLibraries, serverEnvironment } from './postgres-binaries.ts'
import { containsOnlyLinnetFiles, grantGroupTraversal } from '../../data-folder/restrict-data-folder.ts'
import { pathExists, changeFolderOwner, createPrivateFolder, restrictCluster } from './private-folder.ts'
import { EmbeddedDatabaseError, extractReason } from './embedded-database-error.ts'
import { isDedicatedUser, runWith } from './launch-method.ts'
import type { SystemUser, LaunchMethod } from './launch-method.ts'

/** Where the database is stored, and with which binaries and as which user it runs. */
export interface DatabaseLocation {
  /** The folder that contains the following. Only this process writes directly into it. */
  folder: string
  /** PostgreSQL's data. */
  cluster: string
  /** A private folder of the database's user. */
  runFolder: string
  nativeFolder: string
  env: Record<string, string>
  launchMethod: LaunchMethod
}

/** Returns the folder within the data folder that contains the database or the file `elsewhere` with its path. */
export function databaseFolderIn(dataDir: string): string {
  return join(dataDir, 'postgres')
}

/** Returns the folder of the cluster: in the data folder, unless an earlier start had to use an external folder. */
export async function findDatabaseFolder(dataDir: string): Promise<string> {
  const recordedPath = await readFile(join(databaseFolderIn(dataDir), 'elsewhere'), 'utf8').catch(() => null)
  return recordedPath === null ? databaseFolderIn(dataDir) : recordedPath.trim()
}

/**
 * Returns the user that continues to run an existing cluster: an ordinary user who also owns the data folder, or the
 * dedicated user of an earlier start. Null if there is no cluster, or if it belongs to root or to a user that other
 * programs share, which earlier versions chose.
 */
export async function findClusterOwner(dataDir: string): Promise<SystemUser | null> {
  const cluster = await stat(join(await findDatabaseFolder(dataDir), 'cluster')).catch(() => null)
  if (cluster === null || cluster.uid === 0) return null
  const { uid, gid } = cluster
  return isDedicatedUser({ uid, gid }) || (await stat(dataDir)).uid === uid ? { uid, gid } : null
}

/**
 * Creates the data folder and the database folder in it, which also contains the lock.
 * @throws DataFolderError, EmbeddedDatabaseError
 */
export async function createDatabaseFolderIn(dataDir: string): Promise<string> {
  await createDataFolder(dataDir)
  try {
    return await createDatabaseFolder(databaseFolderIn(dataDir))
  } catch (err) {
    const { message } = err as Error
    throw new EmbeddedDatabaseError(`The data folder cannot be created (${message}): choose another DATA_DIR`, {
      cause: err,
    })
  }
}

export async function createDatabaseFolder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return folder
}

/**
 * Grants only the database's user access to the database folder: the user traverses the folders by its group, unless it
 * owns them or needs no permission.
 */
export async function grantFolderAccess(
  launchMethod: LaunchMethod,
  { dataDir, folder }: { dataDir: string; folder: string },
): Promise<void> {
  const folders =
    folder === databaseFolderIn(dataDir) && (await containsOnlyLinnetFiles(dataDir)) ? [dataDir, folder] : [folder]
  for (const folderPath of folders) {
    const { uid } = await stat(folderPath)
    await grantGroupTraversal({
      folder: folderPath,
      gid: launchMethod.name === 'drop' && launchMethod.fileOwner.uid !== uid ? launchMethod.fileOwner.gid : null,
    })
  }
}

/** Prepares a folder for a launch method. Returns null and adds the reason to `failures` if that does not work. */
export async function tryLocation({
  folder,
  nativeFolder,
  launchMethod,
  failures,
}: {
  folder: string
  nativeFolder: string
  launchMethod: LaunchMethod
  failures: string[]
}): Promise<DatabaseLocation | null> {
  const libraries = join(folder, 'lib')
  const env = serverEnvironment(libraries)
  const location: DatabaseLocation = {
    folder,
    cluster: join(folder, 'cluster'),
    runFolder: join(folder, 'run'),
    nativeFolder,
    env,
    launchMethod,
  }
  try {
    if (libraries.includes(':')) throw new Error(`the path ${folder} contains ":"`)
    await linkLibraries({ native: nativeFolder, into: libraries })
    await createPrivateFolder({ folder: location.runFolder, owner: launchMethod.fileOwner })
    if (launchMethod.name !== 'self') await checkAccess(location)
    if (await pathExists(location.cluster)) {
      await changeFolderOwner({ folder: location.cluster, owner: launchMethod.fileOwner })
      await restrictCluster(location.cluster)
    }
    return location
  } catch (err) {
    failures.push(`${launchMethod.name}: ${(err as Error).message}`)
    return null
  }
}

/** Checks the access as the database's user, because modes and owners do not show ACLs, capabilities and containers. */
async function checkAccess({ runFolder, nativeFolder, launchMethod, env }: DatabaseLocation): Promise<void> {
  const [program, folder] = await Promise.all([
    runWith(launchMethod, join(nativeFolder, 'bin', 'postgres'), ['--version'], env),
    runWith(launchMethod, '/bin/sh', ['-c', 'cd "$1" && test -w .', 'sh', runFolder], env),
  ])
  if (program.code !== 0) throw new Error(`cannot run PostgreSQL, ${extractReason(program.output)}`)
  if (folder.code !== 0) throw new Error(`cannot use the data folder, ${extractReason(folder.output)}`)
}
