import { statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../context.ts'
import { blocksDomainOfId, isOfDomain } from '../relationships/domain-blocking.ts'
import { holdCounters } from './hold-counters.ts'

/** Statuses whose replies are counted in one transaction. */
const CHUNK = 200

/** Whether the author of a parent blocks the author of a reply, or their domain, as SQL over expressions of their ids. */
export function blocksReplier(parentAuthor: string, replier: string): string {
  return `(exists (select from blocks b where b.account_id = ${parentAuthor} and b.target_account_id = ${replier})
    or ${blocksDomainOfId(parentAuthor, replier)})`
}

const findParents = (condition: string) =>
  statement<{ params: { accountId: string; target: string; from: string }; row: { id: string } }>(
    `select distinct p.id from statuses p join statuses r on r.in_reply_to_id = p.id
     where p.account_id = $accountId and p.id > $from::bigint and p.deleted_at is null and r.deleted_at is null
       and ${condition}
     order by p.id limit ${CHUNK}`,
  )
const findAnsweredBy = findParents('r.account_id = $target::bigint')
const findAnsweredFrom = findParents(isOfDomain('r.account_id', '$target'))

// Only counters that are wrong are written, since each write invalidates what is cached of a status.
const count = statement<{ params: { ids: readonly string[] } }>(
  `update status_stats st set replies_count = counted.n
   from (
     select p.id, count(r.id)::int as n
     from statuses p left join statuses r on r.in_reply_to_id = p.id and r.deleted_at is null
       and r.visibility in ('public', 'unlisted') and not ${blocksReplier('p.account_id', 'r.account_id')}
     where p.id = any($ids::bigint[]) group by p.id
   ) counted
   where st.status_id = counted.id and st.replies_count <> counted.n`,
)

interface BlockChange {
  accountId: string
  targetAccountId?: string
  domain?: string
}

/**
 * Effect: counts the replies to the statuses of an account anew after it blocked or unblocked another account or a
 * domain, whose replies do not count while they are blocked.
 */
export async function recountReplies(ctx: Ctx, { accountId, targetAccountId, domain }: BlockChange): Promise<void> {
  const target = targetAccountId ?? domain
  if (target === undefined) return
  let after: string | undefined = '0'
  while (after !== undefined) {
    const from: string = after
    after = await ctx.write<string | undefined>(async (tx) => {
      const find = targetAccountId === undefined ? findAnsweredFrom : findAnsweredBy
      const ids = (await find(tx.db, { accountId, target, from })).map((row) => row.id)
      // Whoever counts a reply meanwhile waits, and adds to the new figure.
      await holdCounters(tx, { ids })
      await count(tx.db, { ids })
      return ids.length === CHUNK ? ids.at(-1) : undefined
    })
  }
}
