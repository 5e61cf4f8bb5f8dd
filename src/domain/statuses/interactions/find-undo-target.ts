import { NotFoundError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import { findVisibleStatus } from '../../access/visibility.ts'
import type { Tx } from '../../context.ts'

const findOriginal = statement<{ params: { statusId: string }; row: { id: string }; notNull: 'id' }>(
  `select coalesce(reblog_of_id, id) as id from statuses where id = $statusId and deleted_at is null`,
)

/**
 * Returns the status whose interaction is to be undone, for the id of a status or of a reblog of it, and whether the
 * account may see what it named: an interaction can be undone after the status, or only the reblog, has become hidden.
 */
export async function findUndoTarget(
  tx: Tx,
  { accountId, statusId }: { accountId: string; statusId: string },
): Promise<{ id: string; visible: boolean }> {
  try {
    const { id, reblog_of_id: originalId } = await findVisibleStatus(tx, { id: statusId, viewerId: accountId })
    return { id: originalId ?? id, visible: true }
  } catch (err) {
    if (!(err instanceof NotFoundError)) throw err
    const [original] = await findOriginal(tx.db, { statusId })
    return { id: original?.id ?? statusId, visible: false }
  }
}
