import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { processEmoji } from '../../../platform/media/emoji.ts'
import { findFileKind } from '../../../platform/media/file-kind.ts'
import { imageLimits, profileImageMaxBytes } from '../../../platform/media/image-limits.ts'
import { checkImage, processPreview } from '../../../platform/media/preview.ts'
import { processAvatar, processHeader } from '../../../platform/media/profile-image.ts'
import { MediaUnprocessable, UnsupportedMedia } from '../../../platform/media/refusals.ts'
import type { Rendition } from '../../../platform/media/rendition.ts'
import type { Ctx } from '../../context.ts'
import { askForFile } from './ask.ts'
import type { Wanted } from './find.ts'
import { MAX_FILE_BYTES } from './limits.ts'
import { NoMedia } from './refusals.ts'

/** Other servers make emojis that are larger than ours may be. */
const MAX_EMOJI_BYTES = 2 * 1_048_576

const MAX_BYTES: Record<Wanted['rendition'], number> = {
  original: MAX_FILE_BYTES,
  small: imageLimits.maxBytes,
  avatar: profileImageMaxBytes,
  header: profileImageMaxBytes,
  emoji: MAX_EMOJI_BYTES,
}

/** A file that is ready to be stored. */
export interface Made {
  body: Buffer | Readable
  size: number
  contentType: string
  extension: string
}

/**
 * Asks for a file and makes of it what readers get; hands that to `use`, and forgets its traces on the disk. Pictures of
 * people and emojis are made anew, in our sizes; what hangs on posts is kept as it came, if its bytes are those of a
 * picture, a video or a sound.
 * `original`: opens the original, of which a small picture is made; null: it is not kept.
 * @throws NotFound · BadGateway · Unavailable · OutOfStorage
 */
export async function makeFile<T>(
  ctx: Ctx,
  { wanted, original }: { wanted: Wanted; original: Readable | null },
  use: (made: { file: Made; still: Made | null }) => Promise<T>,
): Promise<T> {
  // Beside the files of requests, which are swept when the server starts.
  const root = join(ctx.config.dataDir, 'uploads')
  await mkdir(root, { recursive: true, mode: 0o700 })
  const folder = await mkdtemp(join(root, 'remote-'))
  try {
    const path = join(folder, 'file')
    if (original) await pipeline(original, createWriteStream(path, { mode: 0o600 }))
    // What is larger than the whole cache could never be stored.
    else
      await askForFile(ctx, {
        url: wanted.remoteUrl,
        path,
        maxBytes: Math.min(MAX_BYTES[wanted.rendition], ctx.config.mediaCacheBytes),
      })
    return await use(await process(wanted, path))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function process({ rendition }: Wanted, path: string): Promise<{ file: Made; still: Made | null }> {
  try {
    if (rendition === 'original') return { file: await keepAsItIs(path), still: null }
    if (rendition === 'small') return { file: madeOf(await processPreview({ path })), still: null }
    const image =
      rendition === 'emoji'
        ? await processEmoji({ path }, { maxBytes: MAX_EMOJI_BYTES })
        : await (rendition === 'avatar' ? processAvatar : processHeader)({ path })
    return { file: madeOf(image.original), still: image.static && madeOf(image.static) }
  } catch (err) {
    if (err instanceof UnsupportedMedia || err instanceof MediaUnprocessable) throw new NoMedia(err)
    throw err
  }
}

function madeOf({ buffer, contentType, extension }: Rendition): Made {
  return { body: buffer, size: buffer.length, contentType, extension }
}

async function keepAsItIs(path: string): Promise<Made> {
  const { isImage, contentType, extension } = await findFileKind(path)
  if (isImage) await checkImage({ path })
  const { size } = await stat(path)
  return { body: createReadStream(path), size, contentType, extension }
}
