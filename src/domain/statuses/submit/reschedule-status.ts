import { NotFoundError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { checkScheduledAt } from './schedule-status.ts'

const lock = statement<{ params: { id: string; accountId: string }; row: { id: string } }>(
  `select id from scheduled_statuses where id = $id and account_id = $accountId for update`,
)
const updateScheduledAt = statement<{ params: { id: string; at: Date } }>(
  `update scheduled_statuses set scheduled_at = $at where id = $id`,
)
const releaseMedia = statement<{ params: { scheduledStatusId: string; now: Date } }>(
  `update media_attachments set scheduled_status_id = null, detached_at = $now
    where scheduled_status_id = $scheduledStatusId`,
)
const remove = statement<{ params: { id: string } }>(`delete from scheduled_statuses where id = $id`)

/**
 * Moves a scheduled status of the account to another time. Mastodon: PUT /api/v1/scheduled_statuses/:id
 * @throws NotFoundError; ValidationError as `checkScheduledAt`
 */
export async function rescheduleStatus(
  tx: Tx,
  { id, accountId, at }: { id: string; accountId: string; at: Date },
): Promise<void> {
  await checkScheduledAt(tx, { accountId, at, exceptId: await lockScheduled(tx, { id, accountId }) })
  await updateScheduledAt(tx.db, { id, at })
  tx.emit('status.due', { scheduledId: id }, at)
}

/**
 * Cancels a scheduled status of the account. Its uploads can be attached to another status.
 * Mastodon: DELETE /api/v1/scheduled_statuses/:id
 * @throws NotFoundError
 */
export async function cancelScheduledStatus(
  tx: Tx,
  { id, accountId }: { id: string; accountId: string },
): Promise<void> {
  await lockScheduled(tx, { id, accountId })
  await releaseMedia(tx.db, { scheduledStatusId: id, now: tx.now })
  await remove(tx.db, { id })
}

async function lockScheduled(tx: Tx, { id, accountId }: { id: string; accountId: string }): Promise<string> {
  const [row] = await lock(tx.db, { id, accountId })
  if (!row) throw new NotFoundError()
  return row.id
}
