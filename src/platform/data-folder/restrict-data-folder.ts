import { chmod, chown, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** The entries that Linnet creates in a data folder. */
const OWN_ENTRIES = /^(postgres|media|uploads|secrets\.json.*|lost\+found)$/
/** Read and write for the group, everything for others. `grantGroupTraversal` sets whether the group may traverse. */
const OTHER_USERS_BITS = 0o067
/** The mode bit of folders for the files of all users, such as /tmp. */
const STICKY_BIT = 0o1000

/**
 * Removes the permissions of other users on the data folder and on Linnet's entries in it, which an earlier version or
 * a careless copy may have granted. A data folder with files of other programs keeps its mode, because other users may
 * need to read them; Linnet's entries in it are restricted nevertheless.
 * Returns the paths that could not be restricted, because they belong to another user or are on a read-only disk.
 */
export async function restrictDataFolder(dataDir: string): Promise<string[]> {
  const failedPaths: string[] = []
  const paths = ['secrets.json', 'media', 'uploads', 'postgres'].map((name) => join(dataDir, name))
  if (await containsOnlyLinnetFiles(dataDir)) paths.push(dataDir)
  for (const path of paths) {
    const mode = await readMode(path)
    if (mode === null || (mode & excessModeBits()) === 0) continue
    await chmod(path, mode & ~excessModeBits()).catch(() => failedPaths.push(path))
  }
  return failedPaths
}

/** The group keeps `x` only under root, which runs the database as another user that traverses the folders by group. */
function excessModeBits(): number {
  return process.getuid?.() === 0 ? OTHER_USERS_BITS : 0o077
}

/**
 * Lets the members of one group traverse a folder (mode 0710), or only its owner (null: mode 0700). Only the owner can
 * list it.
 */
export async function grantGroupTraversal({ folder, gid }: { folder: string; gid: number | null }): Promise<void> {
  const stats = await stat(folder)
  if (gid !== null && stats.gid !== gid) await chown(folder, stats.uid, gid)
  await chmod(folder, gid === null ? 0o700 : 0o710)
}

/** Returns whether no other program can depend on the present permissions of a data folder. */
export async function containsOnlyLinnetFiles(dataDir: string): Promise<boolean> {
  const mode = await readMode(dataDir)
  if (mode === null || (mode & STICKY_BIT) !== 0) return false
  if ((mode & OTHER_USERS_BITS) === 0) return true
  const names = await readdir(dataDir).catch(() => [''])
  return names.every((name) => OWN_ENTRIES.test(name))
}

async function readMode(path: string): Promise<number | null> {
  return stat(path).then(
    ({ mode }) => mode & 0o7777,
    () => null,
  )
}
