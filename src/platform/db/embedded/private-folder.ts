import { chmod, lchown, lstat, mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isRoot } from './launch-method.ts'
import type { SystemUser } from './launch-method.ts'

/** Creates a folder that only its owner can enter. */
export async function createPrivateFolder({ folder, owner }: { folder: string; owner: SystemUser }): Promise<void> {
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o700)
  await changeFolderOwner({ folder, owner })
}

/** Changes the owner of a folder and its contents if it is another one. Does nothing if this user is not root. */
export async function changeFolderOwner({ folder, owner }: { folder: string; owner: SystemUser }): Promise<void> {
  const { uid, gid } = await lstat(folder)
  if (!isRoot() || (uid === owner.uid && gid === owner.gid)) return
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries) await lchown(join(entry.parentPath, entry.name), owner.uid, owner.gid)
  // The folder comes last, so that an interrupted change is repeated.
  await lchown(folder, owner.uid, owner.gid)
}

/** The permissions with which PostgreSQL refuses to open a cluster. */
const REFUSED_BITS = 0o027

/** Removes permissions of other users on a cluster, which a copy of the data folder may have granted. */
export async function restrictCluster(cluster: string): Promise<void> {
  const { mode } = await stat(cluster)
  if ((mode & REFUSED_BITS) !== 0) await chmod(cluster, 0o700)
}

export async function pathExists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}
