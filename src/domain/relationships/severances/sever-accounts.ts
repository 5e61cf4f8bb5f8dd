import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Tx } from '../../context.ts'
import { lockAccounts } from '../../core/lock-accounts.ts'
import { deletingFollows } from '../follows/deleting-follows.ts'
import { recordSeverances } from './record-severances.ts'

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
const end = statement<{ params: { ids: readonly string[] }; row: Pair & { by_local: boolean } }>(
  `${deletingFollows({ where: 'id = any($ids::bigint[])', columns: 'account_id, target_account_id' })}
   select ended.account_id, ended.target_account_id, a.domain is null as by_local
   from ended join accounts a on a.id = ended.account_id`,
)

/**
 * Ends the follows, in both directions, between local accounts and remote accounts that are about to be deleted. Local
 * users are notified of the number of their lost follows. `cause`: see `recordSeverances`.
 */
export async function severAccounts(
  ctx: Ctx,
  { accountIds, domain, cause }: { accountIds: readonly string[]; domain: string; cause: string },
): Promise<void> {
  while (await ctx.write((tx) => severBatch(tx, { accountIds, domain, cause })));
}

async function severBatch(
  tx: Tx,
  { accountIds, domain, cause }: { accountIds: readonly string[]; domain: string; cause: string },
): Promise<boolean> {
  const pairs = await find(tx.db, { accountIds })
  if (pairs.length === 0) return false
  await lockAccounts(tx, { ids: pairs.flatMap((pair) => [pair.account_id, pair.target_account_id]) })
  const losses = new Map<string, { accountId: string; followers: number; following: number }>()
  for (const { account_id: accountId, target_account_id: targetAccountId, by_local: byLocal } of await end(tx.db, {
    ids: pairs.map(({ id }) => id),
  })) {
    const localId = byLocal ? accountId : targetAccountId
    const loss = losses.get(localId) ?? { accountId: localId, followers: 0, following: 0 }
    losses.set(localId, loss)
    loss[byLocal ? 'following' : 'followers'] += 1
    if (byLocal) tx.emit('account.unfollowed', { accountId, targetAccountId, uri: null })
  }
  await recordSeverances(tx, { type: 'domain_block', targetName: domain, cause, losses: [...losses.values()] })
  return true
}
