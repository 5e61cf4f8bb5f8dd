import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { UnprocessableError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import { convertAudioVideo } from '../../../platform/media/audio-video/convert-audio-video.ts'
import type { ConvertedMedia } from '../../../platform/media/audio-video/convert-audio-video.ts'
import { findFfmpeg } from '../../../platform/media/audio-video/find-ffmpeg.ts'
import { probeAudioVideo } from '../../../platform/media/audio-video/probe-audio-video.ts'
import { identifyMedia } from '../../../platform/media/identify-media.ts'
import { damagedMediaError } from '../../../platform/media/media-errors.ts'
import { toStorageError } from '../../../platform/storage/to-storage-error.ts'
import type { Ctx } from '../../context.ts'
import { mediaKey, mediaNameOfKey } from './media-keys.ts'
import { storePreview } from './store-preview.ts'
import type { Preview } from './store-preview.ts'

interface ProcessingUpload {
  type: string
  /** The key of the unprocessed upload. */
  file_key: string
  preview_key: string | null
}

const find = statement<{ params: { mediaId: string }; row: ProcessingUpload; notNull: 'file_key' }>(
  `select type, file_key, preview_key from media_attachments where id = $mediaId and state = 'processing'`,
)
// A thumbnail that the user set meanwhile stays, with its metadata.
const markReady = statement<{
  params: {
    mediaId: string
    originalKey: string
    fileKey: string
    contentType: string
    byteSize: number
    key: string | null
    blurhash: string | null
    meta: string
  }
  row: { preview_key: string | null }
}>(
  `update media_attachments set state = 'ready', file_key = $fileKey, content_type = $contentType, byte_size = $byteSize,
     preview_key = coalesce(preview_key, $key), blurhash = coalesce(blurhash, $blurhash), meta = $meta::jsonb || meta
   where id = $mediaId and state = 'processing' and file_key = $originalKey returning preview_key`,
)
const markFailed = statement<{ params: { mediaId: string; fileKey: string } }>(
  `update media_attachments set state = 'failed', file_key = null
   where id = $mediaId and state = 'processing' and file_key = $fileKey returning id`,
)

/**
 * Effect: converts an uploaded video, audio file or animated GIF. The names of the converted files derive from the name
 * of the upload, so that a retry after a crash overwrites the same files.
 */
export async function processMedia(ctx: Ctx, { mediaId }: { mediaId: string }): Promise<void> {
  const [upload] = await find(ctx.db, { mediaId })
  if (!upload) return
  try {
    await withTemporaryFolder(ctx, (folder) => convert(ctx, { mediaId, upload, folder }))
  } catch (err) {
    if (!(err instanceof UnprocessableError)) throw err
    ctx.log.info({ err, mediaId }, 'Could not process an upload')
    await ctx.write(async (tx) => {
      const failed = await markFailed(tx.db, { mediaId, fileKey: upload.file_key })
      if (failed.length > 0) tx.emit('media.removed', { mediaKeys: [upload.file_key] })
    })
  }
}

async function convert(
  ctx: Ctx,
  { mediaId, upload, folder }: { mediaId: string; upload: ProcessingUpload; folder: string },
): Promise<void> {
  const tools = await findFfmpeg(ctx.config)
  if (!tools) throw new Error('ffmpeg was not found')
  const path = join(folder, 'upload')
  await downloadTo(ctx, { key: upload.file_key, path })
  const kind = await identifyMedia({ path })
  const source = { path, format: kind.type === 'moving' ? kind.container : ('gif' as const) }
  const streams = await probeAudioVideo(tools, source)
  const converted = await convertAudioVideo(tools, { source, streams, folder })
  const name = mediaNameOfKey(upload.file_key)
  const fileKey = mediaKey(name, converted.extension)
  await ctx.storage.put({
    key: fileKey,
    body: createReadStream(converted.path),
    contentType: converted.contentType,
  })
  const preview = converted.poster && (await storePreview(ctx, { image: converted.poster, name }))
  const isStored = await ctx.write(async (tx) => {
    const [stored] = await markReady(tx.db, {
      mediaId,
      originalKey: upload.file_key,
      fileKey,
      contentType: converted.contentType,
      byteSize: converted.byteSize + (preview?.byteSize ?? 0),
      key: preview?.key ?? null,
      blurhash: preview?.blurhash ?? null,
      meta: JSON.stringify(describe(converted, preview)),
    })
    if (!stored) return false
    const unused = preview && stored.preview_key !== preview.key ? [preview.key] : []
    tx.emit('media.removed', { mediaKeys: [upload.file_key, ...unused] })
    return true
  })
  // The upload was deleted meanwhile, or another job has finished it with the same files: then removing does nothing.
  if (!isStored)
    await ctx.write(async (tx) => tx.emit('media.removed', { mediaKeys: [fileKey, ...(preview ? [preview.key] : [])] }))
}

function describe({ original, poster }: ConvertedMedia, preview: Preview | null): object {
  const isAudio = original.width === undefined
  return { original, ...preview?.meta, ...(isAudio && poster ? { colors: poster.colours } : {}) }
}

async function downloadTo(ctx: Ctx, { key, path }: { key: string; path: string }): Promise<void> {
  const stored = await ctx.storage.open({ key })
  if (!stored) throw damagedMediaError('the upload is missing')
  await pipeline(stored.stream, createWriteStream(path, { mode: 0o600 }))
}

/**
 * Runs `work` with a temporary folder. The server deletes the folders of killed processes at its start.
 * @throws StorageFullError, StorageUnavailableError
 */
export async function withTemporaryFolder<T>(ctx: Ctx, work: (folder: string) => Promise<T>): Promise<T> {
  const root = join(ctx.config.dataDir, 'uploads')
  let folder: string | null = null
  try {
    await mkdir(root, { recursive: true, mode: 0o700 })
    folder = await mkdtemp(join(root, 'processing-'))
    return await work(folder)
  } catch (err) {
    throw toStorageError(err)
  } finally {
    if (folder !== null) await rm(folder, { recursive: true, force: true })
  }
}
