import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Tx } from '../../context.ts'
import { lockAccounts } from '../../core/lock-accounts.ts'
import { deletingFollows } from '../follows/deleting-follows.ts'
import { ENDED_FOLLOWS, recordEndedFollows } from './record-ended-follows.ts'
import type { EndedFollow } from './record-ended-follows.ts'

/** The follows that one transaction ends. */
const BATCH_SIZE = 500

interface Pair {
  account_id: string
  target_account_id: string
}

const find = statement<{ params: { accountIds: readonly string[] }; row: Pair & { id: string } }>(
  `select f.id, f.account_id, f.target_account_id from follows f join accounts t on t.id = f.target_account_id
   where f.account_id = any($accountIds::bigint[]) and t.domain is null
   union all
   select f.id, f.account_id, f.target_account_id from follows f join accounts a on a.id = f.account_id
   where f.target_account_id = any($accountIds::bigint[]) and a.domain is null
   limit ${BATCH_SIZE}`,
)
const end = statement<{ params: { ids: readonly string[] }; row: EndedFollow }>(
  `${deletingFollows({ where: 'id = any($ids::bigint[])', columns: 'follows.*' })} ${ENDED_FOLLOWS}`,
)

/**
 * Ends the follows, in both directions, between local accounts and remote accounts that are about to be deleted. Local
 * users are notified of their lost follows, except with `cause` null. `cause`: see `recordSeverances`.
 */
export async function severAccounts(
  ctx: Ctx,
  { accountIds, domain, cause }: { accountIds: readonly string[]; domain: string; cause: string | null },
): Promise<void> {
  while (await ctx.write((tx) => severBatch(tx, { accountIds, domain, cause })));
}

async function severBatch(
  tx: Tx,
  { accountIds, domain, cause }: { accountIds: readonly string[]; domain: string; cause: string | null },
): Promise<boolean> {
  const pairs = await find(tx.db, { accountIds })
  if (pairs.length === 0) return false
  await lockAccounts(tx, { ids: pairs.flatMap((pair) => [pair.account_id, pair.target_account_id]) })
  const ended = await end(tx.db, { ids: pairs.map(({ id }) => id) })
  await recordEndedFollows(tx, { ended, domain, cause })
  return true
}
