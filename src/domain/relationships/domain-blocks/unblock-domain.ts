import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { parseDomain } from '../../domain-blocks/parse-domain.ts'

const remove = statement<{ params: { accountId: string; domain: string }; row: { id: string } }>(
  `delete from account_domain_blocks where account_id = $accountId and domain = $domain returning id`,
)

/**
 * Ends a user's block of a domain, if there is one. Does not restore the relationships that the block ended.
 * @throws ValidationError
 */
export async function unblockDomain(
  tx: Tx,
  { accountId, domain: typed }: { accountId: string; domain: string },
): Promise<void> {
  const domain = parseDomain(typed)
  const [row] = await remove(tx.db, { accountId, domain })
  if (row) tx.emit('user_domain_block.deleted', { accountId, domain })
}

const removeMany = statement<{ params: { accountId: string; domains: readonly string[] }; row: { domain: string } }>(
  `delete from account_domain_blocks where account_id = $accountId and domain = any($domains::text[]) returning domain`,
)

/** Ends a user's blocks of many domains, as `unblockDomain` does. `domains`: canonical. */
export async function unblockDomains(
  tx: Tx,
  { accountId, domains }: { accountId: string; domains: readonly string[] },
): Promise<void> {
  const removed = (await removeMany(tx.db, { accountId, domains })).map((row) => row.domain)
  if (removed.length > 0) tx.emit('user_domain_block.many_deleted', { accountId, domains: removed })
}
