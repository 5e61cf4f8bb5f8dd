import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { lockAccounts } from '../relationships/lock-accounts.ts'

// Only somebody's own statuses, and no boosts, stand on top of their profile, whatever their server says.
const insert = statement<{ params: { accountId: string; statusIds: readonly string[]; now: Date } }>(
  `insert into pins (account_id, status_id, created_at)
   select s.account_id, s.id, $now from unnest($statusIds::bigint[]) with ordinality wanted (id, place)
     join statuses s on s.id = wanted.id
   where s.account_id = $accountId and s.reblog_of_id is null and s.visibility <> 'direct' and s.deleted_at is null
   order by wanted.place desc
   on conflict do nothing`,
)
const keepOnly = statement<{ params: { accountId: string; statusIds: readonly string[] } }>(
  `delete from pins where account_id = $accountId and not status_id = any($statusIds::bigint[])`,
)
const remove = statement<{ params: { accountId: string; statusId: string } }>(
  `delete from pins where account_id = $accountId and status_id = $statusId`,
)

type Pin = { accountId: string; statusId: string }

/** Takes in what somebody of another server put on top of their profile; the first comes first. The rest is taken down. */
export async function replaceRemotePins(
  tx: Tx,
  { accountId, statusIds }: { accountId: string; statusIds: readonly string[] },
): Promise<void> {
  await lockAccounts(tx, { ids: [accountId] })
  await keepOnly(tx.db, { accountId, statusIds })
  await insert(tx.db, { accountId, statusIds, now: tx.now })
}

export async function addRemotePin(tx: Tx, { accountId, statusId }: Pin): Promise<void> {
  await insert(tx.db, { accountId, statusIds: [statusId], now: tx.now })
}

export async function removeRemotePin(tx: Tx, { accountId, statusId }: Pin): Promise<void> {
  await remove(tx.db, { accountId, statusId })
}
