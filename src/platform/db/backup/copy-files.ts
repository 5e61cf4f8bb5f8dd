import { createReadStream, createWriteStream } from 'node:fs'
import { lchown, readdir, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createOwnedFolder, findFileOwner } from '../../data-folder/owned-files.ts'
import type { FileOwner } from '../../data-folder/owned-files.ts'
import { BackupError } from './backup-error.ts'
import { createHashStream } from './hash-stream.ts'
import type { BackupFile } from './manifest.ts'

/** The folder of the remote media cache, whose files can be fetched again. */
const CACHE_FOLDER = 'cache'

/** The most symbolic links in a path. Otherwise, a link to its own folder would have no end. */
const MAX_LINKS = 8

/**
 * Returns the paths of the media files without those of the cache, relative to the data folder. Like the server, it
 * follows symbolic links, for example to folders on other disks. @throws BackupError if they have no end
 */
export async function listMediaFiles(dataDir: string): Promise<string[]> {
  const root = join(dataDir, 'media')
  const paths = await listFiles(root, { except: join(root, CACHE_FOLDER), links: 0 })
  return paths.map((path) => relative(dataDir, path)).toSorted()
}

/** `links`: how many symbolic links lead to the folder. */
async function listFiles(folder: string, { except, links }: { except: string; links: number }): Promise<string[]> {
  if (links > MAX_LINKS) throw new BackupError(`A symbolic link leads back to its own folder: ${folder}`)
  const entries = await readdir(folder, { withFileTypes: true }).catch(ignoreMissing)
  const paths: string[] = []
  for (const entry of entries ?? []) {
    const path = join(folder, entry.name)
    const isLink = entry.isSymbolicLink()
    const target = isLink ? await stat(path).catch(ignoreMissing) : entry
    if (target?.isFile()) paths.push(path)
    else if (target?.isDirectory() && path !== except)
      paths.push(...(await listFiles(path, { except, links: links + Number(isLink) })))
  }
  return paths
}

function ignoreMissing(err: NodeJS.ErrnoException): null {
  if (err.code === 'ENOENT' || err.code === 'ELOOP') return null
  throw err
}

/**
 * Copies a file to the same path below another folder. `owner`: that of the copy, if it is not this process. Returns null
 * if the file was deleted meanwhile.
 */
export async function copyFile(
  path: string,
  { from, to, owner = null }: { from: string; to: string; owner?: FileOwner | null },
): Promise<BackupFile | null> {
  const target = join(to, path)
  await createOwnedFolder(dirname(target), owner)
  const { stream, result } = createHashStream()
  try {
    await pipeline(createReadStream(join(from, path)), stream, createWriteStream(target, { mode: 0o600 }))
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw err
  }
  if (owner) await lchown(target, owner.uid, owner.gid)
  return { path, ...result() }
}

/** Copies a file of a backup to the data folder. @throws BackupError if it is missing or differs from the manifest */
export async function restoreFile(file: BackupFile, { from, to }: { from: string; to: string }): Promise<void> {
  checkPath(file.path)
  checkEqual(file, await copyFile(file.path, { from, to, owner: await findFileOwner(to) }))
}

/** @throws BackupError unless the file that was read is the one of the manifest */
export function checkEqual(expected: BackupFile, found: Pick<BackupFile, 'bytes' | 'sha256'> | null): void {
  if (found === null) throw new BackupError(`The backup is incomplete: ${expected.path} is missing`)
  if (found.bytes !== expected.bytes || found.sha256 !== expected.sha256)
    throw new BackupError(`The backup is damaged: ${expected.path} has changed since it was written`)
}

/** A manifest must not name files outside of the two folders. */
function checkPath(path: string): void {
  if (!/^(secrets\.json|media\/.+)$/.test(path) || path.split('/').includes('..'))
    throw new BackupError(`The backup is damaged: ${path} is not a file of Linnet`)
}
