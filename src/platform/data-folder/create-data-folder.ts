import { access, chmod, constants, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Thrown if the data folder cannot be used. The message is one line with the folder and the reason. */
export class DataFolderError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'DataFolderError'
  }
}

const REASONS: Record<string, string> = {
  ENOTDIR: 'a part of this path is a file, not a folder',
  EEXIST: 'it is a file, not a folder',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the file system is read-only',
  ENOENT: 'nothing can be created there',
  ENAMETOOLONG: 'the path is too long',
  ELOOP: 'its symbolic links lead to themselves',
  ENOSPC: 'the disk is full',
}

/**
 * Creates the data folder and its parents if they are missing, with access only for the server's user, and checks that
 * this process can write to it.
 * @throws DataFolderError
 */
export async function createDataFolder(dataDir: string): Promise<void> {
  try {
    if (!(await isFolder(dataDir))) {
      await createWithParents(dataDir)
      await chmod(dataDir, 0o700)
    }
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (err) {
    const { code = '', message } = err as NodeJS.ErrnoException
    throw new DataFolderError(
      `The data folder ${dataDir} can't be used: ${REASONS[code] ?? message}. Set DATA_DIR to a folder that this user can write`,
      { cause: err },
    )
  }
}

/** Creates one folder at a time: Node's recursive `mkdir` never returns below folders such as /proc. */
export async function createWithParents(folder: string, { mode = 0o777 }: { mode?: number } = {}): Promise<void> {
  const parent = dirname(folder)
  if (!(await isFolder(parent))) await createWithParents(parent, { mode })
  await mkdir(folder, { mode }).catch(async (err: NodeJS.ErrnoException) => {
    // Another process may have created it at the same time.
    if (err.code !== 'EEXIST' || !(await isFolder(folder))) throw err
  })
}

/** Returns false if nothing exists at the path. @throws the system's error in other cases */
async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw err
  }
}
