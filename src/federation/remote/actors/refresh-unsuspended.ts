import type { Ctx } from '../../../domain/context.ts'
import { statement } from '../../../platform/db/statement.ts'
import { createBudget } from '../fetch/budget.ts'
import { isExpectedFailure } from '../fetch/remote-errors.ts'
import { resolveActor } from './resolve-actor.ts'

const TIMEOUT_MS = 15_000
const MAX_FETCHES = 10

const findUnsuspended = statement<{ params: { accountId: string }; row: { uri: string } }>(
  `select uri from accounts where id = $accountId and domain is not null and suspended_at is null`,
)

/**
 * Effect: fetches the profile of a remote account whose suspension has ended, since its updates were refused meanwhile,
 * and its data may have been deleted.
 */
export async function refreshUnsuspended(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  const [account] = await findUnsuspended(ctx.db, { accountId })
  if (!account) return
  const budget = createBudget({ fetches: MAX_FETCHES, timeoutMs: TIMEOUT_MS })
  await resolveActor(ctx, { uri: account.uri, budget }).catch((err: unknown) => {
    if (!isExpectedFailure(err)) throw err
    ctx.log.debug({ err }, 'Account could not be refreshed after its suspension')
  })
}
