import { mkdtemp, rm, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { DatabaseLocation } from './location.ts'
import { createPrivateFolder } from './private-folder.ts'
import { EmbeddedDatabaseError } from './embedded-database-error.ts'
import { SOCKET_PORT } from './write-server-config.ts'
import { isRoot } from './launch-method.ts'

/** The path of a Unix socket is limited to 103 bytes on macOS and to 107 on Linux. */
const MAX_SOCKET_PATH_BYTES = 103
const SHORT_PREFIX = 'linnet-'
const SOCKET = `.s.PGSQL.${SOCKET_PORT}`

/**
 * Returns a private folder whose path is short enough for a socket: the run folder of the database, else a new
 * temporary folder.
 */
export async function createSocketFolder({ runFolder, launchMethod }: DatabaseLocation): Promise<string> {
  if (fitsSocketPath(runFolder)) return runFolder
  for (const parent of isRoot() ? ['/run', '/tmp'] : [tmpdir(), '/tmp']) {
    if (!fitsSocketPath(join(parent, `${SHORT_PREFIX}XXXXXX`))) continue
    const folder = await mkdtemp(join(parent, SHORT_PREFIX)).catch(() => null)
    if (folder === null) continue
    await createPrivateFolder({ folder, owner: launchMethod.fileOwner })
    return folder
  }
  throw new EmbeddedDatabaseError(
    `There is no folder for the database socket: the path ${runFolder} is too long, and /tmp is not writable`,
  )
}

function fitsSocketPath(folder: string): boolean {
  return Buffer.byteLength(join(folder, SOCKET)) <= MAX_SOCKET_PATH_BYTES
}

/** Removes the socket files of a server that has exited. */
export async function clearSockets(folder: string): Promise<void> {
  await rm(join(folder, SOCKET), { force: true })
  await rm(join(folder, `${SOCKET}.lock`), { force: true })
}

/** Removes the socket files, and the folder if it is a temporary one. */
export async function removeSocketFolder(folder: string): Promise<void> {
  await clearSockets(folder)
  // Not recursively, because the path may come from a file that other users can write.
  if (basename(folder).startsWith(SHORT_PREFIX)) await rmdir(folder).catch(() => undefined)
}
