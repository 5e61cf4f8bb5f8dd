import { NotFoundError, UnprocessableError } from '../../../lib/errors.ts'
import type { FocalPoint } from '../../../lib/parse-focal-point.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Read, Tx } from '../../context.ts'
import type { Preview } from './store-preview.ts'
import { checkDescription } from './check-description.ts'

interface MediaUpdate {
  id: string
  accountId: string
  description?: string
  focus?: FocalPoint | null
  /** A stored preview that replaces the present one. */
  preview?: Preview | null
}

const update = statement<{
  params: {
    id: string
    accountId: string
    changesDescription: boolean
    alt: string | null
    meta: string
    key: string | null
    blurhash: string | null
  }
  row: { old_preview_key: string | null }
}>(
  `with before as (
     select id, preview_key from media_attachments where id = $id and account_id = $accountId
       and status_id is null for update
   )
   update media_attachments m
   set description = case when $changesDescription then $alt else m.description end, meta = m.meta || $meta::jsonb,
     preview_key = coalesce($key, m.preview_key), blurhash = coalesce($blurhash, m.blurhash)
   from before where m.id = before.id returning before.preview_key as old_preview_key`,
)

/**
 * Updates an upload that belongs to no status yet (Mastodon: PUT /api/v1/media/:id).
 * @throws NotFoundError for attached and for other users' uploads; ValidationError
 */
export async function updateMedia(
  tx: Tx,
  { id, accountId, description, focus, preview = null }: MediaUpdate,
): Promise<void> {
  const alt = description === undefined ? null : checkDescription(description)
  const [before] = await update(tx.db, {
    id,
    accountId,
    changesDescription: description !== undefined,
    alt,
    meta: JSON.stringify({ ...(focus && { focus }), ...preview?.meta }),
    key: preview?.key ?? null,
    blurhash: preview?.blurhash ?? null,
  })
  if (!before) throw new NotFoundError()
  if (preview && before.old_preview_key) tx.emit('media.removed', { mediaKeys: [before.old_preview_key] })
}

const findOwnUpload = statement<{
  params: { id: string; accountId: string }
  row: { state: 'processing' | 'ready' | 'failed' }
}>(`select state from media_attachments where id = $id and account_id = $accountId and status_id is null`)

/**
 * Returns whether a user's upload is ready or is being processed.
 * @throws NotFoundError for attached and for other users' uploads; UnprocessableError if its processing failed
 */
export async function checkOwnUpload(
  read: Read,
  { id, accountId }: { id: string; accountId: string },
): Promise<'processing' | 'ready'> {
  const [found] = await findOwnUpload(read.db, { id, accountId })
  if (!found) throw new NotFoundError()
  if (found.state === 'failed') throw new UnprocessableError('Error processing thumbnail for uploaded media')
  return found.state
}
