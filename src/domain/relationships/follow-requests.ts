import { NotFound } from '../../lib/errors.ts'
import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/connect.ts'
import type { Listed } from '../accounts/listed.ts'
import { usableAccount } from '../accounts/usable.ts'
import type { Ctx, Read, Tx } from '../context.ts'
import { pageClause, pageValues, readPaged } from '../feeds/page.ts'
import { cutRequest } from './cut-follow.ts'
import { lockAccounts } from './lock-accounts.ts'

/** Requests that are granted in one transaction when an account is unlocked. */
const CHUNK = 500

interface Answer {
  accountId: string
  requesterId: string
}

// $1 who is asked, $2 the askers. Each request becomes a follow on the terms that it named.
const grant = (condition: string) =>
  statement<{ account_id: string }>(
    `with granted as (
       delete from follow_requests r where r.target_account_id = $1 and r.account_id = any($2::bigint[]) ${condition}
       returning r.*
     ), made as (
       insert into follows (account_id, target_account_id, show_reblogs, notify, languages, uri, created_at)
       select account_id, target_account_id, show_reblogs, notify, languages, uri, $3 from granted order by account_id
       on conflict (account_id, target_account_id) do nothing returning account_id
     ), counted as (
       update account_stats st set
         following_count = st.following_count + case when st.account_id = $1 then 0 else 1 end,
         followers_count = st.followers_count
           + case when st.account_id = $1 then (select count(*)::int from made) else 0 end
       where st.account_id = any($1::bigint || array(select account_id from made))
     )
     select account_id from granted`,
  )
const grantAsked = grant('')
const grantOpen = grant('and exists (select from accounts a where a.id = $1 and not a.locked)')

// A statement of its own: the one above may have waited for a notification that it does not see.
const withdraw = statement(
  `delete from notifications
   where account_id = $1 and from_account_id = any($2::bigint[]) and type = 'follow_request'`,
)

/** Makes follows of requests; the accounts are locked. Returns whose requests there were. */
async function grantRequests(
  tx: Tx,
  {
    accountId,
    requesterIds,
    granting,
  }: { accountId: string; requesterIds: readonly string[]; granting: typeof grantAsked },
): Promise<string[]> {
  const rows = await granting(tx.db, [accountId, requesterIds, tx.now])
  const granted = rows.map((row) => row.account_id)
  if (granted.length > 0) await withdraw(tx.db, [accountId, granted])
  for (const id of granted) tx.emit('account.followed', { accountId: id, targetAccountId: accountId })
  return granted
}

/** Lets somebody follow who asked to, on the terms that they named. @throws NotFound when there is no such request */
export async function authoriseRequest(tx: Tx, { accountId, requesterId }: Answer): Promise<void> {
  await lockAccounts(tx, { ids: [accountId, requesterId] })
  const granted = await grantRequests(tx, { accountId, requesterIds: [requesterId], granting: grantAsked })
  if (granted.length === 0) throw new NotFound()
}

/** Turns down somebody who asked to follow. @throws NotFound when there is no such request */
export async function rejectRequest(tx: Tx, { accountId, requesterId }: Answer): Promise<void> {
  await lockAccounts(tx, { ids: [accountId, requesterId] })
  if (!(await cutRequest(tx, { accountId: requesterId, targetAccountId: accountId }))) throw new NotFound()
}

const findOpen = statement<{ account_id: string }>(
  `select r.account_id from follow_requests r join accounts a on a.id = r.account_id
   where r.target_account_id = $1 and r.account_id > $2 and a.silenced_at is null and a.suspended_at is null
   order by r.account_id limit ${CHUNK}`,
)

/** Effect: whoever had asked to follow somebody who is no longer locked follows now, except who is silenced. */
export async function authoriseAllRequests(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  let cursor: string | undefined = '0'
  while (cursor !== undefined) {
    const after: string = cursor
    cursor = await ctx.write<string | undefined>(async (tx) => {
      const asked = (await findOpen(tx.db, [accountId, after])).map((row) => row.account_id)
      if (asked.length === 0) return undefined
      await lockAccounts(tx, { ids: [accountId, ...asked] })
      await grantRequests(tx, { accountId, requesterIds: asked, granting: grantOpen })
      return asked.at(-1)
    })
  }
}

const page = pageClause('r.id', 2)
const select = (order: string) =>
  statement<Listed>(
    `select r.id as cursor, a.id
     from follow_requests r join accounts a on a.id = r.account_id left join users u on u.account_id = a.id
     where r.target_account_id = $1 and ${page.where} and ${usableAccount()} ${order}`,
  )
const newest = select(page.descending)
const upwards = select(page.ascending)

/** Those who ask to follow somebody, latest first. */
export async function readFollowRequests(
  read: Read,
  { accountId, page: asked }: { accountId: string; page: Page },
): Promise<Listed[]> {
  const values = [accountId, ...pageValues(asked)]
  return readPaged(asked, {
    descending: () => newest(read.db, values),
    ascending: () => upwards(read.db, values),
  })
}
