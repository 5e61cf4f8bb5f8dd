import { statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../context.ts'
import { domainsOfAccount, isOfDomain } from '../access/user-domain-blocks.ts'
import { lockItem, removeItems } from './remove-items.ts'

const findBlock = statement<{ params: { accountId: string; domain: string } }>(
  `select from account_domain_blocks where account_id = $accountId and domain = $domain for key share`,
)
const findItems = statement<{ params: { accountId: string; domain: string }; row: { id: string } }>(
  `select i.id from collection_items i join collections c on c.id = i.collection_id join accounts o on o.id = c.account_id
   where i.account_id = $accountId and i.state in ('pending', 'accepted') and ${isOfDomain('o', '$domain')}
   order by i.id`,
)

const findDomains = statement<{
  params: { accountId: string; domains: readonly string[] }
  row: { domain: string }
  notNull: 'domain'
}>(
  `select distinct host.domain
   from collection_items i join collections c on c.id = i.collection_id join accounts o on o.id = c.account_id,
     unnest(${domainsOfAccount('o')}) as host (domain)
   where i.account_id = $accountId and i.state in ('pending', 'accepted') and o.domain is not null
     and host.domain = any($domains::text[])`,
)

/** Effect: removes a user who blocks a domain from the collections of its accounts. */
export async function leaveCollectionsOfDomain(
  ctx: Ctx,
  { accountId, domain }: { accountId: string; domain: string },
): Promise<void> {
  await ctx.write(async (tx) => {
    if ((await findBlock(tx.db, { accountId, domain })).length === 0) return
    for (const { id } of await findItems(tx.db, { accountId, domain })) {
      await removeItems(tx, await lockItem(tx, { itemId: id }))
    }
  })
}

/** Effect: does the same for many domains, of which few have such collections. */
export async function leaveCollectionsOfDomains(
  ctx: Ctx,
  { accountId, domains }: { accountId: string; domains: readonly string[] },
): Promise<void> {
  for (const { domain } of await findDomains(ctx.db, { accountId, domains })) {
    await leaveCollectionsOfDomain(ctx, { accountId, domain })
  }
}
