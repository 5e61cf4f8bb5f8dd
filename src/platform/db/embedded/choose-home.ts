import { chmod, stat } from 'node:fs/promises'
import type { Log } from '../../log.ts'
import { openForeignHome } from './foreign-home.ts'
import { folderIn, locateHome, makeHomeFolder, tryHome } from './home.ts'
import type { Home } from './home.ts'
import { EmbeddedRefusal, OTHER_DATABASE } from './refusal.ts'
import { isRoot } from './way.ts'
import type { Way } from './way.ts'

/**
 * Finds a place and a way in which the database's user can run the binaries and reach its files: in the data folder
 * if any way allows that, else under `foreignRoot`.
 * @throws EmbeddedRefusal when nothing works, with what was tried
 */
export async function chooseHome(options: {
  dataDir: string
  native: string
  ways: Way[]
  foreignRoot: string
  log: Log
}): Promise<Home> {
  const { dataDir, native, ways } = options
  const folder = await makeHomeFolder(await locateHome(dataDir))
  const failures: string[] = []
  for (const way of ways) {
    const home = await tryHome({ folder, native, way, failures })
    if (home !== null) return home
  }
  const [way] = ways
  if (isRoot() && way) {
    const home =
      (await tryWithDoorOpen({ ...options, way, failures })) ?? (await openForeignHome({ ...options, way, failures }))
    if (home !== null) return home
  }
  throw new EmbeddedRefusal(
    `The embedded PostgreSQL can't run here (${failures.join('; ') || 'no user such as "nobody" is known'}): ` +
      `start Linnet as an ordinary user who owns ${dataDir}, ${OTHER_DATABASE}`,
  )
}

/** A data folder that only root may enter, and nothing else in the way: passing through it gets allowed, looking not. */
async function tryWithDoorOpen(options: {
  dataDir: string
  native: string
  way: Way
  failures: string[]
  log: Log
}): Promise<Home | null> {
  const { dataDir, log } = options
  const folder = await locateHome(dataDir)
  const { mode } = await stat(dataDir)
  if (folder !== folderIn(dataDir) || mode & 0o001) return null
  await chmod(dataDir, (mode & 0o777) | 0o011)
  const home = await tryHome({ ...options, folder })
  if (home === null) await chmod(dataDir, mode & 0o7777)
  else log.info({ dataDir }, `Others may now pass through ${dataDir} (not list it): the database runs as another user`)
  return home
}
