import { statement } from '../../../platform/db/statement.ts'
import { isOfDomain } from '../../access/user-domain-blocks.ts'
import type { Ctx, Tx } from '../../context.ts'
import { lockAccounts } from '../../core/lock-accounts.ts'
import { isHostSuspended } from '../../domain-blocks/suspended-host.ts'
import { restoreMemberships } from '../../lists/list-members.ts'
import { restoreFollowRequests } from '../follows/restore-follow-requests.ts'

/** Days after which a severed follow is no longer restored. */
const RETENTION_DAYS = 30
const DAY_MS = 86_400_000

/** How many follows one transaction restores. */
const BATCH_SIZE = 500

/** How many rows one statement prunes. */
const PRUNE_BATCH_SIZE = 5_000

interface SeveredFollow {
  id: string
  account_id: string
  target_account_id: string
}

// While one of the accounts is suspended, its follows wait for the end of that suspension.
const SELECT_DUE = `select s.id, s.account_id, s.target_account_id
   from severed_follows s join accounts t on t.id = s.target_account_id join accounts self on self.id = s.account_id
   where s.created_at > $since and t.domain is not null and t.suspended_at is null and self.suspended_at is null
     and not ${isHostSuspended('t.domain')} and not ${isHostSuspended(`split_part(lower(t.uri), '/', 3)`)}`
const LOCK_BATCH = `order by s.id limit ${BATCH_SIZE} for update of s`
const findDueOfDomain = statement<{
  params: { domain: string; since: Date }
  row: SeveredFollow
}>(`${SELECT_DUE} and ${isOfDomain('t', '$domain')} ${LOCK_BATCH}`)
const findDueOfAccount = statement<{
  params: { accountId: string; since: Date }
  row: SeveredFollow
}>(`${SELECT_DUE} and (s.account_id = $accountId or s.target_account_id = $accountId) ${LOCK_BATCH}`)
const remove = statement<{ params: { ids: readonly string[] } }>(
  `delete from severed_follows where id = any($ids::bigint[])`,
)
const prune = statement<{ params: { before: Date }; row: { id: string } }>(
  `delete from severed_follows where id in (
     select id from severed_follows where created_at <= $before order by created_at limit ${PRUNE_BATCH_SIZE})
   returning id`,
)

/**
 * Effect: local users follow the accounts of a domain again whose follows a suspension of the domain ended in the last
 * 30 days, if the domain is no longer suspended.
 */
export async function restoreFollowsOfDomain(ctx: Ctx, { domain }: { domain: string }): Promise<void> {
  await restoreFollows(ctx, (tx, since) => findDueOfDomain(tx.db, { domain, since }))
}

/**
 * Effect: an account whose suspension has ended follows the remote accounts again whose servers ended its follows
 * meanwhile; and local users follow it again who lost their follows.
 */
export async function restoreFollowsOfAccount(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  await restoreFollows(ctx, (tx, since) => findDueOfAccount(tx.db, { accountId, since }))
}

/**
 * Restores severed follows in batches. Each restored follow is a new request to the remote server. Follows that the user
 * could not create now, for example after blocking the account, are not restored.
 */
async function restoreFollows(
  ctx: Ctx,
  findDue: (tx: Tx, since: Date) => Promise<readonly SeveredFollow[]>,
): Promise<void> {
  let restored: number
  do {
    restored = await ctx.write(async (tx) => {
      const follows = await findDue(tx, expiry(tx.now))
      if (follows.length === 0) return 0
      await lockAccounts(tx, { ids: follows.flatMap((one) => [one.account_id, one.target_account_id]) })
      const severedIds = follows.map(({ id }) => id)
      await restoreMemberships(tx, { severedIds: await restoreFollowRequests(tx, { severedIds }) })
      await remove(tx.db, { ids: severedIds })
      return follows.length
    })
  } while (restored === BATCH_SIZE)
}

/** Effect: deletes severed follows that are not restored any more. */
export async function pruneSeveredFollows(ctx: Ctx): Promise<void> {
  let rows
  do rows = await prune(ctx.db, { before: expiry(ctx.now()) })
  while (rows.length === PRUNE_BATCH_SIZE)
}

function expiry(now: Date): Date {
  return new Date(now.getTime() - RETENTION_DAYS * DAY_MS)
}
