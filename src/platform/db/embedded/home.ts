import { mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createDataFolder } from '../../create-data-folder.ts'
import { linkLibraries, serverEnvironment } from './binaries.ts'
import { isLinnetsAlone, letGroupPass } from '../../data-folder.ts'
import { exists, giveFolder, makePrivateFolder } from './private-folder.ts'
import { EmbeddedRefusal, reasonIn } from './refusal.ts'
import { isOwnUser, runIn } from './way.ts'
import type { User, Way } from './way.ts'

/** Where the database lives, what runs it, and as whom. */
export interface Home {
  /** The folder of all that follows. Nobody but us writes into it itself. */
  folder: string
  /** PostgreSQL's data. */
  cluster: string
  /** A private folder of the database's user. */
  run: string
  native: string
  env: Record<string, string>
  way: Way
}

/** Inside the data folder: everything of the database, or the note that says where it is. */
export function folderIn(dataDir: string): string {
  return join(dataDir, 'postgres')
}

/** The folder that holds the cluster: in the data folder, unless an earlier start had to go elsewhere. */
export async function locateHome(dataDir: string): Promise<string> {
  const note = await readFile(join(folderIn(dataDir), 'elsewhere'), 'utf8').catch(() => null)
  return note === null ? folderIn(dataDir) : note.trim()
}

/**
 * The user who keeps running an existing cluster: an ordinary user who owns the data folder too, or an own user of an
 * earlier start. Null when there is no cluster, or when its owner is root or a user shared with other programs, as
 * earlier versions chose.
 */
export async function ownerOfCluster(dataDir: string): Promise<User | null> {
  const cluster = await stat(join(await locateHome(dataDir), 'cluster')).catch(() => null)
  if (cluster === null || cluster.uid === 0) return null
  const { uid, gid } = cluster
  return isOwnUser({ uid, gid }) || (await stat(dataDir)).uid === uid ? { uid, gid } : null
}

/**
 * Makes the data folder and the database's folder in it, which is also where the owner is noted.
 * @throws DataFolderRefusal, EmbeddedRefusal
 */
export async function makeFolderIn(dataDir: string): Promise<string> {
  await createDataFolder(dataDir)
  try {
    return await makeHomeFolder(folderIn(dataDir))
  } catch (err) {
    const { message } = err as Error
    throw new EmbeddedRefusal(`The data folder cannot be created (${message}): choose another DATA_DIR`, { cause: err })
  }
}

export async function makeHomeFolder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return folder
}

/**
 * Opens the way to the database for its user, and for nobody else: that user passes by its group, unless it owns the
 * folder or needs no permission.
 */
export async function openWayFor(way: Way, { dataDir, folder }: { dataDir: string; folder: string }): Promise<void> {
  const folders = folder === folderIn(dataDir) && (await isLinnetsAlone(dataDir)) ? [dataDir, folder] : [folder]
  for (const each of folders) {
    const { uid } = await stat(each)
    await letGroupPass({ folder: each, gid: way.name === 'drop' && way.files.uid !== uid ? way.files.gid : null })
  }
}

/** Prepares a folder for one way; returns null, with the reason among the failures, where that does not work. */
export async function tryHome({
  folder,
  native,
  way,
  failures,
}: {
  folder: string
  native: string
  way: Way
  failures: string[]
}): Promise<Home | null> {
  const libraries = join(folder, 'lib')
  const env = serverEnvironment(libraries)
  const home: Home = { folder, cluster: join(folder, 'cluster'), run: join(folder, 'run'), native, env, way }
  try {
    if (libraries.includes(':')) throw new Error(`the path ${folder} contains ":"`)
    await linkLibraries({ native, into: libraries })
    await makePrivateFolder({ folder: home.run, owner: way.files })
    if (way.name !== 'self') await checkReach(home)
    if (await exists(home.cluster)) await giveFolder({ folder: home.cluster, owner: way.files })
    return home
  } catch (err) {
    failures.push(`${way.name}: ${(err as Error).message}`)
    return null
  }
}

/** Asks as the database's user, since access lists, capabilities and containers make modes and owners half the truth. */
async function checkReach({ run, native, way, env }: Home): Promise<void> {
  const [program, folder] = await Promise.all([
    runIn(way, join(native, 'bin', 'postgres'), ['--version'], env),
    runIn(way, '/bin/sh', ['-c', 'cd "$1" && test -w .', 'sh', run], env),
  ])
  if (program.code !== 0) throw new Error(`cannot run PostgreSQL, ${reasonIn(program.output)}`)
  if (folder.code !== 0) throw new Error(`cannot use the data folder, ${reasonIn(folder.output)}`)
}
