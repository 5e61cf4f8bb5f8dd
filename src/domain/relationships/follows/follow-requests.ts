import { NotFoundError } from '../../../lib/errors.ts'
import type { Page } from '../../../lib/page.ts'
import { statement } from '../../../platform/db/statement.ts'
import { findAccount } from '../../accounts/lookup/find-account.ts'
import type { ListedAccount } from '../../accounts/lookup/listed-account.ts'
import { usableAccount } from '../../access/usable-account.ts'
import type { Ctx, Read, Tx } from '../../context.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../../core/keyset-page.ts'
import type { PageParameters } from '../../core/keyset-page.ts'
import { removeFollowRequest } from './remove-follow.ts'
import { lockAccounts } from '../../core/lock-accounts.ts'
import { writeInBatches } from '../../core/write-in-batches.ts'

/** The number of requests that one transaction accepts when an account is unlocked. */
const BATCH_SIZE = 100

interface RequestAnswer {
  accountId: string
  requesterId: string
}

interface AcceptedRequest {
  account_id: string
  uri: string | null
  is_from_remote: boolean
}

// Turns follow requests to $accountId into follows with the options of the request.
const acceptStatement = (condition: string) =>
  statement<{ params: { accountId: string; requesterIds: readonly string[]; now: Date }; row: AcceptedRequest }>(
    `with accepted as (
       delete from follow_requests r where r.target_account_id = $accountId and r.account_id = any($requesterIds::bigint[]) ${condition}
       returning r.*
     ), created as (
       insert into follows (account_id, target_account_id, show_reblogs, notify, languages, uri, created_at)
       select account_id, target_account_id, show_reblogs, notify, languages, uri, $now from accepted order by account_id
       on conflict (account_id, target_account_id) do nothing returning id, account_id
     ), relinked as (
       -- List members linked to the request are linked to the follow, so that they stay on the list. This works because
       -- the cascade of the deleted request runs only at the end of the whole statement.
       update list_accounts la set follow_id = f.id, follow_request_id = null
       from accepted g join (
         select id, account_id from created
         union all select id, account_id from follows where target_account_id = $accountId and account_id = any($requesterIds::bigint[])
       ) f on f.account_id = g.account_id
       where la.follow_request_id = g.id
     ), updated_stats as (
       update account_stats st set
         following_count = st.following_count + case when st.account_id = $accountId then 0 else 1 end,
         followers_count = st.followers_count
           + case when st.account_id = $accountId then (select count(*)::int from created) else 0 end
       where st.account_id = any($accountId::bigint || array(select account_id from created))
     )
     select account_id, uri,
       (select a.domain is not null from accounts a where a.id = accepted.account_id) as is_from_remote
     from accepted`,
  )
const acceptAny = acceptStatement('')
const acceptIfUnlocked = acceptStatement('and exists (select from accounts a where a.id = $accountId and not a.locked)')

// A separate statement: the one above may have waited for a transaction whose notification its snapshot does not
// include.
const removeNotifications = statement<{ params: { accountId: string; accountIds: readonly string[] } }>(
  `delete from notifications
   where account_id = $accountId and from_account_id = any($accountIds::bigint[]) and type = 'follow_request'`,
)

/** Turns requests into follows; the caller has locked the accounts. Returns false if there were no such requests. */
async function acceptRequests(
  tx: Tx,
  { accountId, requesterIds, accept }: { accountId: string; requesterIds: readonly string[]; accept: typeof acceptAny },
): Promise<boolean> {
  const accepted = await accept(tx.db, { accountId, requesterIds, now: tx.now })
  if (accepted.length === 0) return false
  await removeNotifications(tx.db, { accountId, accountIds: accepted.map((row) => row.account_id) })
  for (const row of accepted) {
    const pair = { accountId: row.account_id, targetAccountId: accountId }
    tx.emit('account.followed', pair)
    if (row.is_from_remote) tx.emit('follow.accepted', { ...pair, uri: row.uri })
  }
  return true
}

/** Turns a request into a follow; the caller has locked both accounts. Returns false if there is no such request. */
export async function acceptRequest(tx: Tx, { accountId, requesterId }: RequestAnswer): Promise<boolean> {
  return acceptRequests(tx, { accountId, requesterIds: [requesterId], accept: acceptAny })
}

/** Accepts a follow request, with the options that it has. @throws NotFoundError if there is no such request */
export async function authorizeFollowRequest(tx: Tx, { accountId, requesterId }: RequestAnswer): Promise<void> {
  await findAccount(tx, { id: requesterId })
  await lockAccounts(tx, { ids: [accountId, requesterId] })
  if (!(await acceptRequest(tx, { accountId, requesterId }))) throw new NotFoundError()
}

/** Rejects a follow request. @throws NotFoundError if there is no such request */
export async function rejectFollowRequest(tx: Tx, { accountId, requesterId }: RequestAnswer): Promise<void> {
  await findAccount(tx, { id: requesterId })
  await lockAccounts(tx, { ids: [accountId, requesterId] })
  const pair = { accountId: requesterId, targetAccountId: accountId }
  const removed = await removeFollowRequest(tx, pair)
  if (!removed) throw new NotFoundError()
  if (removed.isFromRemote) tx.emit('follow.rejected', { ...pair, uri: removed.uri })
}

const findAcceptable = statement<{ params: { accountId: string; after: string }; row: { account_id: string } }>(
  `select r.account_id from follow_requests r join accounts a on a.id = r.account_id
   where r.target_account_id = $accountId and r.account_id > $after and a.silenced_at is null and a.suspended_at is null
   order by r.account_id limit ${BATCH_SIZE}`,
)

/**
 * Effect: accepts the requests to follow an account that is no longer locked, except those of limited accounts. Each
 * new follower causes jobs.
 */
export async function authorizeAllFollowRequests(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  const acceptBatch = async (tx: Tx, after: string) => {
    const requesterIds = (await findAcceptable(tx.db, { accountId, after })).map((row) => row.account_id)
    if (requesterIds.length === 0) return undefined
    await lockAccounts(tx, { ids: [accountId, ...requesterIds] })
    await acceptRequests(tx, { accountId, requesterIds, accept: acceptIfUnlocked })
    return requesterIds.at(-1)
  }
  await writeInBatches(ctx, acceptBatch, { yields: true })
}

const keyset = keysetClause('r.id')
const select = (order: string) =>
  statement<{ params: { accountId: string } & PageParameters; row: ListedAccount }>(
    `select r.id as cursor, a.id
     from follow_requests r join accounts a on a.id = r.account_id left join users u on u.account_id = a.id
     where r.target_account_id = $accountId and ${keyset.where} and ${usableAccount()} ${order}`,
  )
const descending = select(keyset.descending)
const ascending = select(keyset.ascending)

/** Returns a page of the accounts that request to follow an account, latest first. */
export async function listFollowRequests(
  read: Read,
  { accountId, page: requested }: { accountId: string; page: Page },
): Promise<ListedAccount[]> {
  const values = { accountId, ...pageParameters(requested) }
  return readKeysetPage(requested, {
    descending: () => descending(read.db, values),
    ascending: () => ascending(read.db, values),
  })
}
