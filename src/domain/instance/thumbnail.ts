import { randomBytes } from 'node:crypto'
import { ValidationError } from '../../lib/errors.ts'
import { cleanText } from '../../lib/text/clean-text.ts'
import { statement } from '../../platform/db/statement.ts'
import { putAll } from '../../platform/storage/put-all.ts'
import { processThumbnail } from '../../platform/media/images/process-thumbnail.ts'
import type { MediaSource } from '../../platform/media/identify-media.ts'
import type { Ctx, Read, Tx } from '../context.ts'
import { recordAuditEntry } from '../core/record-audit-entry.ts'
import type { Actor } from '../core/record-audit-entry.ts'

export const MAX_THUMBNAIL_DESCRIPTION_CHARACTERS = 1_500

/** The image that represents the server in apps, link previews and on the front page. */
export interface ThumbnailRow {
  /** The key of the stored file, at most 1200 × 630 pixels. */
  file_key: string
  /** The key of the file with 2400 × 1260 pixels; null: the uploaded image was smaller. */
  large_file_key: string | null
  blurhash: string
  /** The alternative text; may be empty. */
  description: string
}

type ThumbnailFiles = Omit<ThumbnailRow, 'description'>

const find = statement<{ row: ThumbnailRow }>(
  `select file_key, large_file_key, blurhash, description from instance_thumbnails`,
)
const upsert = statement<{
  params: { fileKey: string; largeFileKey: string | null; blurhash: string; description: string; now: Date }
}>(
  `insert into instance_thumbnails (file_key, large_file_key, blurhash, description, updated_at)
   values ($fileKey, $largeFileKey, $blurhash, $description, $now)
   on conflict (id) do update set file_key = excluded.file_key, large_file_key = excluded.large_file_key,
     blurhash = excluded.blurhash, description = excluded.description, updated_at = excluded.updated_at`,
)
const remove = statement<{ row: Pick<ThumbnailRow, 'file_key' | 'large_file_key'> }>(
  `delete from instance_thumbnails returning file_key, large_file_key`,
)
const describe = statement<{ params: { description: string; now: Date }; row: { id: string } }>(
  `update instance_thumbnails set description = $description, updated_at = $now returning id`,
)
const lock = statement<{ row: Pick<ThumbnailRow, 'file_key' | 'large_file_key'> }>(
  `select file_key, large_file_key from instance_thumbnails for no key update`,
)

/** Returns the image that represents the server; null if the staff have chosen none. */
export async function findThumbnail(read: Read): Promise<ThumbnailRow | null> {
  return (await find(read.db))[0] ?? null
}

/**
 * Stores an image that represents the server, in place of the last one. Without an image, only its description changes.
 * @throws ValidationError for a long description, if there is no image to describe, and if neither is given; UnsupportedMediaError;
 *   UnprocessableMediaError; StorageFullError
 */
export async function saveThumbnail(
  ctx: Ctx,
  { by, image, description }: { by: Actor; image: MediaSource | null; description: string | null },
): Promise<void> {
  const text = description === null ? null : checkThumbnailDescription(description)
  if (!image) {
    if (text === null) throw blankImageError()
    await ctx.write((tx) => describeThumbnail(tx, { by, description: text }))
    return
  }
  const files = await storeFiles(ctx, image)
  try {
    await ctx.write((tx) => replaceThumbnail(tx, { by, files, description: text ?? '' }))
  } catch (err) {
    await ctx.storage.remove({ keys: keysOf(files) }).catch(() => {})
    throw err
  }
}

/** Removes the image that represents the server; without one, nothing changes. */
export async function removeThumbnail(tx: Tx, { by }: { by: Actor }): Promise<void> {
  const [removed] = await remove(tx.db)
  if (!removed) return
  tx.emit('media.removed', { mediaKeys: keysOf(removed) })
  await record(tx, { by, action: 'reset', details: {} })
}

function checkThumbnailDescription(description: string): string {
  const text = cleanText(description).trim()
  if (text.length <= MAX_THUMBNAIL_DESCRIPTION_CHARACTERS) return text
  const problem = `is too long (maximum is ${MAX_THUMBNAIL_DESCRIPTION_CHARACTERS} characters)`
  throw new ValidationError([{ attribute: 'description', code: 'ERR_TOO_LONG', text: problem }])
}

const blankImageError = () => new ValidationError([{ attribute: 'image', code: 'ERR_BLANK', text: "can't be blank" }])

async function describeThumbnail(tx: Tx, { by, description }: { by: Actor; description: string }): Promise<void> {
  const [changed] = await describe(tx.db, { description, now: tx.now })
  if (!changed) throw blankImageError()
  await record(tx, { by, action: 'update', details: { description } })
}

async function replaceThumbnail(
  tx: Tx,
  { by, files, description }: { by: Actor; files: ThumbnailFiles; description: string },
): Promise<void> {
  const [before] = await lock(tx.db)
  const { file_key: fileKey, large_file_key: largeFileKey, blurhash } = files
  await upsert(tx.db, { fileKey, largeFileKey, blurhash, description, now: tx.now })
  if (before) tx.emit('media.removed', { mediaKeys: keysOf(before) })
  await record(tx, { by, action: 'update', details: { image: true, description } })
}

async function record(
  tx: Tx,
  {
    by,
    action,
    details,
  }: { by: Actor; action: 'update' | 'reset'; details: { image?: boolean; description?: string } },
): Promise<void> {
  await recordAuditEntry(tx, { by, action, targetType: 'setting', targetId: null, label: 'thumbnail', details })
}

const keysOf = ({ file_key: key, large_file_key: large }: Pick<ThumbnailRow, 'file_key' | 'large_file_key'>) =>
  large === null ? [key] : [key, large]

async function storeFiles(ctx: Pick<Ctx, 'storage'>, source: MediaSource): Promise<ThumbnailFiles> {
  const { normal, large, blurhash } = await processThumbnail(source)
  const name = randomBytes(16).toString('hex')
  const folder = `site/${name.slice(0, 2)}/${name}`
  const key = `${folder}.${normal.extension}`
  const largeFile = large && {
    key: `${folder}-large.${large.extension}`,
    body: large.buffer,
    contentType: large.contentType,
  }
  await putAll(ctx.storage, [
    { key, body: normal.buffer, contentType: normal.contentType },
    ...(largeFile ? [largeFile] : []),
  ])
  return { file_key: key, large_file_key: largeFile?.key ?? null, blurhash }
}
