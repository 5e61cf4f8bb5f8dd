import { randomUUID } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { isFull } from './is-full.ts'
import type { ByteRange, Storage, StoredFile } from './storage.ts'
import { contentTypeOf, InvalidStorageKey, RangeNotSatisfiable, STORAGE_URL_PREFIX, StorageFull } from './storage.ts'

/** No key begins with a dot, so nothing in here can be asked for. */
const UNFINISHED_FOLDER = '.unfinished'
/** No upload takes that long: what is older was left by a process that died. */
const UNFINISHED_MAX_AGE_HOURS = 24

/** Keeps files in a folder, made when needed. Several processes may share it. */
export function createDiskStorage(options: { root: string }): Storage {
  const root = resolve(options.root)
  let swept: Promise<void> | undefined

  async function put({ key, body, contentType }: { key: string; body: Readable | Buffer; contentType: string }) {
    const expected = contentTypeOf(key)
    if (expected === null) throw new InvalidStorageKey(key)
    if (contentType !== expected) throw new TypeError(`${key} would be served as ${expected}, not as ${contentType}`)
    const unfinished = join(root, UNFINISHED_FOLDER, randomUUID())
    try {
      await mkdir(dirname(unfinished), { recursive: true })
      await (swept ??= sweep(root).catch(() => {})) // tidiness alone is no reason to refuse a file
      const size = await writeWhole(unfinished, body)
      await moveInto(root, { from: unfinished, key })
      return { size }
    } catch (error) {
      if (!Buffer.isBuffer(body)) body.destroy()
      await rm(unfinished, { force: true })
      throw isFull(error) ? new StorageFull(error) : error
    }
  }

  async function openFile({ key, range }: { key: string; range?: ByteRange }): Promise<StoredFile | null> {
    const contentType = contentTypeOf(key)
    if (contentType === null) return null
    const handle = await openIfPresent(join(root, key))
    if (handle === null) return null
    try {
      const stats = await handle.stat({ bigint: true })
      const size = Number(stats.size)
      const part = range ? resolveRange(range, size) : null
      return {
        stream: handle.createReadStream(part ?? {}),
        size,
        range: part,
        contentType,
        etag: `"${stats.mtimeNs.toString(36)}-${stats.size.toString(36)}"`,
        lastModified: stats.mtime,
      }
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  async function remove({ keys }: { keys: string[] }) {
    for (const key of keys) if (contentTypeOf(key) === null) throw new InvalidStorageKey(key)
    for (const key of keys) await rm(join(root, key), { force: true })
  }

  function urlPath(key: string) {
    if (contentTypeOf(key) === null) throw new InvalidStorageKey(key)
    return STORAGE_URL_PREFIX + key
  }

  return { put, open: openFile, remove, urlPath }
}

async function writeWhole(path: string, body: Readable | Buffer): Promise<number> {
  const handle = await open(path, 'wx', 0o644)
  try {
    await handle.writeFile(body)
    await handle.sync()
    return (await handle.stat()).size
  } finally {
    await handle.close()
  }
}

/** A rename is on disk only when the folder is, and a new folder only when the one above it is. */
async function moveInto(root: string, { from, key }: { from: string; key: string }) {
  const path = join(root, key)
  let folder = dirname(path)
  await mkdir(folder, { recursive: true })
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

/** Removes what dead processes left. A file that vanishes meanwhile was finished or swept by another process. */
async function sweep(root: string) {
  const folder = join(root, UNFINISHED_FOLDER)
  const oldest = Date.now() - UNFINISHED_MAX_AGE_HOURS * 3_600_000
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const stats = await stat(path).catch(() => null)
    if (stats !== null && stats.mtimeMs < oldest) await rm(path, { force: true })
  }
}

async function openIfPresent(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r')
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null
    throw error
  }
}

/** Both ends included; an end beyond the file is the file's end (RFC 9110, 14.1.2). */
function resolveRange(range: ByteRange, size: number): { start: number; end: number } {
  const start = 'last' in range ? Math.max(0, size - range.last) : range.start
  const end = 'last' in range ? size - 1 : Math.min(range.end ?? size - 1, size - 1)
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || start > end)
    throw new RangeNotSatisfiable(size)
  return { start, end }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
