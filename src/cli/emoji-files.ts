import { createReadStream } from 'node:fs'
import { open, readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { BrokenTar, readTar } from '../lib/tar.ts'
import { emojiMaxBytes } from '../platform/media/image-limits.ts'
import { Halt } from './failure.ts'

/** A picture that may become an emoji. */
export interface EmojiFile {
  /** The file's name without its ending. */
  name: string
  /** The folder in which it lies, if that is not the topmost. */
  folder: string | null
  /** null: it is too large. */
  bytes: Buffer | null
}

const ENDINGS = new Set(['.png', '.gif', '.webp'])

/** The pictures in a folder, or in a tar archive that may be packed with gzip. What lies hidden is left out. */
export async function* readEmojiFiles(path: string): AsyncGenerator<EmojiFile> {
  const found = await stat(path).catch(() => null)
  if (!found) throw new Halt(`${path} does not exist`)
  yield* found.isDirectory() ? readFolder(path) : readArchive(path)
}

async function* readFolder(root: string, inside = ''): AsyncGenerator<EmojiFile> {
  const entries = await readdir(join(root, inside), { withFileTypes: true })
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(inside, entry.name)
    // A link may lead anywhere, also back to here.
    if (entry.isDirectory()) yield* readFolder(root, path)
    const picture = entry.isFile() ? pictureAt(path) : null
    if (!picture) continue
    const file = join(root, path)
    const { size } = await stat(file)
    yield { ...picture, bytes: size > emojiMaxBytes ? null : await readFile(file) }
  }
}

async function* readArchive(path: string): AsyncGenerator<EmojiFile> {
  const file = createReadStream(path)
  const chunks = (await isPacked(path)) ? file.pipe(createGunzip()) : file
  try {
    for await (const { name, bytes } of readTar(chunks, { maxBytes: emojiMaxBytes })) {
      const picture = pictureAt(name)
      if (picture) yield { ...picture, bytes }
    }
  } catch (err) {
    if (err instanceof BrokenTar || (err as NodeJS.ErrnoException).code?.startsWith('Z_')) {
      throw new Halt(`${path} is not a folder or a complete tar.gz archive`)
    }
    throw err
  } finally {
    file.destroy()
  }
}

async function isPacked(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0)
    return buffer[0] === 0x1f && buffer[1] === 0x8b
  } finally {
    await file.close()
  }
}

/** A name is only read, never followed: wherever it leads, nothing is opened or written there. */
function pictureAt(path: string): Omit<EmojiFile, 'bytes'> | null {
  const name = basename(path)
  const ending = extname(name).toLowerCase()
  if (name.startsWith('.') || !ENDINGS.has(ending)) return null
  const folder = basename(dirname(path))
  return { name: name.slice(0, -ending.length), folder: /^(\.*|\/)$/.test(folder) ? null : folder }
}
