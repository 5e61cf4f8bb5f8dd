import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { UnprocessableError } from '../../../lib/errors.ts'
import type { FocalPoint } from '../../../lib/parse-focal-point.ts'
import { statement } from '../../../platform/db/statement.ts'
import { findFfmpeg } from '../../../platform/media/audio-video/find-ffmpeg.ts'
import type { FfmpegTools } from '../../../platform/media/audio-video/find-ffmpeg.ts'
import { measureImage, processImage } from '../../../platform/media/images/process-image.ts'
import { audioVideoLimits } from '../../../platform/media/audio-video/audio-video-limits.ts'
import { probeAudioVideo } from '../../../platform/media/audio-video/probe-audio-video.ts'
import type { AudioVideoFormat } from '../../../platform/media/audio-video/probe-audio-video.ts'
import { identifyMedia } from '../../../platform/media/identify-media.ts'
import { UnprocessableMediaError } from '../../../platform/media/media-errors.ts'
import type { Ctx } from '../../context.ts'
import { deleteMedia } from './delete-media.ts'
import { checkDescription } from './check-description.ts'
import { makeMediaName, mediaKey, uploadKey } from './media-keys.ts'
import { storePreview, withPreviews } from './store-preview.ts'
import type { Preview } from './store-preview.ts'
import { processMedia } from './process-media.ts'
import { checkOwnUpload } from './update-media.ts'

/**
 * Delay of the fallback job for an upload that a request processes: by then the request has finished, or its process
 * died.
 */
const PROCESSING_FALLBACK_MS = 60 * 60_000

interface Upload {
  accountId: string
  path: string
  /** The path of an image to use as its preview. */
  thumbnailPath: string | null
  description: string
  focus: FocalPoint | null
  /** Whether it must be processed before the response. */
  waitUntilReady: boolean
}

interface NewAttachment {
  accountId: string
  type: 'image' | 'gifv' | 'video' | 'audio'
  fileKey: string
  preview: Preview | null
  contentType: string
  byteSize: number
  meta: object
  description: string | null
  focus: FocalPoint | null
  state: 'processing' | 'ready'
}

const insert = statement<{
  params: {
    accountId: string
    type: string
    fileKey: string
    key: string | null
    contentType: string
    byteSize: number
    meta: string
    blurhash: string | null
    description: string | null
    state: string
    now: Date
  }
  row: { id: string }
}>(
  `insert into media_attachments (account_id, type, file_key, preview_key, content_type, byte_size, meta, blurhash,
     description, state, created_at, detached_at)
   values ($accountId, $type, $fileKey, $key, $contentType, $byteSize, $meta, $blurhash, $description, $state, $now,
     $now) returning id`,
)

/**
 * Creates a media attachment of an uploaded file and returns its id (Mastodon: POST /api/v2/media). The uploaded file
 * is never served itself: images are re-encoded at once; a job converts videos, audio files and animated GIFs, unless
 * the request waits for it.
 * @throws UnsupportedMediaError; UnprocessableMediaError; ValidationError; StorageFullError
 */
export async function uploadMedia(ctx: Ctx, upload: Upload): Promise<string> {
  const description = checkDescription(upload.description)
  const moving = await detectMoving(ctx, upload.path)
  return withPreviews(ctx, { paths: [upload.thumbnailPath] }, async ([preview = null]) => {
    const prepared = { ...upload, description, preview }
    return moving ? storeMoving(ctx, { ...prepared, ...moving }) : storeImage(ctx, prepared)
  })
}

/**
 * Returns the format of a video, an audio file or an animated GIF, and the paths of ffmpeg and ffprobe; null for an
 * image. Without ffmpeg, an animated GIF is processed as an image.
 */
async function detectMoving(ctx: Ctx, path: string): Promise<{ format: AudioVideoFormat; tools: FfmpegTools } | null> {
  const kind = await identifyMedia({ path })
  if (kind.type === 'image' && kind.format !== 'gif') return null
  const tools = await findFfmpeg(ctx.config)
  if (kind.type === 'image') {
    return tools && (await measureImage({ path })).frames > 1 ? { format: 'gif', tools } : null
  }
  if (!tools)
    throw new UnprocessableError('Validation failed: File is a video or a sound, which this server does not take')
  return { format: kind.container, tools }
}

