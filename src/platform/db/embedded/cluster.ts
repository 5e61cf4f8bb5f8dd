import { randomBytes } from 'node:crypto'
import { open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { POSTGRES_MAJOR } from './binaries.ts'
import type { Home } from './home.ts'
import { exists, giveFolder, makePrivateFolder } from './private-folder.ts'
import { EmbeddedRefusal, OTHER_DATABASE, reasonIn } from './refusal.ts'
import { SUPERUSER } from './settings.ts'
import { runIn, wayForInitdb } from './way.ts'

/**
 * Refuses a cluster that this PostgreSQL can't open.
 * @throws EmbeddedRefusal with the way out
 */
export async function checkVersion({ cluster }: { cluster: string }): Promise<void> {
  if (!(await exists(cluster))) return
  const version = await readFile(join(cluster, 'PG_VERSION'), 'utf8').then(
    (text) => text.trim(),
    () => null,
  )
  if (version === POSTGRES_MAJOR) return
  if (version === null) {
    throw new EmbeddedRefusal(
      `${cluster} contains no valid database (no PG_VERSION): restore a backup into an empty data folder, ` +
        `choose another DATA_DIR, ${OTHER_DATABASE}`,
    )
  }
  throw new EmbeddedRefusal(
    `The database in ${cluster} was created by PostgreSQL ${version}, and this version of Linnet includes ` +
      `${POSTGRES_MAJOR}: use the version of Linnet that created it, ` +
      `or set DATABASE_URL to a PostgreSQL ${version} that serves it`,
  )
}

/** Makes the cluster if there is none. It appears whole or not at all, however this is interrupted. */
export async function makeCluster(home: Home, onProgress: (text: string) => void): Promise<void> {
  const { cluster, native, env } = home
  if (await exists(cluster)) return
  onProgress('Creating the database (first start only)')
  await removeDrafts(home)
  // A name of its own, for the initdb of a process that was killed may still be writing into an earlier one.
  const draft = `${cluster}.${randomBytes(4).toString('hex')}`
  const way = wayForInitdb(home.way)
  await makePrivateFolder({ folder: draft, owner: way.files })
  const { code, output } = await runIn(way, join(native, 'bin', 'initdb'), initdbArguments(draft), env)
  if (code !== 0) {
    throw new EmbeddedRefusal(
      `The database cannot be created in ${home.folder} (initdb: ${reasonIn(output)}): choose another DATA_DIR, ${OTHER_DATABASE}`,
    )
  }
  await giveFolder({ folder: draft, owner: home.way.files })
  await rename(draft, cluster)
  const folder = await open(home.folder)
  await folder.sync()
  await folder.close()
}

async function removeDrafts({ folder, cluster }: Home): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${basename(cluster)}.`)) continue
    await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined)
  }
}

function initdbArguments(folder: string): string[] {
  return [
    `--pgdata=${folder}`,
    `--username=${SUPERUSER}`,
    '--auth=trust',
    '--encoding=UTF8',
    // Unicode's own rules, the same on every system, whatever locales it has.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
    '--no-instructions',
  ]
}
