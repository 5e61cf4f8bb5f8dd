import type { Log } from '../../log.ts'
import { openForeignHome } from './foreign-home.ts'
import { locateHome, makeHomeFolder, openWayFor, tryHome } from './home.ts'
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
    if (isRoot()) await openWayFor(way, { dataDir, folder })
    const home = await tryHome({ folder, native, way, failures })
    if (home !== null) return home
  }
  const [way] = ways
  if (isRoot() && way) {
    const home = await openForeignHome({ ...options, way, failures })
    if (home !== null) return home
  }
  throw new EmbeddedRefusal(
    `The embedded PostgreSQL cannot run here (${failures.join('; ') || 'there is no user such as "nobody"'}): ` +
      `start Linnet as an ordinary user who owns ${dataDir}, ${OTHER_DATABASE}`,
  )
}
