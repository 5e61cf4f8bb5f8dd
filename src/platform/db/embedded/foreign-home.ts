import { createHash, randomBytes } from 'node:crypto'
import { chmod, realpath, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../../log.ts'
import { copyBinaries } from './binaries.ts'
import { folderIn, locateHome, makeHomeFolder, openWayFor, tryHome } from './home.ts'
import type { Home } from './home.ts'
import { exists } from './private-folder.ts'
import type { Way } from './way.ts'

/**
 * Keeps binaries and data in a folder of our own under `foreignRoot`, and a note about it in the data folder.
 * Returns null, with the reason among the failures, when that does not work either.
 */
export async function openForeignHome({
  dataDir,
  native,
  way,
  foreignRoot,
  failures,
  log,
}: {
  dataDir: string
  native: string
  way: Way
  foreignRoot: string
  failures: string[]
  log: Log
}): Promise<Home | null> {
  const located = await locateHome(dataDir)
  const known = located !== folderIn(dataDir)
  // A cluster in the data folder must not be left behind for an empty one.
  if (!known && (await exists(join(located, 'cluster')))) return null
  try {
    const folder = known ? located : await makeForeignFolder({ dataDir, foreignRoot, log })
    await openWayFor(way, { dataDir, folder })
    const copy = await copyBinaries({ native, into: folder })
    const home = await tryHome({ folder, native: copy, way, failures })
    if (home !== null && !known) {
      await writeFile(join(folderIn(dataDir), 'elsewhere'), `${folder}\n`)
      log.warn({ folder, dataDir }, `The database's user cannot enter ${dataDir}; the database is stored in ${folder}`)
    }
    return home
  } catch (err) {
    failures.push(`${foreignRoot}: ${(err as Error).message}`)
    return null
  }
}

async function makeForeignFolder({
  dataDir,
  foreignRoot,
  log,
}: {
  dataDir: string
  foreignRoot: string
  log: Log
}): Promise<string> {
  const name = createHash('sha256')
    .update(await realpath(dataDir))
    .digest('hex')
  const folder = join(foreignRoot, name.slice(0, 16))
  await makeHomeFolder(foreignRoot)
  // Every data folder has a database user of its own; each of them passes through here.
  await chmod(foreignRoot, 0o711)
  if (await exists(folder)) {
    // Left by a data folder of this name that was deleted since: a new one must not wake it up.
    const aside = `${folder}.old-${randomBytes(4).toString('hex')}`
    await rename(folder, aside)
    log.warn({ folder: aside }, `The database of a missing data folder was moved to ${aside}`)
  }
  return makeHomeFolder(folder)
}
