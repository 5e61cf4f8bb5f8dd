import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Tx } from '../context.ts'
import { blocksDomainOf } from './domain-blocking.ts'
import { lockAccounts } from './lock-accounts.ts'

/** Followers that move in one transaction. */
const CHUNK = 500

interface Move {
  /** Who has moved. */
  accountId: string
  targetAccountId: string
}

const findFollowers = statement<{
  params: { accountId: string; targetAccountId: string; after: string }
  row: { id: string; account_id: string }
}>(
  `select f.id, f.account_id from follows f join accounts a on a.id = f.account_id
   where f.target_account_id = $accountId and f.id > $after and f.account_id <> $targetAccountId
     and a.domain is null and a.suspended_at is null
   order by f.id limit ${CHUNK}`,
)

// $accountId who moved, $targetAccountId the new account, $followerIds the followers.
const MOVING = `from follows f join accounts a on a.id = f.account_id, accounts t
  where f.target_account_id = $accountId and f.account_id = any($followerIds::bigint[]) and t.id = $targetAccountId
    and not exists (select from blocks b where (b.account_id = f.account_id and b.target_account_id = $targetAccountId)
      or (b.account_id = $targetAccountId and b.target_account_id = f.account_id))
    and not ${blocksDomainOf('f.account_id', 't')}`
const FOLLOWS_ALREADY = `exists (
  select from follows other where other.account_id = f.account_id and other.target_account_id = $targetAccountId)`

// Who names the account that they moved from has agreed to its followers, so the lock of somebody of here does not stop
// them. Other servers decide by themselves.
const follow = statement<{
  params: { accountId: string; targetAccountId: string; followerIds: readonly string[]; now: Date }
  row: { account_id: string }
}>(
  `insert into follows (account_id, target_account_id, show_reblogs, notify, languages, created_at)
   select f.account_id, $targetAccountId, f.show_reblogs, f.notify, f.languages, $now ${MOVING}
     and t.domain is null and a.silenced_at is null
   order by f.account_id on conflict (account_id, target_account_id) do nothing returning account_id`,
)
const request = statement<{
  params: { accountId: string; targetAccountId: string; followerIds: readonly string[]; now: Date; origin: string }
  row: { account_id: string }
}>(
  `insert into follow_requests (account_id, target_account_id, show_reblogs, notify, languages, created_at, uri)
   select f.account_id, $targetAccountId, f.show_reblogs, f.notify, f.languages, $now,
     case when t.domain is not null then $origin || '/follows/' || gen_random_uuid() end ${MOVING}
     and (t.domain is not null or a.silenced_at is not null) and not ${FOLLOWS_ALREADY}
   order by f.account_id on conflict (account_id, target_account_id) do nothing returning account_id`,
)

// Who had asked the new account before follows it now, and stays on the lists that the request put it on.
const keepOnLists = statement<{ params: { targetAccountId: string; followed: readonly string[] } }>(
  `update list_accounts la set follow_id = f.id, follow_request_id = null
   from follow_requests r join follows f on f.account_id = r.account_id and f.target_account_id = r.target_account_id
   where r.target_account_id = $targetAccountId and r.account_id = any($followed::bigint[])
     and la.follow_request_id = r.id`,
)
const settleRequests = statement<{ params: { targetAccountId: string; followed: readonly string[] } }>(
  `delete from follow_requests where target_account_id = $targetAccountId and account_id = any($followed::bigint[])`,
)
const putOnLists = statement<{
  params: { accountId: string; targetAccountId: string; followerIds: readonly string[]; now: Date }
  row: { list_id: string; owner_id: string; exclusive: boolean; follows: boolean }
}>(
  `insert into list_accounts (list_id, account_id, follow_id, follow_request_id, created_at)
   select la.list_id, $targetAccountId, nf.id, case when nf.id is null then nr.id end, $now
   from list_accounts la join lists l on l.id = la.list_id
     left join follows nf on nf.account_id = l.account_id and nf.target_account_id = $targetAccountId
     left join follow_requests nr on nr.account_id = l.account_id and nr.target_account_id = $targetAccountId
   where la.account_id = $accountId and l.account_id = any($followerIds::bigint[]) and (nf.id is not null or nr.id is not null)
   on conflict (list_id, account_id) do nothing
   returning list_id, follow_id is not null as follows,
     (select l.account_id from lists l where l.id = list_id) as owner_id,
     (select l.exclusive from lists l where l.id = list_id) as exclusive`,
)
const unfollow = statement<{
  params: { accountId: string; targetAccountId: string; followerIds: readonly string[] }
  row: { account_id: string; uri: string | null }
}>(
  `delete from follows f where f.target_account_id = $accountId and f.account_id = any($followerIds::bigint[])
    and (${FOLLOWS_ALREADY}
     or exists (select from follow_requests r where r.account_id = f.account_id
       and r.target_account_id = $targetAccountId))
   returning f.account_id, f.uri`,
)
// $accountId the followers, $targetAccountId whom they follow, $followerIds how many more that are for each side.
const count = statement<{ params: { accountIds: readonly string[]; accountId: string; difference: number } }>(
  `update account_stats st set
     following_count = greatest(0, following_count + case when account_id = $accountId then 0 else $difference::int end),
     followers_count = greatest(0, followers_count + case when account_id = $accountId then $difference * cardinality($accountIds::bigint[]) else 0 end)
   where account_id = any($accountIds::bigint[] || $accountId::bigint)`,
)
const withdraw = statement<{ params: { accountId: string; fromAccountIds: readonly string[]; type: string } }>(
  `delete from notifications
   where account_id = $accountId and from_account_id = any($fromAccountIds::bigint[]) and type = $type
     and status_id is null`,
)

