import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { readDomain } from './block-domain.ts'

const remove = statement<{ params: { accountId: string; domain: string }; row: { id: string } }>(
  `delete from account_domain_blocks where account_id = $accountId and domain = $domain returning id`,
)

/** Ends the block of a domain. What it ended does not come back. Without one nothing happens. @throws ValidationFailed */
export async function unblockDomain(
  tx: Tx,
  { accountId, domain: typed }: { accountId: string; domain: string },
): Promise<void> {
  const domain = readDomain(typed)
  const [row] = await remove(tx.db, { accountId, domain })
  if (row) tx.emit('domain.unblocked', { accountId, domain })
}
