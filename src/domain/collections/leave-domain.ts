import { statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../context.ts'
import { domainsOf } from '../relationships/domain-blocking.ts'
import { holdItem, removeItems } from './end-item.ts'

const findBlock = statement<{ params: { accountId: string; domain: string } }>(
  `select from account_domain_blocks where account_id = $accountId and domain = $domain for key share`,
)
const findItems = statement<{ params: { accountId: string; domain: string }; row: { id: string } }>(
  `select i.id from collection_items i join collections c on c.id = i.collection_id join accounts o on o.id = c.account_id
   where i.account_id = $accountId and i.state in ('pending', 'accepted') and o.domain is not null
     and $domain = any(${domainsOf('o')})
   order by i.id`,
)

/** Effect: somebody who blocks a domain leaves the collections of the people there. */
export async function leaveCollections(
  ctx: Ctx,
  { accountId, domain }: { accountId: string; domain: string },
): Promise<void> {
  await ctx.write(async (tx) => {
    if ((await findBlock(tx.db, { accountId, domain })).length === 0) return
    for (const { id } of await findItems(tx.db, { accountId, domain })) {
      await removeItems(tx, await holdItem(tx, { itemId: id }))
    }
  })
}
