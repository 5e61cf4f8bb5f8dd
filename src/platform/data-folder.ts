import { chmod, chown, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Everything that Linnet itself creates in a data folder. */
const OWN_ENTRIES = /^(postgres|media|uploads|secrets\.json.*|lost\+found)$/
/** Read and write for the group, everything for others. Whether the group may pass is decided by `letGroupPass`. */
const FOREIGN_RIGHTS = 0o067
/** A folder for everybody's files, such as /tmp. */
const STICKY = 0o1000

/**
 * Takes all rights on the data folder and on what Linnet keeps in it away from other users, also where an earlier
 * version or a careless copy granted them. A data folder that holds files of other programs keeps its own mode, because
 * they may be read there; the folders in it are closed nevertheless.
 * Returns the paths that could not be closed, because they belong to another user or lie on a read-only disk.
 */
export async function closeDataFolder(dataDir: string): Promise<string[]> {
  const open: string[] = []
  const paths = ['secrets.json', 'media', 'uploads', 'postgres'].map((name) => join(dataDir, name))
  if (await isLinnetsAlone(dataDir)) paths.push(dataDir)
  for (const path of paths) {
    const mode = await modeOf(path)
    if (mode === null || (mode & excessOf()) === 0) continue
    await chmod(path, mode & ~excessOf()).catch(() => open.push(path))
  }
  return open
}

/** Only root runs the database as another user, which passes through these folders by its group. */
function excessOf(): number {
  return process.getuid?.() === 0 ? FOREIGN_RIGHTS : 0o077
}

/**
 * Lets the members of one group pass through a folder (mode 0710), or nobody but its owner (0700). Nobody else may list
 * it.
 */
export async function letGroupPass({ folder, gid }: { folder: string; gid: number | null }): Promise<void> {
  const stats = await stat(folder)
  if (gid !== null && stats.gid !== gid) await chown(folder, stats.uid, gid)
  await chmod(folder, gid === null ? 0o700 : 0o710)
}

/** Whether no other program can depend on the rights that a data folder grants today. */
export async function isLinnetsAlone(dataDir: string): Promise<boolean> {
  const mode = await modeOf(dataDir)
  if (mode === null || (mode & STICKY) !== 0) return false
  if ((mode & FOREIGN_RIGHTS) === 0) return true
  const names = await readdir(dataDir).catch(() => [''])
  return names.every((name) => OWN_ENTRIES.test(name))
}

async function modeOf(path: string): Promise<number | null> {
  return stat(path).then(
    ({ mode }) => mode & 0o7777,
    () => null,
  )
}
