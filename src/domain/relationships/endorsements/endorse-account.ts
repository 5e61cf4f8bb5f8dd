import { UnprocessableError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import { findAccount } from '../../accounts/lookup/find-account.ts'
import type { Tx } from '../../context.ts'
import { lockAccounts } from '../../core/lock-accounts.ts'

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

interface AccountPair {
  accountId: string
  targetAccountId: string
}

/**
 * Endorses (features on the profile) an account for as long as the user follows it. Does nothing if it is endorsed
 * already.
 * @throws NotFoundError
 * @throws UnprocessableError if the user does not follow the account
 */
export async function endorseAccount(tx: Tx, { accountId, targetAccountId }: AccountPair): Promise<void> {
  await findAccount(tx, { id: targetAccountId })
  await lockAccounts(tx, { ids: [accountId, targetAccountId] })
  if ((await findFollow(tx.db, { accountId, targetAccountId })).length === 0) {
    throw new UnprocessableError('Validation failed: You must be already following the person you want to endorse')
  }
  await insert(tx.db, { accountId, targetAccountId, now: tx.now })
}

/** Removes an endorsement, if there is one. @throws NotFoundError */
export async function unendorseAccount(tx: Tx, { accountId, targetAccountId }: AccountPair): Promise<void> {
  await findAccount(tx, { id: targetAccountId })
  await remove(tx.db, { accountId, targetAccountId })
}
