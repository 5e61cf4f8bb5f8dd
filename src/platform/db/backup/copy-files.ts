import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { BackupError } from './backup-error.ts'
import { createHashStream } from './hash-stream.ts'
import type { BackupFile } from './manifest.ts'

/** The folder of the remote media cache, whose files can be fetched again. */
const CACHE_FOLDER = 'cache'

/** Returns the paths of the media files without those of the cache, relative to the data folder. */
export async function listMediaFiles(dataDir: string): Promise<string[]> {
  const root = join(dataDir, 'media')
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch((err: NodeJS.ErrnoException) => {
    if (err.code === 'ENOENT') return []
    throw err
  })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !relative(root, path).startsWith(`${CACHE_FOLDER}/`))
    .map((path) => relative(dataDir, path))
    .toSorted()
}

/** Copies a file to the same path below another folder. Returns null if it was deleted meanwhile. */
export async function copyFile(path: string, { from, to }: { from: string; to: string }): Promise<BackupFile | null> {
  const target = join(to, path)
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  const { stream, result } = createHashStream()
  try {
    await pipeline(createReadStream(join(from, path)), stream, createWriteStream(target, { mode: 0o600 }))
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw err
  }
  return { path, ...result() }
}

/** Copies a file of a backup to the data folder. @throws BackupError if it is missing or differs from the manifest */
export async function restoreFile(file: BackupFile, { from, to }: { from: string; to: string }): Promise<void> {
  checkPath(file.path)
  checkEqual(file, await copyFile(file.path, { from, to }))
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