/**
 * Lets those of here who follow somebody who moved follow the new account, on the terms that they had and on the same
 * lists; whoever has to be asked first is asked. Who may not follow it stays where they are. Done again, it goes on where
 * it was.
 */
export async function moveFollowers(
  ctx: Ctx,
  { accountId, targetAccountId, isStillMoved }: Move & { isStillMoved: () => Promise<boolean> },
): Promise<void> {
  let cursor: string | undefined = '0'
  while (cursor !== undefined && (await isStillMoved())) {
    const after: string = cursor
    cursor = await ctx.write<string | undefined>(async (tx) => {
      const rows = await findFollowers(tx.db, { accountId, targetAccountId, after })
      const followerIds = rows.map((row) => row.account_id)
      if (rows.length > 0) await moveChunk(tx, { accountId, targetAccountId, followerIds })
      return rows.at(-1)?.id
    })
  }
}

async function moveChunk(
  tx: Tx,
  { accountId, targetAccountId, followerIds }: Move & { followerIds: readonly string[] },
): Promise<void> {
  await lockAccounts(tx, { ids: [accountId, targetAccountId, ...followerIds] })
  const pair = { accountId, targetAccountId, followerIds }
  const followed = (await follow(tx.db, { ...pair, now: tx.now })).map((row) => row.account_id)
  const asked = (await request(tx.db, { ...pair, now: tx.now, origin: tx.config.origin })).map((row) => row.account_id)
  await count(tx.db, { accountIds: followed, accountId: targetAccountId, difference: 1 })
  await keepOnLists(tx.db, { targetAccountId, followed })
  await settleRequests(tx.db, { targetAccountId, followed })
  await withdraw(tx.db, { accountId: targetAccountId, fromAccountIds: followed, type: 'follow_request' })
  const places = await putOnLists(tx.db, { ...pair, now: tx.now })
  const left = await unfollow(tx.db, pair)
  const leftIds = left.map((row) => row.account_id)
  await count(tx.db, { accountIds: leftIds, accountId, difference: -1 })
  await withdraw(tx.db, { accountId, fromAccountIds: leftIds, type: 'follow' })

  for (const { list_id: listId, owner_id: ownerId, exclusive, follows } of places) {
    const member = { accountId: ownerId, listId, memberIds: [targetAccountId], exclusive }
    if (follows && !followed.includes(ownerId)) tx.emit('list.members_added', member)
  }
  for (const followerId of followed) tx.emit('follow.carried', { accountId: followerId, targetAccountId })
  for (const followerId of asked) tx.emit('follow.requested', { accountId: followerId, targetAccountId })
  for (const one of left) {
    tx.emit('account.unfollowed', { accountId: one.account_id, targetAccountId: accountId, uri: one.uri })
  }
}
