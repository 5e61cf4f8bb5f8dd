import { moveAccount, replayMove } from '../../accounts/migration/move-account.ts'
import type { Ctx } from '../../context.ts'
import { lockTarget, recordAction } from '../lock-target.ts'
import type { ActionInput } from '../lock-target.ts'

/**
 * Moves a local account on behalf of its user to the account with a handle or URL, or, for null, repeats its last move.
 * @throws NotFoundError; ValidationError (of `acct`), see `moveAccount` and `replayMove`
 */
export async function migrateAccount(
  ctx: Ctx,
  { accountId, by, name }: ActionInput & { name: string | null },
): Promise<void> {
  if (name !== null) await moveAccount(ctx, { accountId, name, session: null })
  await ctx.write(async (tx) => {
    const target = await lockTarget(tx, { accountId, by })
    if (name === null) await replayMove(tx, { accountId })
    await recordAction(tx, { by, target, action: 'migrate' })
  })
}
