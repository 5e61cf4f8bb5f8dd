import { chmod, lchown, lstat, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isRoot } from './way.ts'
import type { User } from './way.ts'

/** Makes a folder that only its owner may enter. */
export async function makePrivateFolder({ folder, owner }: { folder: string; owner: User }): Promise<void> {
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o700)
  await giveFolder({ folder, owner })
}

/** Gives a folder and all in it to a user, unless it is that user's. Only root can. */
export async function giveFolder({ folder, owner }: { folder: string; owner: User }): Promise<void> {
  const { uid, gid } = await lstat(folder)
  if (!isRoot() || (uid === owner.uid && gid === owner.gid)) return
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries) await lchown(join(entry.parentPath, entry.name), owner.uid, owner.gid)
  // Last, so that an interrupted change is taken up again.
  await lchown(folder, owner.uid, owner.gid)
}

export async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}
