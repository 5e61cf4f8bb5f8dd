import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

/** A follow, or a request, that has ended. */
export interface CutFollow {
  /** Of the activity that asked for it; null where both are of here, or nobody said. */
  uri: string | null
  /** Whether the one who followed or asked is of another server, which has to be told. */
  fromElsewhere: boolean
}

const removeFrom = (table: string) =>
  statement<{ params: { accountId: string; targetAccountId: string }; row: CutFollow }>(
    `delete from ${table} where account_id = $accountId and target_account_id = $targetAccountId
     returning uri, (select domain is not null from accounts where id = $accountId) as "fromElsewhere"`,
  )
const remove = removeFrom('follows')
const removeRequest = removeFrom('follow_requests')
const discount = statement<{ params: { accountId: string; targetAccountId: string } }>(
  `update account_stats set
     following_count = greatest(0, following_count - case when account_id = $accountId then 1 else 0 end),
     followers_count = greatest(0, followers_count - case when account_id = $targetAccountId then 1 else 0 end)
   where account_id = any(array[$accountId, $targetAccountId]::bigint[])`,
)
const withdraw = statement<{ params: { accountId: string; targetAccountId: string; type: string } }>(
  `delete from notifications where account_id = $targetAccountId and from_account_id = $accountId and type = $type
    and status_id is null`,
)

interface Pair {
  /** Who follows, or asks to. */
  accountId: string
  targetAccountId: string
}

/** Ends a follow, with its counters and the notification of it; both accounts are locked. Null when there was none. */
export async function cutFollow(tx: Tx, { accountId, targetAccountId }: Pair): Promise<CutFollow | null> {
  const [row] = await remove(tx.db, { accountId, targetAccountId })
  if (!row) return null
  await discount(tx.db, { accountId, targetAccountId })
  await withdraw(tx.db, { accountId, targetAccountId, type: 'follow' })
  return row
}

/** Ends a request to follow, with the notification of it; both accounts are locked. Null when there was none. */
export async function cutRequest(tx: Tx, { accountId, targetAccountId }: Pair): Promise<CutFollow | null> {
  const [row] = await removeRequest(tx.db, { accountId, targetAccountId })
  if (!row) return null
  await withdraw(tx.db, { accountId, targetAccountId, type: 'follow_request' })
  return row
}
