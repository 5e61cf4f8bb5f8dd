import { mkdtemp, rm, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Home } from './home.ts'
import { makePrivateFolder } from './private-folder.ts'
import { EmbeddedRefusal } from './refusal.ts'
import { PORT } from './settings.ts'
import { isRoot } from './way.ts'

/** A socket's path has room for 103 bytes on macOS and for 107 on Linux. */
const MAX_SOCKET_PATH_BYTES = 103
const SHORT_PREFIX = 'linnet-'
const SOCKET = `.s.PGSQL.${PORT}`

/** A private folder whose path is short enough for a socket: the database's own, else a fresh temporary one. */
export async function makeSocketFolder({ run, way }: Home): Promise<string> {
  if (fits(run)) return run
  for (const parent of isRoot() ? ['/run', '/tmp'] : [tmpdir(), '/tmp']) {
    if (!fits(join(parent, `${SHORT_PREFIX}XXXXXX`))) continue
    const folder = await mkdtemp(join(parent, SHORT_PREFIX)).catch(() => null)
    if (folder === null) continue
    await makePrivateFolder({ folder, owner: way.files })
    return folder
  }
  throw new EmbeddedRefusal(
    `There is no folder for the database socket: the path ${run} is too long, and /tmp is not writable`,
  )
}

function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, SOCKET)) <= MAX_SOCKET_PATH_BYTES
}

/** Removes what a server that is gone left there. */
export async function clearSockets(folder: string): Promise<void> {
  await rm(join(folder, SOCKET), { force: true })
  await rm(join(folder, `${SOCKET}.lock`), { force: true })
}

/** The same, and the folder too if it was a temporary one. */
export async function removeSocketFolder(folder: string): Promise<void> {
  await clearSockets(folder)
  // Never recursively: the name of the folder may come from a file that is not ours alone.
  if (basename(folder).startsWith(SHORT_PREFIX)) await rmdir(folder).catch(() => undefined)
}