async function storeImage(ctx: Ctx, { accountId, path, preview, description, focus }: PreparedUpload): Promise<string> {
  const image = await processImage({ path })
  const { original } = image
  const name = makeMediaName()
  const fileKey = mediaKey(name, original.extension)
  return withStoredFiles(ctx, async (register) => {
    register(fileKey)
    await ctx.storage.put({ key: fileKey, body: original.buffer, contentType: original.contentType })
    const storedPreview = preview ?? (await storePreview(ctx, { image, name }))
    register(storedPreview.key)
    return insertAttachment(ctx, {
      accountId,
      type: 'image',
      fileKey,
      preview: storedPreview,
      contentType: original.contentType,
      byteSize: original.buffer.length + storedPreview.byteSize,
      meta: { original: image.meta.original },
      description,
      focus,
      state: 'ready',
    })
  })
}

async function storeMoving(
  ctx: Ctx,
  {
    accountId,
    path,
    preview,
    description,
    focus,
    waitUntilReady,
    format,
    tools,
  }: PreparedUpload & { format: AudioVideoFormat; tools: FfmpegTools },
): Promise<string> {
  const { size } = await stat(path)
  if (size > audioVideoLimits.maxBytes) {
    const text = `size must be less than ${audioVideoLimits.maxBytes / 1_048_576} MB`
    throw new UnprocessableMediaError({ fault: 'too-large', text })
  }
  const streams = await probeAudioVideo(tools, { path, format })
  const fileKey = uploadKey(makeMediaName())
  const id = await withStoredFiles(ctx, async (register) => {
    register(fileKey)
    const contentType = 'application/octet-stream'
    await ctx.storage.put({ key: fileKey, body: createReadStream(path), contentType })
    const type = !streams.video ? 'audio' : format === 'gif' ? 'gifv' : 'video'
    const row = {
      accountId,
      type,
      fileKey,
      preview,
      contentType,
      byteSize: size,
      meta: {},
      description,
      focus,
    } as const
    return insertAttachment(ctx, { ...row, state: 'processing' }, waitUntilReady ? PROCESSING_FALLBACK_MS : 0)
  })
  if (waitUntilReady) await processNow(ctx, { id, accountId })
  return id
}

/** Processes an upload at once; deletes it if that fails. */
async function processNow(ctx: Ctx, own: { id: string; accountId: string }): Promise<void> {
  try {
    await processMedia(ctx, { mediaId: own.id })
    await checkOwnUpload(ctx, own)
  } catch (err) {
    await ctx.write((tx) => deleteMedia(tx, own))
    throw err
  }
}

type PreparedUpload = Omit<Upload, 'description'> & { description: string | null; preview: Preview | null }

/** Deletes the registered files again if `work` fails: files are stored before their row is inserted. */
async function withStoredFiles<T>(ctx: Ctx, work: (register: (key: string) => void) => Promise<T>): Promise<T> {
  const keys: string[] = []
  try {
    return await work((key) => keys.push(key))
  } catch (err) {
    await ctx.storage.remove({ keys }).catch(() => {})
    throw err
  }
}

async function insertAttachment(ctx: Ctx, row: NewAttachment, jobDelayMs = 0): Promise<string> {
  return ctx.write(async (tx) => {
    const [inserted] = await insert(tx.db, {
      accountId: row.accountId,
      type: row.type,
      fileKey: row.fileKey,
      key: row.preview?.key ?? null,
      contentType: row.contentType,
      byteSize: row.byteSize,
      meta: JSON.stringify({ ...row.meta, ...row.preview?.meta, ...(row.focus && { focus: row.focus }) }),
      blurhash: row.preview?.blurhash ?? null,
      description: row.description,
      state: row.state,
      now: tx.now,
    })
    const mediaId = inserted!.id
    const due = jobDelayMs > 0 ? new Date(tx.now.getTime() + jobDelayMs) : undefined
    if (row.state === 'processing') tx.emit('media.uploaded', { mediaId }, due)
    return mediaId
  })
}
