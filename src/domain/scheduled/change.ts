import { NotFound } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { checkMoment } from './schedule.ts'

const lock = statement<{ params: { id: string; accountId: string }; row: { id: string } }>(
  `select id from scheduled_statuses where id = $id and account_id = $accountId for update`,
)
const move = statement<{ params: { id: string; at: Date } }>(
  `update scheduled_statuses set scheduled_at = $at where id = $id`,
)
const freeMedia = statement<{ params: { scheduledStatusId: string; now: Date } }>(
  `update media_attachments set scheduled_status_id = null, detached_at = $now
    where scheduled_status_id = $scheduledStatusId`,
)
const remove = statement<{ params: { id: string } }>(`delete from scheduled_statuses where id = $id`)

/** Posts somebody's scheduled status at another moment. @throws NotFound · ValidationFailed */
export async function rescheduleStatus(
  tx: Tx,
  { id, accountId, at }: { id: string; accountId: string; at: Date },
): Promise<void> {
  await checkMoment(tx, { accountId, at, exceptId: await hold(tx, { id, accountId }) })
  await move(tx.db, { id, at })
  tx.emit('status.due', { scheduledId: id }, at)
}

/** Never posts it. Its uploads become free again. @throws NotFound */
export async function cancelScheduledStatus(
  tx: Tx,
  { id, accountId }: { id: string; accountId: string },
): Promise<void> {
  await hold(tx, { id, accountId })
  await freeMedia(tx.db, { scheduledStatusId: id, now: tx.now })
  await remove(tx.db, { id })
}

async function hold(tx: Tx, { id, accountId }: { id: string; accountId: string }): Promise<string> {
  const [row] = await lock(tx.db, { id, accountId })
  if (!row) throw new NotFound()
  return row.id
}
