import { statement } from '../../../platform/db/statement.ts'
import { cancelPurges, schedulePurges } from '../../account-deletion/schedule-purges.ts'
import { isOfDomain } from '../../access/user-domain-blocks.ts'
import type { Ctx, Tx } from '../../context.ts'
import { lockAccounts } from '../../core/lock-accounts.ts'
import { findFewAccounts } from '../../domain-blocks/find-few-accounts.ts'
import { waitForInsertedAccounts } from '../../domain-blocks/lock-domain-blocks.ts'
import { IS_LIMITED_BY_DOMAIN, IS_SUSPENDED_BY_DOMAIN } from '../../domain-blocks/suspended-host.ts'
import { recordDomainBlockStep } from './domain-block-progress.ts'

/** The number of accounts of the domain that one job changes at most, in one transaction. */
const MAX_CHANGES = 500

/** The number of accounts that one job examines at most, of all domains. */
const MAX_SCANNED = 20_000

const findNext = statement<{
  params: { after: string; domain: string }
  row: { ids: string[]; last: string | null; is_full: boolean }
}>(
  `with scanned as (
     select id, domain, uri from accounts where id > $after order by id limit ${MAX_SCANNED}
   ), of_domain as (
     select a.id from scanned a
     where ${isOfDomain('a', '$domain')}
     order by a.id limit ${MAX_CHANGES}
   )
   select array(select id from of_domain) as ids,
     (select count(*) from of_domain) = ${MAX_CHANGES} as is_full, (select max(id) from scanned) as last`,
)
// An exemption lasts until no block applies to the account any more.
const apply = statement<{
  params: { ids: readonly string[]; now: Date }
  row: { id: string; suspended: boolean }
  notNull: 'suspended'
}>(
  `with locked as (
     select a.* from accounts a where a.id = any($ids::bigint[]) order by a.id for no key update
   ), blocked as materialized (
     select a.*, ${IS_LIMITED_BY_DOMAIN} as limited_by_block, ${IS_SUSPENDED_BY_DOMAIN} as suspended_by_block
     from locked a
   ), effective as (
     select *, limited_by_block and not exempt_from_domain_limit as limited,
       suspended_by_block and not exempt_from_domain_suspension as suspended,
       exempt_from_domain_limit and (limited_by_block or suspended_by_block) as exempt_from_limit,
       exempt_from_domain_suspension and (limited_by_block or suspended_by_block) as exempt_from_suspension
     from blocked
   ), changed as (
     select id, exempt_from_limit, exempt_from_suspension,
       case when limited then coalesce(silenced_at, $now) when not silenced_by_domain_block then silenced_at
         end as silenced_at,
       limited and (silenced_by_domain_block or silenced_at is null) as silenced_by_domain_block,
       case when suspended then coalesce(suspended_at, $now) when not suspended_by_domain_block then suspended_at
         end as suspended_at,
       suspended and (suspended_by_domain_block or suspended_at is null) as suspended_by_domain_block
     from effective
   )
   update accounts a set silenced_at = c.silenced_at, silenced_by_domain_block = c.silenced_by_domain_block,
     exempt_from_domain_limit = c.exempt_from_limit, exempt_from_domain_suspension = c.exempt_from_suspension,
     suspended_at = c.suspended_at, suspended_by_domain_block = c.suspended_by_domain_block,
     version = a.version + 1
   from changed c
   where c.id = a.id and (c.silenced_by_domain_block, c.suspended_by_domain_block, c.exempt_from_limit,
       c.exempt_from_suspension)
     <> (a.silenced_by_domain_block, a.suspended_by_domain_block, a.exempt_from_domain_limit,
       a.exempt_from_domain_suspension)
   returning a.id, a.suspended_at is not null and not a.suspended_by_origin as suspended`,
)

/**
 * Effect: limits and suspends the known accounts of a domain and its subdomains as the domain blocks say now, and ends
 * limits and suspensions that came from a former block; those of an account itself stay. Each job takes one step in one
 * transaction, which also writes the job of the next step, so that an interrupted run continues where it was.
 * `after`: the last account that earlier steps examined.
 */
export async function applyDomainBlocks(
  ctx: Ctx,
  { domain, after = '0' }: { domain: string; after?: string },
): Promise<void> {
  if (after === '0') await ctx.write(waitForInsertedAccounts)
  await ctx.write(async (tx) => {
    const { ids, next } = await findStep(tx, { domain, after })
    if (ids.length > 0) {
      await lockAccounts(tx, { ids })
      const changed = await apply(tx.db, { ids, now: tx.now })
      const idsBySuspension = (suspended: boolean) =>
        changed.filter((account) => account.suspended === suspended).map(({ id }) => id)
      await schedulePurges(tx, { accountIds: idsBySuspension(true) })
      await cancelPurges(tx, { accountIds: idsBySuspension(false) })
    }
    await recordDomainBlockStep(tx, { domain, from: after, until: next })
    if (next === null) tx.emit('domain_block.applied', { domain })
    else tx.emit('domain_block.accounts_due', { domain, after: next })
  })
}

/** Returns the accounts of the domain that a step changes, and the last account that it examines; null: the last step. */
async function findStep(
  tx: Tx,
  { domain, after }: { domain: string; after: string },
): Promise<{ ids: string[]; next: string | null }> {
  const few = after === '0' ? await findFewAccounts(tx, { domain, max: MAX_CHANGES }) : null
  if (few) return { ids: few, next: null }
  const [found] = await findNext(tx.db, { after, domain })
  const { ids, last, is_full: isFull } = found!
  return { ids, next: isFull ? ids.at(-1)! : last }
}
