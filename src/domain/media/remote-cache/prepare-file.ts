import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { NotFoundError } from '../../../lib/errors.ts'
import { findFfmpeg } from '../../../platform/media/audio-video/find-ffmpeg.ts'
import { processVideoPreview } from '../../../platform/media/audio-video/process-video-preview.ts'
import { identifyMedia } from '../../../platform/media/identify-media.ts'
import { processEmoji } from '../../../platform/media/images/process-emoji.ts'
import { detectFileType } from '../../../platform/media/detect-file-type.ts'
import { imageLimits, profileImageMaxBytes } from '../../../platform/media/images/image-limits.ts'
import { checkImage, processPreview } from '../../../platform/media/images/process-preview.ts'
import { processAvatar, processHeader } from '../../../platform/media/images/process-profile-image.ts'
import { UnprocessableMediaError, UnsupportedMediaError } from '../../../platform/media/media-errors.ts'
import type { Rendition } from '../../../platform/media/images/rendition.ts'
import type { Ctx } from '../../context.ts'
import { fetchFile } from './fetch-file.ts'
import type { RemoteFile } from './find-cached-file.ts'
import { MAX_FILE_BYTES } from './limits.ts'
import { UnacceptableMediaError } from './remote-media-errors.ts'

/** Remote emojis may be larger than local ones. */
const MAX_EMOJI_BYTES = 2 * 1_048_576

const MAX_BYTES: Record<RemoteFile['rendition'], number> = {
  original: MAX_FILE_BYTES,
  small: imageLimits.maxBytes,
  avatar: profileImageMaxBytes,
  header: profileImageMaxBytes,
  emoji: MAX_EMOJI_BYTES,
}

/** A file that is ready to be stored. */
export interface PreparedFile {
  body: Buffer | Readable
  size: number
  contentType: string
  extension: string
}

/**
 * Fetches a file, converts it to what the cache stores, passes that to `use`, and deletes the temporary files. Avatars,
 * headers and emojis are re-encoded in the sizes of this server. Attachments of statuses stay unchanged, if their bytes
 * are those of an image, a video or audio. `original`: the original to generate a preview from; null: the file is
 * fetched.
 * @throws NotFoundError; BadGatewayError; ServiceUnavailableError; InsufficientStorageError
 */
export async function prepareFile<T>(
  ctx: Ctx,
  { remoteFile, original }: { remoteFile: RemoteFile; original: Readable | null },
  use: (prepared: { file: PreparedFile; staticFile: PreparedFile | null }) => Promise<T>,
): Promise<T> {
  // The folder of temporary files of requests, which the server empties at its start.
  const root = join(ctx.config.dataDir, 'uploads')
  await mkdir(root, { recursive: true, mode: 0o700 })
  const folder = await mkdtemp(join(root, 'remote-'))
  try {
    const path = join(folder, 'file')
    if (original) await pipeline(original, createWriteStream(path, { mode: 0o600 }))
    // A file larger than the whole cache could not be stored.
    else
      await fetchFile(ctx, {
        url: remoteFile.remoteUrl,
        path,
        maxBytes: Math.min(MAX_BYTES[remoteFile.rendition], ctx.config.mediaCacheBytes),
      })
    return await use(await transform(ctx, { remoteFile, path, folder }))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function transform(
  ctx: Ctx,
  { remoteFile, path, folder }: { remoteFile: RemoteFile; path: string; folder: string },
): Promise<{ file: PreparedFile; staticFile: PreparedFile | null }> {
  const { rendition, derivedFrom } = remoteFile
  try {
    if (rendition === 'original') return { file: await useUnchanged(path), staticFile: null }
    if (rendition === 'small') {
      const preview = derivedFrom === 'video' ? previewOfVideo(ctx, { path, folder }) : processPreview({ path })
      return { file: preparedFile(await preview), staticFile: null }
    }
    const image =
      rendition === 'emoji'
        ? await processEmoji({ path }, { maxBytes: MAX_EMOJI_BYTES })
        : await (rendition === 'avatar' ? processAvatar : processHeader)({ path })
    return { file: preparedFile(image.original), staticFile: image.static && preparedFile(image.static) }
  } catch (err) {
    if (err instanceof UnsupportedMediaError || err instanceof UnprocessableMediaError)
      throw new UnacceptableMediaError(err)
    throw err
  }
}

/** @throws NotFoundError without ffmpeg; UnsupportedMediaError; UnprocessableMediaError; InsufficientStorageError */
async function previewOfVideo(ctx: Ctx, { path, folder }: { path: string; folder: string }): Promise<Rendition> {
  const kind = await identifyMedia({ path })
  // Some servers declare an animated image as a video.
  if (kind.type === 'image') return processPreview({ path })
  const tools = await findFfmpeg(ctx.config)
  if (tools === null) throw new NotFoundError()
  return processVideoPreview(tools, { path, container: kind.container, folder })
}

function preparedFile({ buffer, contentType, extension }: Rendition): PreparedFile {
  return { body: buffer, size: buffer.length, contentType, extension }
}

async function useUnchanged(path: string): Promise<PreparedFile> {
  const { isImage, contentType, extension } = await detectFileType(path)
  if (isImage) await checkImage({ path })
  const { size } = await stat(path)
  return { body: createReadStream(path), size, contentType, extension }
}
