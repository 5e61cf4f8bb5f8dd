import type { Ctx } from '../../domain/context.ts'
import { statement } from '../../platform/db/connect.ts'
import { readActivity } from '../objects/read-activity.ts'
import { createBudget } from '../remote/budget.ts'
import { isForeseen, isPassing } from '../remote/refusals.ts'
import type { WireObject } from '../wire/normalise.ts'
import { HANDLERS } from './index.ts'

const find = statement<{ body: WireObject; inbox_account_id: string | null }>(
  `select body, inbox_account_id from received_activities where id = $1 and handled_at is null and body is not null`,
)
const settle = statement(`update received_activities set handled_at = $2, body = null where id = $1`)

/**
 * Effect: does what an accepted activity says. What is refused on the way does nothing, now or later; what failed only
 * for the moment is tried again.
 */
export async function handleActivity(ctx: Ctx, { activityId }: { activityId: string }): Promise<void> {
  const [row] = await find(ctx.db, [activityId])
  if (!row) return
  const activity = readActivity(row.body, { now: ctx.now() })
  const handle = HANDLERS.get(activity.type)
  try {
    await handle?.(ctx, { activity, inboxAccountId: row.inbox_account_id, budget: createBudget() })
  } catch (err) {
    if (isPassing(err) || !isForeseen(err)) throw err
    ctx.log.debug({ err, type: activity.type }, 'an activity did nothing')
  }
  await settle(ctx.db, [activityId, ctx.now()])
}
