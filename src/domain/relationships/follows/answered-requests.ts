import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { removeFollow, removeFollowRequest } from './remove-follow.ts'
import { acceptRequest } from './follow-requests.ts'
import { storeFollowOfSuspended } from '../severances/store-severed-follows.ts'
import { lockAccounts } from '../../core/lock-accounts.ts'

const findOwnRequest = statement<{
  params: { accountId: string; targetAccountId: string }
  row: { uri: string | null; accepted: boolean }
}>(
  `select uri, false as accepted from follow_requests where account_id = $accountId
    and target_account_id = $targetAccountId
   union all select uri, true from follows where account_id = $accountId and target_account_id = $targetAccountId`,
)

interface AnsweredRequest {
  /** The local account that sent the follow request. */
  accountId: string
  /** The remote account that answers it. */
  targetAccountId: string
  /** The id of the `Follow` that the answer names; if undefined, the answer is for any request of the pair. */
  uri?: string | undefined
}

/**
 * Records the `Accept` of a remote server: turns the follow request into a follow. Returns false if the local account
 * has no follow request for this account, or only one with another id.
 */
export async function recordFollowAccept(
  tx: Tx,
  { accountId, targetAccountId, uri }: AnsweredRequest,
): Promise<boolean> {
  await lockAccounts(tx, { ids: [accountId, targetAccountId] })
  const [request] = await findOwnRequest(tx.db, { accountId, targetAccountId })
  if (!request || request.accepted || (uri !== undefined && request.uri !== uri)) return false
  return acceptRequest(tx, { accountId: targetAccountId, requesterId: accountId })
}

/**
 * Records the `Reject` of a remote server: deletes the follow request, or the follow that the server had accepted.
 * The end of a suspension of the local account restores such a follow. Returns false if there is neither, or only one
 * with another id.
 */
export async function recordFollowReject(
  tx: Tx,
  { accountId, targetAccountId, uri }: AnsweredRequest,
): Promise<boolean> {
  await lockAccounts(tx, { ids: [accountId, targetAccountId] })
  const requests = await findOwnRequest(tx.db, { accountId, targetAccountId })
  if (!requests.some((one) => uri === undefined || one.uri === uri)) return false
  const pair = { accountId, targetAccountId }
  await storeFollowOfSuspended(tx, pair)
  await removeFollowRequest(tx, pair)
  if (await removeFollow(tx, pair)) tx.emit('account.unfollowed', { ...pair, uri: null })
  return true
}
