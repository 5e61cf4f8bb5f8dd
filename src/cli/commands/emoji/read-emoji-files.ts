import { createReadStream } from 'node:fs'
import { open, readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { TarError, readTar } from '../../../lib/tar.ts'
import { emojiMaxBytes } from '../../../platform/media/images/image-limits.ts'
import { CommandError } from '../../command-error.ts'

/** An image to import as an emoji. */
export interface EmojiFile {
  /** The name of the file without its extension. */
  name: string
  /** The name of the folder of the file, unless it is the top folder. */
  folder: string | null
  /** Null if the file is too large. */
  bytes: Buffer | null
}

const IMAGE_EXTENSIONS = new Set(['.png', '.gif', '.webp'])

/** Yields the images in a folder, or in a tar or tar.gz archive. Omits hidden files. */
export async function* readEmojiFiles(path: string): AsyncGenerator<EmojiFile> {
  const found = await stat(path).catch(() => null)
  if (!found) throw new CommandError(`${path} does not exist`)
  yield* found.isDirectory() ? readFolder(path) : readArchive(path)
}

async function* readFolder(root: string, subfolder = ''): AsyncGenerator<EmojiFile> {
  const entries = await readdir(join(root, subfolder), { withFileTypes: true })
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(subfolder, entry.name)
    // Does not follow symbolic links, which may lead anywhere, including back to this folder.
    if (entry.isDirectory()) yield* readFolder(root, path)
    const image = entry.isFile() ? imageFileAt(path) : null
    if (!image) continue
    const file = join(root, path)
    const { size } = await stat(file)
    yield { ...image, bytes: size > emojiMaxBytes ? null : await readFile(file) }
  }
}

async function* readArchive(path: string): AsyncGenerator<EmojiFile> {
  const file = createReadStream(path)
  const chunks = (await isGzip(path)) ? file.pipe(createGunzip()) : file
  try {
    for await (const { name, bytes } of readTar(chunks, { maxBytes: emojiMaxBytes })) {
      const image = imageFileAt(name)
      if (image) yield { ...image, bytes }
    }
  } catch (err) {
    if (err instanceof TarError || (err as NodeJS.ErrnoException).code?.startsWith('Z_')) {
      throw new CommandError(`${path} is not a folder or a complete tar.gz archive`)
    }
    throw err
  } finally {
    file.destroy()
  }
}

async function isGzip(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0)
    return buffer[0] === 0x1f && buffer[1] === 0x8b
  } finally {
    await file.close()
  }
}

/** Derives name and folder from an untrusted path. The path itself is never opened. */
function imageFileAt(path: string): Omit<EmojiFile, 'bytes'> | null {
  const name = basename(path)
  const extension = extname(name).toLowerCase()
  if (name.startsWith('.') || !IMAGE_EXTENSIONS.has(extension)) return null
  const folder = basename(dirname(path))
  return { name: name.slice(0, -extension.length), folder: /^(\.*|\/)$/.test(folder) ? null : folder }
}
