import { PassThrough } from 'node:stream'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fromRandomAccessReaderPromise, openPromise, RandomAccessReader } from 'yauzl'
import type { Entry, ZipFile } from 'yauzl'
import type { Storage } from '../storage/storage.ts'

/** The unit in which the directory of a stored ZIP is read: a request for each entry would be slow. */
const BLOCK_BYTES = 262_144

/** The largest directory. A name of a file has about 100 bytes, beside the 46 bytes of its entry. */
const MAX_ENTRIES = 100_000

/** Larger files that are compressed more than this are refused: texts and media are not. */
const MAX_RATIO = 200
const MAX_RATIO_EXEMPT_BYTES = 16 * 1_048_576

/** All files together may have this many times the size of the archive, and this much more. */
const MAX_TOTAL_RATIO = 4
const MAX_TOTAL_EXTRA_BYTES = 512 * 1_048_576

const SYMBOLIC_LINK = 0o120_000
const FILE_TYPE = 0o170_000

/** Strict: absolute names, `..` and backslashes are errors, and so is a file that is larger than its entry says. */
const OPTIONS = { strictFileNames: true, validateEntrySizes: true, autoClose: false } as const

/** Thrown for a file that is no ZIP, or that has entries which are not accepted. */
class InvalidZipError extends Error {}

/** Opens a ZIP on the disk. @throws InvalidZipError */
export async function openZip({ path }: { path: string }): Promise<ZipFile> {
  return asInvalidZip(() => openPromise(path, OPTIONS))
}

/** Opens a ZIP in the storage; null if it is missing. Only the parts that are needed are read. */
export async function openStoredZip(
  storage: Storage,
  { key }: { key: string },
): Promise<{ zip: ZipFile; byteSize: number } | null> {
  const file = await storage.find({ key })
  if (!file) return null
  const { size: byteSize } = file
  return {
    zip: await fromRandomAccessReaderPromise(new StoredReader(storage, key, byteSize), byteSize, OPTIONS),
    byteSize,
  }
}

/**
 * Returns the entries with these names, each the first one. Reads the complete directory, and so checks the names and
 * the declared sizes of all files; the content of a file is checked against its declared size when it is read.
 * `byteSize`: of the archive.
 * @throws InvalidZipError
 */
export async function findZipEntries(
  zip: ZipFile,
  { names, byteSize }: { names: ReadonlySet<string>; byteSize: number },
): Promise<Map<string, Entry>> {
  if (zip.entryCount > MAX_ENTRIES) throw new InvalidZipError('The archive has too many files')
  const found = new Map<string, Entry>()
  let bytesLeft = MAX_TOTAL_RATIO * byteSize + MAX_TOTAL_EXTRA_BYTES
  return asInvalidZip(async () => {
    for await (const entry of zip.eachEntry()) {
      const isLink = ((entry.externalFileAttributes >>> 16) & FILE_TYPE) === SYMBOLIC_LINK
      if (isLink || entry.isEncrypted()) throw new InvalidZipError('The archive has links or encrypted files')
      const { uncompressedSize, compressedSize } = entry
      const isBomb = uncompressedSize > MAX_RATIO_EXEMPT_BYTES && uncompressedSize > MAX_RATIO * compressedSize
      if (isBomb || (bytesLeft -= uncompressedSize) < 0) throw new InvalidZipError('The archive expands too much')
      if (names.has(entry.fileName) && !found.has(entry.fileName)) found.set(entry.fileName, entry)
    }
    return found
  })
}

/**
 * Returns whether a ZIP is at fault for an error, such as compressed data that is damaged or longer than its entry says,
 * in contrast to a failure of the disk or the storage, after which a job tries again.
 */
export function isZipDamage(err: unknown): boolean {
  if (err instanceof InvalidZipError) return true
  if (!(err instanceof Error)) return false
  const { code } = err as NodeJS.ErrnoException
  // The library throws no class of its own, zlib throws codes.
  return code === undefined ? err.constructor === Error : code.startsWith('Z_')
}

async function asInvalidZip<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (err) {
    throw isZipDamage(err) ? new InvalidZipError((err as Error).message) : err
  }
}

class StoredReader extends RandomAccessReader {
  readonly #storage: Storage
  readonly #key: string
  readonly #size: number
  #block: { start: number; bytes: Buffer } | null = null

  constructor(storage: Storage, key: string, size: number) {
    super()
    this.#storage = storage
    this.#key = key
    this.#size = size
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const stream = new PassThrough()
    this.#open(start, end)
      .then((source) => pipeline(source, stream))
      .catch((err: Error) => stream.destroy(err))
    return stream
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (err: Error | null) => void,
  ): void {
    this.#readBytes(position, length).then(
      (bytes) => {
        bytes.copy(buffer, offset)
        callback(null)
      },
      (err: Error) => callback(err),
    )
  }

  async #readBytes(position: number, length: number): Promise<Buffer> {
    const block = this.#block
    if (!block || position < block.start || position + length > block.start + block.bytes.length) {
      const end = Math.min(Math.max(position + length, position + BLOCK_BYTES), this.#size)
      const bytes = Buffer.concat(await Array.fromAsync(await this.#open(position, end)))
      this.#block = { start: position, bytes }
    }
    const from = position - this.#block!.start
    const bytes = this.#block!.bytes.subarray(from, from + length)
    if (bytes.length < length) throw new Error('unexpected EOF')
    return bytes
  }

  /** `end` is exclusive. */
  async #open(start: number, end: number): Promise<AsyncIterable<Buffer> & Readable> {
    const file = await this.#storage.open({ key: this.#key, range: { start, end: end - 1 } })
    if (!file) throw new Error('The archive is not stored any more')
    return file.stream
  }
}
