import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { lockAccounts } from '../../core/lock-accounts.ts'

// Pins only the account's own statuses, and no reblogs and direct statuses, whatever the remote server sends.
const insert = statement<{ params: { accountId: string; statusIds: readonly string[]; now: Date } }>(
  `insert into status_pins (account_id, status_id, created_at)
   select s.account_id, s.id, $now from unnest($statusIds::bigint[]) with ordinality pinned (id, place)
     join statuses s on s.id = pinned.id
   where s.account_id = $accountId and s.reblog_of_id is null and s.visibility <> 'direct' and s.deleted_at is null
   order by pinned.place desc
   on conflict do nothing`,
)
const removeOthers = statement<{ params: { accountId: string; statusIds: readonly string[] } }>(
  `delete from status_pins where account_id = $accountId and not status_id = any($statusIds::bigint[])`,
)
const remove = statement<{ params: { accountId: string; statusId: string } }>(
  `delete from status_pins where account_id = $accountId and status_id = $statusId`,
)

type Pin = { accountId: string; statusId: string }

/**
 * Replaces the pinned statuses of a remote account with these, in the order of its `featured` collection; removes all
 * other pins.
 */
export async function replaceRemotePins(
  tx: Tx,
  { accountId, statusIds }: { accountId: string; statusIds: readonly string[] },
): Promise<void> {
  await lockAccounts(tx, { ids: [accountId] })
  await removeOthers(tx.db, { accountId, statusIds })
  await insert(tx.db, { accountId, statusIds, now: tx.now })
}

/** Pins a status of a remote account (an Add of its `featured` collection). A status that is pinned already stays so. */
export async function addRemotePin(tx: Tx, { accountId, statusId }: Pin): Promise<void> {
  await insert(tx.db, { accountId, statusIds: [statusId], now: tx.now })
}

/** Unpins a status of a remote account (a Remove of its `featured` collection). */
export async function removeRemotePin(tx: Tx, { accountId, statusId }: Pin): Promise<void> {
  await remove(tx.db, { accountId, statusId })
}
