/** A file in a tar archive. `bytes`: null if it is larger than `maxBytes`. */
export interface TarFile {
  /** The name in the archive, which is untrusted: do not use it as a path. */
  name: string
  size: number
  bytes: Buffer | null
}

const BLOCK = 512
const MAX_NAME_BYTES = 4_096
const MAX_HEADER_NAME_BYTES = 100

/** Thrown if the data is not a tar archive or the archive is incomplete. */
export class TarError extends Error {
  constructor() {
    super('Not a tar archive, or the archive is incomplete')
  }
}

/**
 * Yields the files of a tar archive (ustar, pax or GNU) without links, folders and devices. At most one file is in
 * memory, with at most `maxBytes`.
 * @throws TarError
 */
export async function* readTar(
  chunks: AsyncIterable<Uint8Array>,
  { maxBytes }: { maxBytes: number },
): AsyncGenerator<TarFile> {
  const source = new Blocks(chunks)
  let longName: string | null = null
  for (;;) {
    const header = await source.read(BLOCK)
    if (header === null || header.every((byte) => byte === 0)) return
    const { name, size, type } = readHeader(header)
    const isName = type === 'L' || type === 'x'
    const isFile = type === '0' || type === '\0'
    const isRead = isName ? size <= MAX_NAME_BYTES : isFile && size <= maxBytes
    const body = isRead ? await source.read(size) : await source.skip(size)
    await source.skip(-size & (BLOCK - 1))
    if (isName) longName = type === 'L' ? textOf(body ?? Buffer.alloc(0)) : (paxPath(body) ?? longName)
    else {
      if (isFile) yield { name: longName ?? name, size, bytes: isRead ? body : null }
      longName = null
    }
  }
}

/** Splits chunks of any size into blocks of the requested sizes. */
class Blocks {
  readonly #chunks: AsyncIterator<Uint8Array>
  #rest: Buffer = Buffer.alloc(0)

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /** Returns null at the end of the archive. */
  async read(size: number): Promise<Buffer | null> {
    const parts: Buffer[] = []
    let missing = size
    while (missing > 0) {
      if (this.#rest.length === 0 && !(await this.#refill())) {
        if (missing === size && size === BLOCK) return null
        throw new TarError()
      }
      const part = this.#rest.subarray(0, missing)
      this.#rest = this.#rest.subarray(part.length)
      missing -= part.length
      parts.push(part)
    }
    return Buffer.concat(parts)
  }

  async skip(size: number): Promise<null> {
    let missing = size
    while (missing > 0) {
      if (this.#rest.length === 0 && !(await this.#refill())) throw new TarError()
      const skipped = Math.min(missing, this.#rest.length)
      this.#rest = this.#rest.subarray(skipped)
      missing -= skipped
    }
    return null
  }

  async #refill(): Promise<boolean> {
    const { value, done } = await this.#chunks.next()
    if (done) return false
    this.#rest = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    return true
  }
}

function readHeader(header: Buffer): { name: string; size: number; type: string } {
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0)
  const size = octal(header.subarray(124, 136))
  if (octal(header.subarray(148, 156)) !== sum || size === null) throw new TarError()
  const prefix = header.toString('latin1', 257, 262) === 'ustar' ? textOf(header.subarray(345, 500)) : ''
  const name = textOf(header.subarray(0, 100))
  return { name: prefix === '' ? name : `${prefix}/${name}`, size, type: String.fromCharCode(header[156]!) }
}

function octal(bytes: Buffer): number | null {
  const digits = textOf(bytes).trim()
  return /^[0-7]{1,12}$/.test(digits) ? Number.parseInt(digits, 8) : null
}

function textOf(bytes: Buffer): string {
  const end = bytes.indexOf(0)
  return bytes.toString('utf8', 0, end === -1 ? bytes.length : end)
}

/** Returns the name in a pax record such as `30 path=some/name.png`. */
function paxPath(body: Buffer | null): string | null {
  return /(?:^|\n)\d+ path=([^\n]*)\n/.exec(body?.toString('utf8') ?? '')?.[1] ?? null
}

/** Returns a file as tar entry. A name that is too long for the header precedes it as a GNU entry. */
export function writeTarFile({ name, bytes, modifiedAt }: { name: string; bytes: Buffer; modifiedAt: Date }): Buffer {
  const entry = tarEntry({ name, bytes, modifiedAt, type: '0' })
  if (Buffer.byteLength(name) <= MAX_HEADER_NAME_BYTES) return entry
  const nameBytes = Buffer.from(`${name}\0`)
  return Buffer.concat([tarEntry({ name: '././@LongLink', bytes: nameBytes, modifiedAt, type: 'L' }), entry])
}

function tarEntry({
  name,
  bytes,
  modifiedAt,
  type,
}: {
  name: string
  bytes: Buffer
  modifiedAt: Date
  type: '0' | 'L'
}): Buffer {
  const header = Buffer.alloc(BLOCK)
  header.write(name, 0, MAX_HEADER_NAME_BYTES)
  header.write('0000644\0', 100)
  header.write('0000000\0'.repeat(2), 108)
  header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124)
  header.write(
    `${Math.floor(modifiedAt.getTime() / 1_000)
      .toString(8)
      .padStart(11, '0')}\0`,
    136,
  )
  header.write('        ', 148)
  header.write(type, 156)
  header.write('ustar\u000000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([header, bytes, Buffer.alloc(-bytes.length & (BLOCK - 1))])
}

/** The end of an archive, after the last file. */
export const TAR_END = Buffer.alloc(2 * BLOCK)
