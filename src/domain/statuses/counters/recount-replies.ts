import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Read, Tx } from '../../context.ts'
import { blocksDomainOfId, domainsOfAccount } from '../../access/user-domain-blocks.ts'
import { writeInBatches } from '../../core/write-in-batches.ts'
import { lockStatusCounters } from './lock-status-counters.ts'

/** The number of statuses whose replies are counted in one transaction. */
const BATCH_SIZE = 200

/**
 * Returns the SQL condition that the author of a parent status blocks the author of a reply, or the domain of the
 * latter. Both parameters are SQL expressions of account ids.
 */
export function blocksReplier(parentAuthor: string, replier: string): string {
  return `(exists (select from blocks b where b.account_id = ${parentAuthor} and b.target_account_id = ${replier})
    or ${blocksDomainOfId(parentAuthor, replier)})`
}

// The recipient of a reply to another account is the author of its parent. `offset 0` makes PostgreSQL find the parents
// by id: it may expect that the author has few posts, and then reads all of them.
const findParents = statement<{
  params: { accountId: string; replierIds: readonly string[]; after: string }
  row: { id: string }
}>(
  `select p.id from (
     select distinct r.in_reply_to_id as parent_id from statuses r
     where r.in_reply_to_account_id = $accountId and r.account_id = any($replierIds::bigint[]) and r.deleted_at is null
       and r.in_reply_to_id > $after::bigint
     order by parent_id offset 0
   ) reply cross join lateral (
     select p.id from statuses p
     where p.id = reply.parent_id and p.account_id = $accountId and p.deleted_at is null offset 0
   ) p
   order by reply.parent_id limit ${BATCH_SIZE}`,
)
const findRepliersOfDomains = statement<{
  params: { accountId: string; domains: readonly string[] }
  row: { id: string }
}>(
  `with replier as materialized (select distinct account_id as id from statuses where in_reply_to_account_id = $accountId)
   select a.id from replier join accounts a on a.id = replier.id
   where a.domain is not null and ${domainsOfAccount('a')} && $domains::text[]`,
)

// Updates only the counters that are wrong, since each update invalidates the cached status.
const updateReplyCounts = statement<{ params: { ids: readonly string[] } }>(
  `update status_stats st set replies_count = counted.n
   from statuses p cross join lateral (
     select count(*)::int as n from statuses r
     where r.in_reply_to_id = p.id and r.deleted_at is null and r.visibility in ('public', 'unlisted')
       and not ${blocksReplier('p.account_id', 'r.account_id')}
   ) counted
   where p.id = any($ids::bigint[]) and st.status_id = p.id and st.replies_count <> counted.n`,
)

/**
 * Removes replies, which this transaction has deleted, from the counters of their parents. Counts again, because a
 * counter may or may not contain a reply: if the author of the parent has just blocked or unblocked the other one, the
 * effect of that may not have run yet, and will not find the reply.
 */
export async function uncountReplies(tx: Tx, { parentIds }: { parentIds: readonly string[] }): Promise<void> {
  await lockStatusCounters(tx, { ids: parentIds })
  await updateReplyCounts(tx.db, { ids: parentIds })
}

interface BlockChange {
  accountId: string
  targetAccountId?: string
  targetAccountIds?: readonly string[]
  domain?: string
  domains?: readonly string[]
}

/**
 * Effect: recounts the replies to the statuses of an account after it blocked or unblocked other accounts or domains.
 * Replies from blocked accounts and domains are not counted.
 */
export async function recountReplies(ctx: Ctx, change: BlockChange): Promise<void> {
  const { accountId } = change
  const replierIds = await findRepliers(ctx, change)
  if (replierIds.length === 0) return
  await writeInBatches(ctx, async (tx, after) => {
    const ids = (await findParents(tx.db, { accountId, replierIds, after })).map((row) => row.id)
    if (ids.length === 0) return undefined
    // A transaction that adds a reply at the same time waits for this lock and increments the new count.
    await lockStatusCounters(tx, { ids })
    await updateReplyCounts(tx.db, { ids })
    return ids.length === BATCH_SIZE ? ids.at(-1) : undefined
  })
}

async function findRepliers(
  read: Read,
  { accountId, targetAccountId, targetAccountIds, domain, domains }: BlockChange,
): Promise<readonly string[]> {
  const changedDomains = domains ?? (domain === undefined ? [] : [domain])
  if (changedDomains.length === 0) return targetAccountIds ?? (targetAccountId === undefined ? [] : [targetAccountId])
  return (await findRepliersOfDomains(read.db, { accountId, domains: changedDomains })).map((row) => row.id)
}
