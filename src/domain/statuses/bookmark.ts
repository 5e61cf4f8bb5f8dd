import { NotFound } from '../../lib/errors.ts'
import { statement } from '../../platform/db/connect.ts'
import type { Tx } from '../context.ts'
import { findVisibleStatus } from './visibility.ts'

const insert = statement(
  `insert into bookmarks (account_id, status_id, created_at) values ($1, $2, $3) on conflict do nothing`,
)
const remove = statement<{ id: string }>(`delete from bookmarks where account_id = $1 and status_id = $2 returning id`)

/** Keeps a status that the person may see, for them alone; of a boost, what it boosts. Returns its id. @throws NotFound */
export async function bookmarkStatus(
  tx: Tx,
  { accountId, statusId }: { accountId: string; statusId: string },
): Promise<string> {
  const found = await findVisibleStatus(tx, { id: statusId, viewerId: accountId })
  const id = found.reblog_of_id ?? found.id
  await insert(tx.db, [accountId, id, tx.now])
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
  const removed = await remove(tx.db, [accountId, id])
  if (removed.length === 0 && !visible) throw new NotFound()
  return { id, visible: visible !== null }
}
