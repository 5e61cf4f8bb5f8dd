import { statement } from '../../../platform/db/statement.ts'
import { findAccount } from '../../accounts/lookup/find-account.ts'
import type { Ctx, Tx } from '../../context.ts'

const remove = statement<{ params: { accountId: string; targetAccountId: string }; row: { id: string } }>(
  `delete from mutes where account_id = $accountId and target_account_id = $targetAccountId returning id`,
)

/** Ends a mute, if there is one. @throws NotFoundError */
export async function unmuteAccount(
  tx: Tx,
  { accountId, targetAccountId }: { accountId: string; targetAccountId: string },
): Promise<void> {
  await findAccount(tx, { id: targetAccountId })
  const [row] = await remove(tx.db, { accountId, targetAccountId })
  if (row) tx.emit('account.unmuted', { accountId, targetAccountId })
}

const removeExpired = statement<{ params: { now: Date }; row: { account_id: string; target_account_id: string } }>(
  `delete from mutes where expires_at <= $now returning account_id, target_account_id`,
)

/** Effect: deletes expired mutes, which have had no effect since their expiry. */
export async function expireMutes(ctx: Ctx): Promise<void> {
  await ctx.write(async (tx) => {
    for (const row of await removeExpired(tx.db, { now: tx.now })) {
      tx.emit('account.unmuted', { accountId: row.account_id, targetAccountId: row.target_account_id })
    }
  })
}
