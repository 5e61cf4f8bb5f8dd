import { NotFound, Unprocessable } from '../../lib/errors.ts'
import type { Focus } from '../../lib/focus.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read, Tx } from '../context.ts'
import type { Preview } from './preview.ts'
import { checkDescription } from './description.ts'

interface Change {
  id: string
  accountId: string
  description?: string
  focus?: Focus | null
  /** Stored, in the place of the one that it has. */
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

/** Changes an upload that no status has yet. @throws NotFound for all others, whosever they are · ValidationFailed */
export async function updateMedia(
  tx: Tx,
  { id, accountId, description, focus, preview = null }: Change,
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
  if (!before) throw new NotFound()
  if (preview && before.old_preview_key) tx.emit('media.removed', { mediaKeys: [before.old_preview_key] })
}

const findOwn = statement<{
  params: { id: string; accountId: string }
  row: { state: 'processing' | 'ready' | 'failed' }
}>(`select state from media_attachments where id = $id and account_id = $accountId and status_id is null`)

/**
 * Whether an upload can be shown, or is still being worked on.
 * @throws NotFound unless it is the person's own and no status has it yet · Unprocessable for one that came to nothing
 */
export async function checkOwnMedia(
  read: Read,
  { id, accountId }: { id: string; accountId: string },
): Promise<'processing' | 'ready'> {
  const [found] = await findOwn(read.db, { id, accountId })
  if (!found) throw new NotFound()
  if (found.state === 'failed') throw new Unprocessable('Error processing thumbnail for uploaded media')
  return found.state
}
