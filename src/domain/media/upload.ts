import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Unprocessable } from '../../lib/errors.ts'
import type { Focus } from '../../lib/focus.ts'
import { statement } from '../../platform/db/statement.ts'
import { findFfmpeg } from '../../platform/media/ffmpeg.ts'
import type { Ffmpeg } from '../../platform/media/ffmpeg.ts'
import { measureImage, processImage } from '../../platform/media/image.ts'
import { movingLimits } from '../../platform/media/moving-limits.ts'
import { probeMoving } from '../../platform/media/probe-moving.ts'
import type { MovingFormat } from '../../platform/media/probe-moving.ts'
import { identify } from '../../platform/media/probe.ts'
import { MediaUnprocessable } from '../../platform/media/refusals.ts'
import type { Ctx } from '../context.ts'
import { deleteMedia } from './delete.ts'
import { checkDescription } from './description.ts'
import { makeMediaName, mediaKey, rawKey } from './keys.ts'
import { storePreview, withPreviews } from './preview.ts'
import type { Preview } from './preview.ts'
import { processMedia } from './process.ts'
import { checkOwnMedia } from './update.ts'

/** Whoever works on an upload while its sender waits is done by then, or is no more. */
const RESCUE_MS = 60 * 60_000

interface Upload {
  accountId: string
  path: string
  /** A picture that shall stand for it. */
  thumbnailPath: string | null
  description: string
  focus: Focus | null
  /** Whether it is to be ready with the answer. */
  waits: boolean
}

interface NewRow {
  accountId: string
  type: 'image' | 'gifv' | 'video' | 'audio'
  fileKey: string
  preview: Preview | null
  contentType: string
  byteSize: number
  meta: object
  description: string | null
  focus: Focus | null
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
 * Makes an attachment of an uploaded file. Nothing of the file itself is ever served: a picture is written anew at once;
 * of a video, a sound or an animated GIF the rest is done by a job, unless its sender waits for it. Returns the
 * attachment's id.
 * @throws UnsupportedMedia · MediaUnprocessable · ValidationFailed · StorageFull
 */
export async function uploadMedia(ctx: Ctx, upload: Upload): Promise<string> {
  const description = checkDescription(upload.description)
  const moving = await findMoving(ctx, upload.path)
  return withPreviews(ctx, { paths: [upload.thumbnailPath] }, async ([preview = null]) => {
    const kept = { ...upload, description, preview }
    return moving ? keepMoving(ctx, { ...kept, ...moving }) : keepPicture(ctx, kept)
  })
}

/** The file's format and the programs for it, if it moves or sounds. An animated GIF stays a picture without them. */
async function findMoving(ctx: Ctx, path: string): Promise<{ format: MovingFormat; tools: Ffmpeg } | null> {
  const kind = await identify({ path })
  if (kind.type === 'image' && kind.format !== 'gif') return null
  const tools = await findFfmpeg(ctx.config)
  if (kind.type === 'image') {
    return tools && (await measureImage({ path })).frames > 1 ? { format: 'gif', tools } : null
  }
  if (!tools) throw new Unprocessable('Validation failed: File is a video or a sound, which this server does not take')
  return { format: kind.container, tools }
}

async function keepPicture(ctx: Ctx, { accountId, path, preview, description, focus }: Kept): Promise<string> {
  const picture = await processImage({ path })
  const { original } = picture
  const name = makeMediaName()
  const fileKey = mediaKey(name, original.extension)
  return keepFiles(ctx, async (note) => {
    note(fileKey)
    await ctx.storage.put({ key: fileKey, body: original.buffer, contentType: original.contentType })
    const shown = preview ?? (await storePreview(ctx, { picture, name }))
    note(shown.key)
    return insertRow(ctx, {
      accountId,
      type: 'image',
      fileKey,
      preview: shown,
      contentType: original.contentType,
      byteSize: original.buffer.length + shown.byteSize,
      meta: { original: picture.meta.original },
      description,
      focus,
      state: 'ready',
    })
  })
}

async function keepMoving(
  ctx: Ctx,
  {
    accountId,
    path,
    preview,
    description,
    focus,
    waits,
    format,
    tools,
  }: Kept & { format: MovingFormat; tools: Ffmpeg },
): Promise<string> {
  const { size } = await stat(path)
  if (size > movingLimits.maxBytes) {
    const text = `size must be less than ${movingLimits.maxBytes / 1_048_576} MB`
    throw new MediaUnprocessable({ fault: 'too-large', text })
  }
  const facts = await probeMoving(tools, { path, format })
  const fileKey = rawKey(makeMediaName())
  const id = await keepFiles(ctx, async (note) => {
    note(fileKey)
    const contentType = 'application/octet-stream'
    await ctx.storage.put({ key: fileKey, body: createReadStream(path), contentType })
    const type = !facts.video ? 'audio' : format === 'gif' ? 'gifv' : 'video'
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
    return insertRow(ctx, { ...row, state: 'processing' }, waits ? RESCUE_MS : 0)
  })
  if (waits) await finish(ctx, { id, accountId })
  return id
}

/** Works on an upload at once; one that comes to nothing is gone. */
async function finish(ctx: Ctx, own: { id: string; accountId: string }): Promise<void> {
  try {
    await processMedia(ctx, { mediaId: own.id })
    await checkOwnMedia(ctx, own)
  } catch (err) {
    await ctx.write((tx) => deleteMedia(tx, own))
    throw err
  }
}

type Kept = Omit<Upload, 'description'> & { description: string | null; preview: Preview | null }

/** Files that are noted go again where the work fails: they are there before the row is. */
async function keepFiles<T>(ctx: Ctx, work: (note: (key: string) => void) => Promise<T>): Promise<T> {
  const keys: string[] = []
  try {
    return await work((key) => keys.push(key))
  } catch (err) {
    await ctx.storage.remove({ keys }).catch(() => {})
    throw err
  }
}

async function insertRow(ctx: Ctx, row: NewRow, jobDelayMs = 0): Promise<string> {
  return ctx.write(async (tx) => {
    const [made] = await insert(tx.db, {
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
    const mediaId = made!.id
    const due = jobDelayMs > 0 ? new Date(tx.now.getTime() + jobDelayMs) : undefined
    if (row.state === 'processing') tx.emit('media.uploaded', { mediaId }, due)
    return mediaId
  })
}
