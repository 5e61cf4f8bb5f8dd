import { lchown, mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** The user and group that own a file. */
export interface FileOwner {
  uid: number
  gid: number
}

/**
 * Returns the owner of a folder, or of its nearest parent that exists, if root works in a folder of another user: a
 * command that an administrator runs with sudo must not leave files that the server cannot read. Null: this process
 * creates files for its own user.
 */
export async function findFileOwner(folder: string): Promise<FileOwner | null> {
  if (process.getuid?.() !== 0) return null
  const found = await stat(folder).catch((err: NodeJS.ErrnoException) => {
    if (err.code === 'ENOENT' && dirname(folder) !== folder) return null
    throw err
  })
  if (found === null) return findFileOwner(dirname(folder))
  return found.uid === 0 ? null : { uid: found.uid, gid: found.gid }
}

/**
 * Creates a folder and its missing parents, which only their owner can enter. A link that the owner puts in place of a
 * new folder must not change who owns its target, hence `lchown`.
 */
export async function createOwnedFolder(folder: string, owner: FileOwner | null): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (first === undefined || owner === null) return
  for (let created = folder; created.length >= first.length; created = join(created, '..'))
    await lchown(created, owner.uid, owner.gid)
}
