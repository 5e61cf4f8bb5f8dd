import { statement } from '../../../platform/db/statement.ts'
import { yieldToOtherJobs } from '../../../platform/jobs/yield-to-other-jobs.ts'
import type { Ctx, Tx } from '../../context.ts'
import { blocksDomainOf } from '../../access/user-domain-blocks.ts'
import { lockAccounts } from '../../core/lock-accounts.ts'

/** The number of followers that one transaction moves. */
const BATCH_SIZE = 100

interface Migration {
  /** The account that has moved to the target account. */
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
   order by f.id limit ${BATCH_SIZE}`,
)

// The follows of $accountId by $followerIds that can be moved to $targetAccountId, since no block prevents it.
const MIGRATING_FOLLOWS = `from follows f join accounts a on a.id = f.account_id, accounts t
  where f.target_account_id = $accountId and f.account_id = any($followerIds::bigint[]) and t.id = $targetAccountId
    and not exists (select from blocks b where (b.account_id = f.account_id and b.target_account_id = $targetAccountId)
      or (b.account_id = $targetAccountId and b.target_account_id = f.account_id))
    and not ${blocksDomainOf('f.account_id', 't')}`
const FOLLOWS_ALREADY = `exists (
  select from follows other where other.account_id = f.account_id and other.target_account_id = $targetAccountId)`

// The new account lists the old one as an alias and thereby agrees to its followers. So the follow needs no request
// even if the new account is locked, unless it is remote: remote servers decide for themselves.
const follow = statement<{
  params: { accountId: string; targetAccountId: string; followerIds: readonly string[]; now: Date }
  row: { account_id: string }
}>(
  `insert into follows (account_id, target_account_id, show_reblogs, notify, languages, created_at)
   select f.account_id, $targetAccountId, f.show_reblogs, f.notify, f.languages, $now ${MIGRATING_FOLLOWS}
     and t.domain is null and a.silenced_at is null
   order by f.account_id on conflict (account_id, target_account_id) do nothing returning account_id`,
)
const request = statement<{
  params: { accountId: string; targetAccountId: string; followerIds: readonly string[]; now: Date; origin: string }
  row: { account_id: string }
}>(
  `insert into follow_requests (account_id, target_account_id, show_reblogs, notify, languages, created_at, uri)
   select f.account_id, $targetAccountId, f.show_reblogs, f.notify, f.languages, $now,
     case when t.domain is not null then $origin || '/follows/' || gen_random_uuid() end ${MIGRATING_FOLLOWS}
     and (t.domain is not null or a.silenced_at is not null) and not ${FOLLOWS_ALREADY}
   order by f.account_id on conflict (account_id, target_account_id) do nothing returning account_id`,
)

// List members linked to an earlier request to follow the new account are linked to the follow that replaces the
// request.
const relinkListMembers = statement<{ params: { targetAccountId: string; followed: readonly string[] } }>(
  `update list_accounts la set follow_id = f.id, follow_request_id = null
   from follow_requests r join follows f on f.account_id = r.account_id and f.target_account_id = r.target_account_id
   where r.target_account_id = $targetAccountId and r.account_id = any($followed::bigint[])
     and la.follow_request_id = r.id`,
)
const removeRequests = statement<{ params: { targetAccountId: string; followed: readonly string[] } }>(
  `delete from follow_requests where target_account_id = $targetAccountId and account_id = any($followed::bigint[])`,
)
const addToLists = statement<{
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
// Adds $difference per follow: once to each follower in $accountIds, and for all of them to the followed $accountId.
const count = statement<{ params: { accountIds: readonly string[]; accountId: string; difference: number } }>(
  `update account_stats st set
     following_count = greatest(0, following_count + case when account_id = $accountId then 0 else $difference::int end),
     followers_count = greatest(0, followers_count + case when account_id = $accountId then $difference * cardinality($accountIds::bigint[]) else 0 end)
   where account_id = any($accountIds::bigint[] || $accountId::bigint)`,
)
const removeNotifications = statement<{
  params: { accountId: string; fromAccountIds: readonly string[]; type: string }
}>(
  `delete from notifications
   where account_id = $accountId and from_account_id = any($fromAccountIds::bigint[]) and type = $type
     and status_id is null`,
)

/**
 * Moves the local followers of an account that has moved to its new account, with the options of their follows and
 * their list memberships. Creates follow requests where the new account has to accept them. Followers that cannot
 * follow the new account because of a block keep the old follow. Can be repeated: a second run continues where the
 * first stopped. Each follower causes jobs.
 * @throws PostponedError while many jobs of others are due
 */
export async function moveFollowers(
  ctx: Ctx,
  { accountId, targetAccountId, isStillMoved }: Migration & { isStillMoved: () => Promise<boolean> },
): Promise<void> {
  let cursor: string | undefined = '0'
  while (cursor !== undefined && (await isStillMoved())) {
    const after: string = cursor
    await yieldToOtherJobs(ctx.db)
    cursor = await ctx.write<string | undefined>(async (tx) => {
      const rows = await findFollowers(tx.db, { accountId, targetAccountId, after })
      const followerIds = rows.map((row) => row.account_id)
      if (rows.length > 0) await moveBatch(tx, { accountId, targetAccountId, followerIds })
      return rows.at(-1)?.id
    })
  }
}

async function moveBatch(
  tx: Tx,
  { accountId, targetAccountId, followerIds }: Migration & { followerIds: readonly string[] },
): Promise<void> {
  await lockAccounts(tx, { ids: [accountId, targetAccountId, ...followerIds] })
  const pair = { accountId, targetAccountId, followerIds }
  const followed = (await follow(tx.db, { ...pair, now: tx.now })).map((row) => row.account_id)
  const requestedIds = (await request(tx.db, { ...pair, now: tx.now, origin: tx.config.origin })).map(
    (row) => row.account_id,
  )
  await count(tx.db, { accountIds: followed, accountId: targetAccountId, difference: 1 })
  await relinkListMembers(tx.db, { targetAccountId, followed })
  await removeRequests(tx.db, { targetAccountId, followed })
  await removeNotifications(tx.db, { accountId: targetAccountId, fromAccountIds: followed, type: 'follow_request' })
  const memberships = await addToLists(tx.db, { ...pair, now: tx.now })
  const unfollowed = await unfollow(tx.db, pair)
  const unfollowedIds = unfollowed.map((row) => row.account_id)
  await count(tx.db, { accountIds: unfollowedIds, accountId, difference: -1 })
  await removeNotifications(tx.db, { accountId, fromAccountIds: unfollowedIds, type: 'follow' })

  for (const { list_id: listId, owner_id: ownerId, exclusive, follows } of memberships) {
    const member = { accountId: ownerId, listId, memberIds: [targetAccountId], exclusive }
    if (follows && !followed.includes(ownerId)) tx.emit('list.members_added', member)
  }
  for (const followerId of followed) tx.emit('follow.migrated', { accountId: followerId, targetAccountId })
  for (const followerId of requestedIds) tx.emit('follow.requested', { accountId: followerId, targetAccountId })
  for (const one of unfollowed) {
    tx.emit('account.unfollowed', { accountId: one.account_id, targetAccountId: accountId, uri: one.uri })
  }
}
