import { Unprocessable } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import { findAccount } from '../accounts/find.ts'
import type { Tx } from '../context.ts'
import { lockAccounts } from './lock-accounts.ts'

const findFollow = statement<{ params: { accountId: string; targetAccountId: string } }>(
  `select from follows where account_id = $accountId and target_account_id = $targetAccountId`,
)
const insert = statement<{ params: { accountId: string; targetAccountId: string; now: Date } }>(
  `insert into endorsements (account_id, target_account_id, created_at) values ($accountId, $targetAccountId, $now)
    on conflict do nothing`,
)
const remove = statement<{ params: { accountId: string; targetAccountId: string } }>(
  `delete from endorsements where account_id = $accountId and target_account_id = $targetAccountId`,
)

interface Pair {
  accountId: string
  targetAccountId: string
}

/**
 * Recommends somebody on one's own profile, for as long as one follows them. Twice is once.
 * @throws NotFound · Unprocessable for who is not followed
 */
export async function endorseAccount(tx: Tx, { accountId, targetAccountId }: Pair): Promise<void> {
  await findAccount(tx, { id: targetAccountId })
  await lockAccounts(tx, { ids: [accountId, targetAccountId] })
  if ((await findFollow(tx.db, { accountId, targetAccountId })).length === 0) {
    throw new Unprocessable('Validation failed: You must be already following the person you want to endorse')
  }
  await insert(tx.db, { accountId, targetAccountId, now: tx.now })
}

/** Recommends somebody no more. Without a recommendation nothing happens. @throws NotFound */
export async function unendorseAccount(tx: Tx, { accountId, targetAccountId }: Pair): Promise<void> {
  await findAccount(tx, { id: targetAccountId })
  await remove(tx.db, { accountId, targetAccountId })
}
