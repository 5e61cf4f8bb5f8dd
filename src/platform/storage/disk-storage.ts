import { randomUUID } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { open, opendir, readdir, rename, rm, stat } from 'node:fs/promises'
import type { BigIntStats } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { createOwnedFolder, findFileOwner } from '../data-folder/owned-files.ts'
import type { FileOwner } from '../data-folder/owned-files.ts'
import type { ByteRange, FileInfo, ListedFile, Storage, StoredFile } from './storage.ts'
import { checkKeys, checkContentType, contentTypeOf, resolveRange } from './storage.ts'
import { toStorageError } from './to-storage-error.ts'

/** Keys cannot begin with a dot, so no request can read these files. */
const TEMPORARY_FOLDER = '.unfinished'
/** No upload takes longer: a process that died left older files. */
const TEMPORARY_MAX_AGE_HOURS = 24

/** Stores files in a folder, which is created when needed. Several processes may share it. */
export function createDiskStorage(options: { root: string }): Storage {
  const root = resolve(options.root)
  let cleanup: Promise<void> | undefined
  let fileOwner: Promise<FileOwner | null> | undefined

  async function put({ key, body, contentType }: { key: string; body: Readable | Buffer; contentType: string }) {
    checkContentType(key, contentType)
    const temporaryPath = join(root, TEMPORARY_FOLDER, randomUUID())
    try {
      const owner = await (fileOwner ??= findFileOwner(root)).catch((error: unknown) => {
        // The next upload tries again.
        fileOwner = undefined
        throw error
      })
      await createOwnedFolder(dirname(temporaryPath), owner)
      await (cleanup ??= removeStaleTemporaryFiles(root).catch(() => {})) // must not fail the upload
      const size = await writeDurably(temporaryPath, { body, owner })
      await renameDurably(root, { from: temporaryPath, key, owner })
      return { size }
    } catch (error) {
      if (!Buffer.isBuffer(body)) body.destroy()
      // Fails for the same reason.
      await rm(temporaryPath, { force: true }).catch(() => {})
      throw toStorageError(error)
    }
  }

  async function openFile({ key, range }: { key: string; range?: ByteRange }): Promise<StoredFile | null> {
    const contentType = contentTypeOf(key)
    if (contentType === null) return null
    const handle = await nullIfMissing<FileHandle>(open(join(root, key), 'r'))
    if (handle === null) return null
    try {
      const fileInfo = fileInfoOf(await handle.stat({ bigint: true }), contentType)
      const part = range ? resolveRange(range, fileInfo.size) : null
      return { ...fileInfo, stream: handle.createReadStream(part ?? {}), range: part }
    } catch (error) {
      await handle.close()
      throw toStorageError(error)
    }
  }

  async function find({ key }: { key: string }): Promise<FileInfo | null> {
    const contentType = contentTypeOf(key)
    if (contentType === null) return null
    const stats = await nullIfMissing(stat(join(root, key), { bigint: true }))
    return stats === null ? null : fileInfoOf(stats, contentType)
  }

  async function remove({ keys }: { keys: string[] }) {
    checkKeys(keys)
    try {
      for (const key of keys) await rm(join(root, key), { force: true })
    } catch (error) {
      throw toStorageError(error)
    }
  }

  async function* list({ folder }: { folder: string }): AsyncGenerator<ListedFile> {
    const entries = await nullIfMissing(opendir(join(root, folder), { recursive: true }))
    for await (const entry of entries ?? []) {
      const path = join(entry.parentPath, entry.name)
      const key = relative(root, path).replaceAll(sep, '/')
      if (!entry.isFile() || contentTypeOf(key) === null) continue
      // The file may have been removed meanwhile.
      const stats = await nullIfMissing(stat(path))
      if (stats !== null) yield { key, size: stats.size, lastModified: stats.mtime }
    }
  }

  return { put, open: openFile, find, remove, list, setPublic: null }
}

function fileInfoOf(stats: BigIntStats, contentType: string): FileInfo {
  return {
    size: Number(stats.size),
    contentType,
    etag: `"${stats.mtimeNs.toString(36)}-${stats.size.toString(36)}"`,
    lastModified: stats.mtime,
  }
}

async function writeDurably(
  path: string,
  { body, owner }: { body: Readable | Buffer; owner: FileOwner | null },
): Promise<number> {
  const handle = await open(path, 'wx', 0o600)
  try {
    if (owner) await handle.chown(owner.uid, owner.gid)
    await handle.writeFile(body)
    await handle.sync()
    return (await handle.stat()).size
  } finally {
    await handle.close()
  }
}

/** Syncs the folder after the rename, and its parents: a new folder is durable only after its parent is synced. */
async function renameDurably(
  root: string,
  { from, key, owner }: { from: string; key: string; owner: FileOwner | null },
) {
  const path = join(root, key)
  let folder = dirname(path)
  await createOwnedFolder(folder, owner)
  await rename(from, path)
  await syncFolder(folder)
  while (folder !== root) {
    folder = dirname(folder)
    await syncFolder(folder)
  }
}

async function syncFolder(folder: string) {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Removes files of dead processes. Ignores a file that another process finished or removed meanwhile. */
async function removeStaleTemporaryFiles(root: string) {
  const folder = join(root, TEMPORARY_FOLDER)
  const oldest = Date.now() - TEMPORARY_MAX_AGE_HOURS * 3_600_000
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const stats = await stat(path).catch(() => null)
    if (stats !== null && stats.mtimeMs < oldest) await rm(path, { force: true })
  }
}

async function nullIfMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null
    throw toStorageError(error)
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
