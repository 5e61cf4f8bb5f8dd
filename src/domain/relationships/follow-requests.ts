import { NotFound } from '../../lib/errors.ts'
import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/statement.ts'
import { findAccount } from '../accounts/find.ts'
import type { Listed } from '../accounts/listed.ts'
import { usableAccount } from '../accounts/usable.ts'
import type { Ctx, Read, Tx } from '../context.ts'
import { pageClause, pageParameters, readPaged } from '../feeds/page.ts'
import type { PageParameters } from '../feeds/page.ts'
import { cutRequest } from './cut-follow.ts'
import { lockAccounts } from './lock-accounts.ts'

/** Requests that are granted in one transaction when an account is unlocked. */
const CHUNK = 500

interface Answer {
  accountId: string
  requesterId: string
}

interface Granted {
  account_id: string
  uri: string | null
  from_elsewhere: boolean
}

// $accountId who is asked, $requesterIds the askers. Each request becomes a follow on the terms that it named.
const grant = (condition: string) =>
  statement<{ params: { accountId: string; requesterIds: readonly string[]; now: Date }; row: Granted }>(
    `with granted as (
       delete from follow_requests r where r.target_account_id = $accountId and r.account_id = any($requesterIds::bigint[]) ${condition}
       returning r.*
     ), made as (
       insert into follows (account_id, target_account_id, show_reblogs, notify, languages, uri, created_at)
       select account_id, target_account_id, show_reblogs, notify, languages, uri, $now from granted order by account_id
       on conflict (account_id, target_account_id) do nothing returning id, account_id
     ), moved as (
       -- Whoever is on a list by the request stays there by the follow. What hangs on a request goes with it only when
       -- the whole statement is over.
       update list_accounts la set follow_id = f.id, follow_request_id = null
       from granted g join (
         select id, account_id from made
         union all select id, account_id from follows where target_account_id = $accountId and account_id = any($requesterIds::bigint[])
       ) f on f.account_id = g.account_id
       where la.follow_request_id = g.id
     ), counted as (
       update account_stats st set
         following_count = st.following_count + case when st.account_id = $accountId then 0 else 1 end,
         followers_count = st.followers_count
           + case when st.account_id = $accountId then (select count(*)::int from made) else 0 end
       where st.account_id = any($accountId::bigint || array(select account_id from made))
     )
     select account_id, uri,
       (select a.domain is not null from accounts a where a.id = granted.account_id) as from_elsewhere
     from granted`,
  )
const grantAsked = grant('')
const grantOpen = grant('and exists (select from accounts a where a.id = $accountId and not a.locked)')

// A statement of its own: the one above may have waited for a notification that it does not see.
const withdraw = statement<{ params: { accountId: string; accountIds: readonly string[] } }>(
  `delete from notifications
   where account_id = $accountId and from_account_id = any($accountIds::bigint[]) and type = 'follow_request'`,
)

/** Makes follows of requests; the accounts are locked. False when there were none. */
async function grantRequests(
  tx: Tx,
  {
    accountId,
    requesterIds,
    granting,
  }: { accountId: string; requesterIds: readonly string[]; granting: typeof grantAsked },
): Promise<boolean> {
  const granted = await granting(tx.db, { accountId, requesterIds, now: tx.now })
  if (granted.length === 0) return false
  await withdraw(tx.db, { accountId, accountIds: granted.map((row) => row.account_id) })
  for (const row of granted) {
    const pair = { accountId: row.account_id, targetAccountId: accountId }
    tx.emit('account.followed', pair)
    if (row.from_elsewhere) tx.emit('follow.authorised', { ...pair, uri: row.uri })
  }
  return true
}

/** Makes a follow of a request; both accounts are locked. False when there is no such request. */
export async function grantRequest(tx: Tx, { accountId, requesterId }: Answer): Promise<boolean> {
  return grantRequests(tx, { accountId, requesterIds: [requesterId], granting: grantAsked })
}

/** Lets somebody follow who asked to, on the terms that they named. @throws NotFound when there is no such request */
export async function authoriseRequest(tx: Tx, { accountId, requesterId }: Answer): Promise<void> {
  await findAccount(tx, { id: requesterId })
  await lockAccounts(tx, { ids: [accountId, requesterId] })
  if (!(await grantRequest(tx, { accountId, requesterId }))) throw new NotFound()
}

/** Turns down somebody who asked to follow. @throws NotFound when there is no such request */
export async function rejectRequest(tx: Tx, { accountId, requesterId }: Answer): Promise<void> {
  await findAccount(tx, { id: requesterId })
  await lockAccounts(tx, { ids: [accountId, requesterId] })
  const pair = { accountId: requesterId, targetAccountId: accountId }
  const cut = await cutRequest(tx, pair)
  if (!cut) throw new NotFound()
  if (cut.fromElsewhere) tx.emit('follow.rejected', { ...pair, uri: cut.uri })
}

const findOpen = statement<{ params: { accountId: string; after: string }; row: { account_id: string } }>(
  `select r.account_id from follow_requests r join accounts a on a.id = r.account_id
   where r.target_account_id = $accountId and r.account_id > $after and a.silenced_at is null and a.suspended_at is null
   order by r.account_id limit ${CHUNK}`,
)

/** Effect: whoever had asked to follow somebody who is no longer locked follows now, except who is silenced. */
export async function authoriseAllRequests(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  let cursor: string | undefined = '0'
  while (cursor !== undefined) {
    const after: string = cursor
    cursor = await ctx.write<string | undefined>(async (tx) => {
      const asked = (await findOpen(tx.db, { accountId, after })).map((row) => row.account_id)
      if (asked.length === 0) return undefined
      await lockAccounts(tx, { ids: [accountId, ...asked] })
      await grantRequests(tx, { accountId, requesterIds: asked, granting: grantOpen })
      return asked.at(-1)
    })
  }
}

const page = pageClause('r.id')
const select = (order: string) =>
  statement<{ params: { accountId: string } & PageParameters; row: Listed }>(
    `select r.id as cursor, a.id
     from follow_requests r join accounts a on a.id = r.account_id left join users u on u.account_id = a.id
     where r.target_account_id = $accountId and ${page.where} and ${usableAccount()} ${order}`,
  )
const newest = select(page.descending)
const upwards = select(page.ascending)

/** Those who ask to follow somebody, latest first. */
export async function readFollowRequests(
  read: Read,
  { accountId, page: asked }: { accountId: string; page: Page },
): Promise<Listed[]> {
  const values = { accountId, ...pageParameters(asked) }
  return readPaged(asked, {
    descending: () => newest(read.db, values),
    ascending: () => upwards(read.db, values),
  })
}
