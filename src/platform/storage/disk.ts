import { randomUUID } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { mkdir, open, opendir, readdir, rename, rm, stat } from 'node:fs/promises'
import type { BigIntStats } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { isFull } from './is-full.ts'
import type { ByteRange, FileFacts, ListedFile, Storage, StoredFile } from './storage.ts'
import { checkKeys, checkType, contentTypeOf, resolveRange, StorageFull } from './storage.ts'

/** No key begins with a dot, so nothing in here can be asked for. */
const UNFINISHED_FOLDER = '.unfinished'
/** No upload takes that long: what is older was left by a process that died. */
const UNFINISHED_MAX_AGE_HOURS = 24

/** Keeps files in a folder, made when needed. Several processes may share it. */
export function createDiskStorage(options: { root: string }): Storage {
  const root = resolve(options.root)
  let swept: Promise<void> | undefined

  async function put({ key, body, contentType }: { key: string; body: Readable | Buffer; contentType: string }) {
    checkType(key, contentType)
    const unfinished = join(root, UNFINISHED_FOLDER, randomUUID())
    try {
      await mkdir(dirname(unfinished), { recursive: true, mode: 0o700 })
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
    const handle = await orAbsent<FileHandle>(open(join(root, key), 'r'))
    if (handle === null) return null
    try {
      const facts = factsOf(await handle.stat({ bigint: true }), contentType)
      const part = range ? resolveRange(range, facts.size) : null
      return { ...facts, stream: handle.createReadStream(part ?? {}), range: part }
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  async function find({ key }: { key: string }): Promise<FileFacts | null> {
    const contentType = contentTypeOf(key)
    if (contentType === null) return null
    const stats = await orAbsent(stat(join(root, key), { bigint: true }))
    return stats === null ? null : factsOf(stats, contentType)
  }

  async function remove({ keys }: { keys: string[] }) {
    checkKeys(keys)
    for (const key of keys) await rm(join(root, key), { force: true })
  }

  async function* list({ folder }: { folder: string }): AsyncGenerator<ListedFile> {
    const entries = await orAbsent(opendir(join(root, folder), { recursive: true }))
    for await (const entry of entries ?? []) {
      const path = join(entry.parentPath, entry.name)
      const key = relative(root, path).replaceAll(sep, '/')
      if (!entry.isFile() || contentTypeOf(key) === null) continue
      // What vanishes meanwhile was removed.
      const stats = await orAbsent(stat(path))
      if (stats !== null) yield { key, size: stats.size, lastModified: stats.mtime }
    }
  }

  return { put, open: openFile, find, remove, list }
}

function factsOf(stats: BigIntStats, contentType: string): FileFacts {
  return {
    size: Number(stats.size),
    contentType,
    etag: `"${stats.mtimeNs.toString(36)}-${stats.size.toString(36)}"`,
    lastModified: stats.mtime,
  }
}

async function writeWhole(path: string, body: Readable | Buffer): Promise<number> {
  const handle = await open(path, 'wx', 0o600)
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
  await mkdir(folder, { recursive: true, mode: 0o700 })
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

async function orAbsent<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null
    throw error
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
