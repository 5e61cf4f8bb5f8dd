import { UnprocessableError } from '../../../lib/errors.ts'
import { isId } from '../../../lib/ids.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'

export const MAX_MEDIA = 4

interface Claimed {
  id: string
  type: string
  state: 'processing' | 'ready' | 'failed'
}

const claim = statement<{ params: { ownerId: string; mediaIds: readonly string[]; accountId: string }; row: Claimed }>(
  `update media_attachments m set status_id = $ownerId, position = upload.place, detached_at = null, withdrawn_at = null
   from unnest($mediaIds::bigint[]) with ordinality as upload (id, place)
   where m.id = upload.id and m.account_id = $accountId and (m.status_id is null and m.scheduled_status_id is null or m.status_id = $ownerId)
   returning m.id, m.type, m.state`,
)

const claimForLater = statement<{
  params: { ownerId: string; mediaIds: readonly string[]; accountId: string }
  row: Claimed
}>(
  `update media_attachments m set scheduled_status_id = $ownerId, detached_at = null
   where m.id = any($mediaIds::bigint[]) and m.account_id = $accountId and m.status_id is null and m.scheduled_status_id is null
   returning m.id, m.type, m.state`,
)

/**
 * Attaches uploads to a status, in the given order; for uploads that are attached already, only the position changes.
 * If two statuses claim the same upload at the same time, one of them fails.
 * @throws UnprocessableError for too many uploads, for videos or audio beside other media, for uploads that are not
 *   processed yet, and for uploads that are not the author's or are attached to another status
 */
export async function claimMedia(
  tx: Tx,
  { statusId, accountId, mediaIds }: { statusId: string; accountId: string; mediaIds: readonly string[] },
): Promise<void> {
  await claimWith(claim, tx, { ownerId: statusId, accountId, mediaIds })
}

/**
 * Reserves uploads for a scheduled status: no other status can claim them. @throws UnprocessableError as `claimMedia`
 */
export async function claimMediaForLater(
  tx: Tx,
  { scheduledId, accountId, mediaIds }: { scheduledId: string; accountId: string; mediaIds: readonly string[] },
): Promise<void> {
  await claimWith(claimForLater, tx, { ownerId: scheduledId, accountId, mediaIds })
}

async function claimWith(
  claimRows: typeof claim,
  tx: Tx,
  { ownerId, accountId, mediaIds }: { ownerId: string; accountId: string; mediaIds: readonly string[] },
): Promise<void> {
  const ids = [...new Set(mediaIds)]
  if (ids.length === 0) return
  if (ids.length > MAX_MEDIA) throw new UnprocessableError(`Cannot attach more than ${MAX_MEDIA} files`)
  const rows = await claimRows(tx.db, { ownerId, mediaIds: ids.filter(isId), accountId })
  const claimed = new Set(rows.map((row) => row.id))
  const missing = ids.filter((id) => !claimed.has(id))
  if (missing.length > 0) {
    throw new UnprocessableError(`Media ${missing.join(', ')} not found or already attached to another post`)
  }
  if (rows.some(({ state }) => state !== 'ready')) {
    throw new UnprocessableError('Cannot attach files that have not finished processing. Try again in a moment!')
  }
  if (rows.length > 1 && rows.some(({ type }) => type === 'video' || type === 'audio')) {
    throw new UnprocessableError('Cannot attach a video to a post that already contains images')
  }
}
