import type { Ctx } from '../../domain/context.ts'
import { statement } from '../../platform/db/connect.ts'
import { readActivity } from '../objects/read-activity.ts'
import { createBudget } from '../remote/budget.ts'
import { isForeseen, isPassing } from '../remote/refusals.ts'
import type { WireObject } from '../wire/normalise.ts'
import { handleForwarded } from './forwarded.ts'
import type { Forwarded } from './forwarded.ts'
import { HANDLERS } from './index.ts'

/** What is kept until it is understood: a document, whose type says what it is, or what somebody else pointed to. */
export type KeptBody = WireObject | { forwarded: Forwarded }

const find = statement<{ body: KeptBody; inbox_account_id: string | null }>(
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
  try {
    await understand(ctx, { body: row.body, inboxAccountId: row.inbox_account_id })
  } catch (err) {
    if (isPassing(err) || !isForeseen(err)) throw err
    ctx.log.debug({ err, activityId }, 'an activity did nothing')
  }
  await settle(ctx.db, [activityId, ctx.now()])
}

async function understand(
  ctx: Ctx,
  { body, inboxAccountId }: { body: KeptBody; inboxAccountId: string | null },
): Promise<void> {
  const budget = createBudget()
  // A document never gets here without its type.
  if (!('type' in body))
    return handleForwarded(ctx, { forwarded: (body as { forwarded: Forwarded }).forwarded, budget })
  const activity = readActivity(body, { now: ctx.now() })
  await HANDLERS.get(activity.type)?.(ctx, { activity, inboxAccountId, budget })
}
