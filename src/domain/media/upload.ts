import { randomBytes } from 'node:crypto'
import { ValidationFailed } from '../../lib/errors.ts'
import type { Focus } from '../../lib/focus.ts'
import { statement } from '../../platform/db/connect.ts'
import { processImage } from '../../platform/media/image.ts'
import type { Ctx } from '../context.ts'

export const MAX_DESCRIPTION_CHARACTERS = 10_000

const insert = statement<{ id: string }>(
  `insert into media_attachments
     (account_id, type, file_key, preview_key, content_type, byte_size, meta, blurhash, description, created_at, detached_at)
   values ($1, 'image', $2, $3, $4, $5, $6, $7, $8, $9, $9) returning id`,
)

/** @throws ValidationFailed */
export function checkDescription(description: string): string | null {
  if (description.length <= MAX_DESCRIPTION_CHARACTERS) return description.trim() === '' ? null : description
  const text = `is too long (maximum is ${MAX_DESCRIPTION_CHARACTERS} characters)`
  throw new ValidationFailed([{ attribute: 'description', code: 'ERR_TOO_LONG', text }])
}

/**
 * Makes an attachment of an uploaded picture: decoded and written anew, so that nothing of the file itself is ever
 * served. The files are there before the row is, and go again if it can't be written. Returns the attachment's id.
 * @throws UnsupportedMedia · MediaUnprocessable · ValidationFailed · StorageFull
 */
export async function uploadImage(
  ctx: Ctx,
  {
    accountId,
    path,
    description,
    focus,
  }: { accountId: string; path: string; description: string; focus: Focus | null },
): Promise<string> {
  const alt = checkDescription(description)
  const { original, small, blurhash, meta } = await processImage({ path })
  // 128 random bits: the address of a file is the only key to it.
  const name = randomBytes(16).toString('hex')
  const fileKey = `media/${name.slice(0, 2)}/${name}.${original.extension}`
  const previewKey = `media/${name.slice(0, 2)}/${name}-small.${small.extension}`
  try {
    await ctx.storage.put({ key: fileKey, body: original.buffer, contentType: original.contentType })
    await ctx.storage.put({ key: previewKey, body: small.buffer, contentType: small.contentType })
    const kept = JSON.stringify(focus ? { ...meta, focus } : meta)
    return await ctx.write(async (tx) => {
      const [row] = await insert(tx.db, [
        accountId,
        fileKey,
        previewKey,
        original.contentType,
        original.buffer.length + small.buffer.length,
        kept,
        blurhash,
        alt,
        tx.now,
      ])
      return row!.id
    })
  } catch (err) {
    await ctx.storage.remove({ keys: [fileKey, previewKey] }).catch(() => {})
    throw err
  }
}
