import { randomBytes } from 'node:crypto'
import { open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { POSTGRES_MAJOR } from './postgres-binaries.ts'
import type { DatabaseLocation } from './location.ts'
import { pathExists, changeFolderOwner, createPrivateFolder } from './private-folder.ts'
import { EmbeddedDatabaseError, EXTERNAL_DATABASE_HINT, extractReason } from './embedded-database-error.ts'
import { DATABASE_USER } from './write-server-config.ts'
import { runWith, launchMethodForInitdb } from './launch-method.ts'

/**
 * Checks that the embedded PostgreSQL can open the cluster.
 * @throws EmbeddedDatabaseError with instructions
 */
export async function checkClusterVersion({ cluster }: { cluster: string }): Promise<void> {
  if (!(await pathExists(cluster))) return
  const version = await readFile(join(cluster, 'PG_VERSION'), 'utf8').then(
    (text) => text.trim(),
    () => null,
  )
  if (version === POSTGRES_MAJOR) return
  if (version === null) {
    throw new EmbeddedDatabaseError(
      `${cluster} contains no valid database (no PG_VERSION): restore a backup into an empty data folder, ` +
        `choose another DATA_DIR, ${EXTERNAL_DATABASE_HINT}`,
    )
  }
  throw new EmbeddedDatabaseError(
    `The database in ${cluster} was created by PostgreSQL ${version}, and this version of Linnet includes ` +
      `${POSTGRES_MAJOR}: use the version of Linnet that created it, ` +
      `or set DATABASE_URL to a PostgreSQL ${version} that serves it`,
  )
}

/** Creates the cluster if there is none. An interruption leaves no incomplete cluster: it is renamed when finished. */
export async function createCluster(location: DatabaseLocation, onProgress: (text: string) => void): Promise<void> {
  const { cluster, nativeFolder, env } = location
  if (await pathExists(cluster)) return
  onProgress('Creating the database (first start only)')
  await removeUnfinishedClusters(location)
  // A unique name, because the initdb of a killed process may still write to an earlier folder.
  const unfinishedCluster = `${cluster}.${randomBytes(4).toString('hex')}`
  const launchMethod = launchMethodForInitdb(location.launchMethod)
  await createPrivateFolder({ folder: unfinishedCluster, owner: launchMethod.fileOwner })
  const { code, output } = await runWith(
    launchMethod,
    join(nativeFolder, 'bin', 'initdb'),
    initdbArguments(unfinishedCluster),
    env,
  )
  if (code !== 0) {
    throw new EmbeddedDatabaseError(explainInitdbFailure(output, location))
  }
  await changeFolderOwner({ folder: unfinishedCluster, owner: location.launchMethod.fileOwner })
  await rename(unfinishedCluster, cluster)
  const folder = await open(location.folder)
  await folder.sync()
  await folder.close()
}

/** Returns the message about a failed initdb. A container can run as a user id without a name, which initdb refuses. */
export function explainInitdbFailure(output: string, { folder }: { folder: string }): string {
  const [, userId] = /could not look up effective user ID (\d+)/.exec(output) ?? []
  if (userId !== undefined) {
    return (
      `The database cannot be created, because the user id ${userId} has no name on this system: ` +
      `add it to /etc/passwd, ${EXTERNAL_DATABASE_HINT}`
    )
  }
  return (
    `The database cannot be created in ${folder} (initdb: ${extractReason(output)}): ` +
    `choose another DATA_DIR, ${EXTERNAL_DATABASE_HINT}`
  )
}

async function removeUnfinishedClusters({ folder, cluster }: DatabaseLocation): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${basename(cluster)}.`)) continue
    await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined)
  }
}

function initdbArguments(folder: string): string[] {
  return [
    `--pgdata=${folder}`,
    `--username=${DATABASE_USER}`,
    '--auth=trust',
    '--encoding=UTF8',
    // PostgreSQL's built-in Unicode rules, which are equal on all systems.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
    '--no-instructions',
  ]
}
