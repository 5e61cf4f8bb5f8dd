import type { Ctx } from '../../domain/context.ts'
import { statement } from '../../platform/db/statement.ts'
import { FetchFailed } from '../../platform/fetch/refusals.ts'
import { Postponed } from '../../platform/jobs/postponed.ts'
import { readActivity } from '../objects/read-activity.ts'
import { createBudget } from '../remote/budget.ts'
import { isForeseen, isPassing, RemoteBusy } from '../remote/refusals.ts'
import type { WireObject } from '../wire/normalise.ts'
import { hostOf } from '../wire/read.ts'
import { handleForwarded } from './forwarded.ts'
import type { Forwarded } from './forwarded.ts'
import { HANDLERS } from './index.ts'
import type { ReceivedInteraction } from './order-interactions.ts'

/** With the growing pauses between its tries a job meets this before they are used up. */
const GIVE_UP_HOURS = 3
const HOUR_MS = 3_600_000

/** What is kept until it is understood: a document, whose type says what it is, or what somebody else pointed to. */
export type KeptBody = WireObject | { forwarded: Forwarded }

interface Row {
  body: KeptBody
  actor_uri: string
  inbox_account_id: string | null
  received_at: Date
  interaction_key: string | null
  relation_key: string | null
  is_undo: boolean
  signed_at: Date | null
}

const find = statement<{ params: { activityId: string }; row: Row; notNull: 'body' }>(
  `select body, actor_uri, inbox_account_id, received_at, interaction_key, relation_key, is_undo, signed_at
   from received_activities where id = $activityId and handled_at is null and body is not null`,
)
const settle = statement<{ params: { activityId: string; handledAt: Date } }>(
  `update received_activities set handled_at = $handledAt, body = null where id = $activityId`,
)

/**
 * Effect: does what an accepted activity says. What is refused on the way does nothing, now or later; what failed only
 * for the moment is tried again.
 */
export async function handleActivity(ctx: Ctx, { activityId }: { activityId: string }): Promise<void> {
  const [row] = await find(ctx.db, { activityId })
  if (!row) return
  try {
    await understand(ctx, { activityId, row })
  } catch (err) {
    const isPostponed = err instanceof Postponed
    if (!isPostponed && !isForeseen(err)) throw err
    if ((isPostponed || isPassing(err)) && isWorthWaiting(ctx, { err, since: row.received_at })) throw err
    ctx.log.debug({ err, activityId }, 'activity had no effect')
  }
  await settle(ctx.db, { activityId, handledAt: ctx.now() })
}

/** A host that can't be asked after so long is given up; the database never is. */
function isWorthWaiting(ctx: Ctx, { err, since }: { err: unknown; since: Date }): boolean {
  const isRemote = [FetchFailed, RemoteBusy, Postponed].some((kind) => err instanceof kind)
  return !isRemote || ctx.now().getTime() - since.getTime() < GIVE_UP_HOURS * HOUR_MS
}

async function understand(ctx: Ctx, { activityId, row }: { activityId: string; row: Row }): Promise<void> {
  const { body, actor_uri: actorUri, inbox_account_id: inboxAccountId } = row
  const budget = createBudget({ sender: hostOf(actorUri) ?? actorUri })
  // A document never gets here without its type.
  if (!('type' in body))
    return handleForwarded(ctx, { forwarded: (body as { forwarded: Forwarded }).forwarded, budget })
  const activity = readActivity(body, { now: ctx.now() })
  await HANDLERS.get(activity.type)?.(ctx, {
    activity,
    inboxAccountId,
    budget,
    interaction: interactionOf(activityId, row),
  })
}

/** Null also for interactions that an earlier version received, which has not stored when they were signed. */
function interactionOf(id: string, row: Row): ReceivedInteraction | null {
  const { interaction_key: interactionKey, relation_key: relationKey, is_undo: isUndo, signed_at: signedAt } = row
  return signedAt === null ? null : { id, interactionKey, relationKey, isUndo, signedAt }
}
