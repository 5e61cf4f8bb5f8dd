import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import type { FollowOptions } from '../severances/record-severances.ts'
import { deletingFollows } from './deleting-follows.ts'

/** A deleted follow or follow request. */
export interface EndedFollow extends FollowOptions {
  /** The follower or the requester. */
  accountId: string
  targetAccountId: string
  /** The id of the `Follow` activity; null if both accounts are local, or if the activity had none. */
  uri: string | null
  isFromRemote: boolean
}

const BOTH_WAYS = `(account_id = $accountId and target_account_id = any($otherIds::bigint[]))
     or (target_account_id = $accountId and account_id = any($otherIds::bigint[]))`
const COLUMNS = 'account_id, target_account_id, uri, show_reblogs, notify, languages'
const ENDED = `select account_id as "accountId", target_account_id as "targetAccountId", uri,
  exists (select from accounts a where a.id = account_id and a.domain is not null) as "isFromRemote",
  show_reblogs as "showReblogs", notify, languages from ended`
const endFollows = statement<{ params: { accountId: string; otherIds: readonly string[] }; row: EndedFollow }>(
  `${deletingFollows({ where: BOTH_WAYS, columns: COLUMNS })} ${ENDED}`,
)
const endRequests = statement<{ params: { accountId: string; otherIds: readonly string[] }; row: EndedFollow }>(
  `with ended as (delete from follow_requests where ${BOTH_WAYS} returning ${COLUMNS}) ${ENDED}`,
)

/**
 * Deletes the follows and follow requests between an account and others, in both directions, and decrements the
 * counters. The caller has locked the accounts, deletes notifications and emits the events.
 */
export async function endFollowsBetween(
  tx: Tx,
  pairs: { accountId: string; otherIds: readonly string[] },
): Promise<{ follows: EndedFollow[]; requests: EndedFollow[] }> {
  return { follows: await endFollows(tx.db, pairs), requests: await endRequests(tx.db, pairs) }
}
