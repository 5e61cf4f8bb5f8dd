import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { OutOfStorage, Unprocessable } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import { convertMoving } from '../../platform/media/convert-moving.ts'
import type { Converted } from '../../platform/media/convert-moving.ts'
import { findFfmpeg } from '../../platform/media/ffmpeg.ts'
import { probeMoving } from '../../platform/media/probe-moving.ts'
import { identify } from '../../platform/media/probe.ts'
import { refuseDamaged } from '../../platform/media/refusals.ts'
import { isFull } from '../../platform/storage/is-full.ts'
import type { Ctx } from '../context.ts'
import { mediaKey, nameOfKey } from './keys.ts'
import { storePreview } from './preview.ts'
import type { Preview } from './preview.ts'

interface Waiting {
  type: string
  /** Where the upload itself lies. */
  file_key: string
  preview_key: string | null
}

const find = statement<{ params: { mediaId: string }; row: Waiting; notNull: 'file_key' }>(
  `select type, file_key, preview_key from media_attachments where id = $mediaId and state = 'processing'`,
)
// A preview that was chosen meanwhile stays, with what it says of itself.
const finish = statement<{
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
const fail = statement<{ params: { mediaId: string; fileKey: string } }>(
  `update media_attachments set state = 'failed', file_key = null
   where id = $mediaId and state = 'processing' and file_key = $fileKey returning id`,
)

/**
 * Effect: makes what is shown of a video, a sound or an animated GIF. Its files have names that follow from the
 * upload's, so whoever does it again after a crash writes the same ones.
 */
export async function processMedia(ctx: Ctx, { mediaId }: { mediaId: string }): Promise<void> {
  const [waiting] = await find(ctx.db, { mediaId })
  if (!waiting) return
  try {
    await inFolder(ctx, (folder) => convert(ctx, { mediaId, waiting, folder }))
  } catch (err) {
    if (!(err instanceof Unprocessable)) throw err
    ctx.log.info({ err, mediaId }, 'an upload could not be processed')
    await ctx.write(async (tx) => {
      const failed = await fail(tx.db, { mediaId, fileKey: waiting.file_key })
      if (failed.length > 0) tx.emit('media.removed', { mediaKeys: [waiting.file_key] })
    })
  }
}

async function convert(
  ctx: Ctx,
  { mediaId, waiting, folder }: { mediaId: string; waiting: Waiting; folder: string },
): Promise<void> {
  const tools = await findFfmpeg(ctx.config)
  if (!tools) throw new Error('ffmpeg is not there any more')
  const path = join(folder, 'upload')
  await copyTo(ctx, { key: waiting.file_key, path })
  const kind = await identify({ path })
  const source = { path, format: kind.type === 'moving' ? kind.container : ('gif' as const) }
  const facts = await probeMoving(tools, source)
  const converted = await convertMoving(tools, { source, facts, folder })
  const name = nameOfKey(waiting.file_key)
  const fileKey = mediaKey(name, converted.extension)
  await ctx.storage.put({
    key: fileKey,
    body: createReadStream(converted.path),
    contentType: converted.contentType,
  })
  const preview = converted.poster && (await storePreview(ctx, { picture: converted.poster, name }))
  const isKept = await ctx.write(async (tx) => {
    const [kept] = await finish(tx.db, {
      mediaId,
      originalKey: waiting.file_key,
      fileKey,
      contentType: converted.contentType,
      byteSize: converted.byteSize + (preview?.byteSize ?? 0),
      key: preview?.key ?? null,
      blurhash: preview?.blurhash ?? null,
      meta: JSON.stringify(describe(converted, preview)),
    })
    if (!kept) return false
    const unused = preview && kept.preview_key !== preview.key ? [preview.key] : []
    tx.emit('media.removed', { mediaKeys: [waiting.file_key, ...unused] })
    return true
  })
  // It was taken back meanwhile, unless somebody else was first with the very same files.
  if (!isKept)
    await ctx.write(async (tx) => tx.emit('media.removed', { mediaKeys: [fileKey, ...(preview ? [preview.key] : [])] }))
}

function describe({ original, poster }: Converted, preview: Preview | null): object {
  const isSound = original.width === undefined
  return { original, ...preview?.meta, ...(isSound && poster ? { colors: poster.colours } : {}) }
}

async function copyTo(ctx: Ctx, { key, path }: { key: string; path: string }): Promise<void> {
  const stored = await ctx.storage.open({ key })
  if (!stored) throw refuseDamaged('the upload is gone')
  await pipeline(stored.stream, createWriteStream(path, { mode: 0o600 }))
}

/** What a dead process leaves here is swept with what requests leave. @throws OutOfStorage */
async function inFolder(ctx: Ctx, work: (folder: string) => Promise<void>): Promise<void> {
  const root = join(ctx.config.dataDir, 'uploads')
  await mkdir(root, { recursive: true, mode: 0o700 })
  const folder = await mkdtemp(join(root, 'processing-'))
  try {
    await work(folder)
  } catch (err) {
    throw isFull(err) ? new OutOfStorage() : err
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
