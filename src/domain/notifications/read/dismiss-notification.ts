import { NotFoundError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'

const remove = statement<{ params: { id: string; accountId: string }; row: { id: string } }>(
  `delete from notifications where id = $id and account_id = $accountId returning id`,
)

/** Deletes a notification of the account. @throws NotFoundError also for a notification of another account */
export async function dismissNotification(tx: Tx, { id, accountId }: { id: string; accountId: string }): Promise<void> {
  const [row] = await remove(tx.db, { id, accountId })
  if (!row) throw new NotFoundError()
}
