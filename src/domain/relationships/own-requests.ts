import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { cutFollow, cutRequest } from './cut-follow.ts'
import { grantRequest } from './follow-requests.ts'
import { lockAccounts } from './lock-accounts.ts'

const findAsked = statement<{
  params: { accountId: string; targetAccountId: string }
  row: { uri: string | null; granted: boolean }
}>(
  `select uri, false as granted from follow_requests where account_id = $accountId
    and target_account_id = $targetAccountId
   union all select uri, true from follows where account_id = $accountId and target_account_id = $targetAccountId`,
)

interface OwnRequest {
  /** Somebody here who asked to follow. */
  accountId: string
  /** Somebody elsewhere, who answers. */
  targetAccountId: string
  /** Which request the answer names; left out, it names none of ours and is for whatever is asked. */
  uri?: string | undefined
}

/**
 * Takes in that another server agrees: what was asked for is a follow now. False when nothing is asked of that very
 * account, or something else by now.
 */
export async function acceptOwnRequest(tx: Tx, { accountId, targetAccountId, uri }: OwnRequest): Promise<boolean> {
  await lockAccounts(tx, { ids: [accountId, targetAccountId] })
  const [request] = await findAsked(tx.db, { accountId, targetAccountId })
  if (!request || request.granted || (uri !== undefined && request.uri !== uri)) return false
  return grantRequest(tx, { accountId: targetAccountId, requesterId: accountId })
}

/**
 * Takes in that another server turns somebody here down, or ends a follow that it had agreed to. False when there is
 * nothing to end, or something else by now.
 */
export async function rejectOwnRequest(tx: Tx, { accountId, targetAccountId, uri }: OwnRequest): Promise<boolean> {
  await lockAccounts(tx, { ids: [accountId, targetAccountId] })
  const asked = await findAsked(tx.db, { accountId, targetAccountId })
  if (!asked.some((one) => uri === undefined || one.uri === uri)) return false
  const pair = { accountId, targetAccountId }
  await cutRequest(tx, pair)
  if (await cutFollow(tx, pair)) tx.emit('account.unfollowed', { ...pair, uri: null })
  return true
}
