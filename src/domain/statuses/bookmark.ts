import { NotFound } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { findVisibleStatus } from './visibility.ts'

const insert = statement<{ params: { accountId: string; statusId: string; now: Date } }>(
  `insert into bookmarks (account_id, status_id, created_at) values ($accountId, $statusId, $now)
    on conflict do nothing`,
)
const remove = statement<{ params: { accountId: string; statusId: string }; row: { id: string } }>(
  `delete from bookmarks where account_id = $accountId and status_id = $statusId returning id`,
)

/** Keeps a status that the person may see, for them alone; of a boost, what it boosts. Returns its id. @throws NotFound */
export async function bookmarkStatus(
  tx: Tx,
  { accountId, statusId }: { accountId: string; statusId: string },
): Promise<string> {
  const found = await findVisibleStatus(tx, { id: statusId, viewerId: accountId })
  const id = found.reblog_of_id ?? found.id
  await insert(tx.db, { accountId, statusId: id, now: tx.now })
  return id
}

/**
 * Keeps a status no longer, also one that the person may not see any more. Returns the status's id.
 * @throws NotFound when it was not kept and is hidden
 */
export async function unbookmarkStatus(
  tx: Tx,
  { accountId, statusId }: { accountId: string; statusId: string },
): Promise<{ id: string; visible: boolean }> {
  const visible = await findVisibleStatus(tx, { id: statusId, viewerId: accountId }).catch((err: unknown) => {
    if (err instanceof NotFound) return null
    throw err
  })
  const id = visible?.reblog_of_id ?? statusId
  const removed = await remove(tx.db, { accountId, statusId: id })
  if (removed.length === 0 && !visible) throw new NotFound()
  return { id, visible: visible !== null }
}
