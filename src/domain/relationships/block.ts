import { statement } from '../../platform/db/connect.ts'
import { findAccount } from '../accounts/find.ts'
import type { Tx } from '../context.ts'
import { holdNotifications } from '../notifications/hold.ts'
import { cutFollow, cutRequest } from './cut-follow.ts'
import { lockAccounts } from './lock-accounts.ts'

const insert = statement<{ id: string }>(
  `insert into blocks (account_id, target_account_id, created_at) values ($1, $2, $3)
   on conflict (account_id, target_account_id) do nothing returning id`,
)
const removeNotifications = statement(`delete from notifications where account_id = $1 and from_account_id = $2`)

interface Pair {
  accountId: string
  targetAccountId: string
}

/**
 * Blocks somebody: follows and requests end both ways, and what they caused among one's notifications goes.
 * Blocking again, or oneself, does nothing.
 * @throws NotFound
 */
export async function blockAccount(tx: Tx, { accountId, targetAccountId }: Pair): Promise<void> {
  await findAccount(tx, { id: targetAccountId })
  if (accountId === targetAccountId) return
  await lockAccounts(tx, { ids: [accountId, targetAccountId] })
  const [made] = await insert(tx.db, [accountId, targetAccountId, tx.now])
  if (!made) return
  for (const pair of [
    { accountId, targetAccountId },
    { accountId: targetAccountId, targetAccountId: accountId },
  ]) {
    await cutFollow(tx, pair)
    await cutRequest(tx, pair)
  }
  await holdNotifications(tx, { accountId })
  await removeNotifications(tx.db, [accountId, targetAccountId])
  tx.emit('account.blocked', { accountId, targetAccountId })
}
