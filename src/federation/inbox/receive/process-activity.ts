import type { Ctx } from '../../../domain/context.ts'
import { createBatch } from '../../../platform/create-batch.ts'
import { statement } from '../../../platform/db/statement.ts'
import { FetchFailedError } from '../../../platform/fetch/fetch-errors.ts'
import { PostponedError } from '../../../platform/jobs/postponed-error.ts'
import { readActivity } from '../../objects/read/read-activity.ts'
import { createBudget } from '../../remote/fetch/budget.ts'
import { isExpectedFailure, isTemporary, RemoteBusyError } from '../../remote/fetch/remote-errors.ts'
import type { WireObject } from '../../wire/normalize.ts'
import { hostOf } from '../../wire/read-values.ts'
import { handleForwarded } from './forwarded-activity.ts'
import type { ForwardedActivity } from './forwarded-activity.ts'
import { REPETITION_PREFIX } from './store-activity.ts'
import { HANDLERS } from '../activity-handlers.ts'
import type { ReceivedInteraction } from '../ordering/order-interactions.ts'

/** The age at which an activity is abandoned. A job reaches it before its retries, with their backoff, are used up. */
const RETRY_HOURS = 3
const HOUR_MS = 3_600_000

/** How many concurrent jobs share one statement. */
const MAX_BATCH = 100

/** The stored body of an activity until it is processed: its document, or the reference in a forwarded activity. */
export type StoredBody = WireObject | { forwarded: ForwardedActivity }

interface Row {
  body: StoredBody
  is_repetition: boolean
  actor_uri: string
  inbox_account_id: string | null
  received_at: Date
  interaction_key: string | null
  relationship_key: string | null
  is_undo: boolean
  signed_at: Date | null
}

const find = statement<{
  params: { ids: readonly string[] }
  row: Row & { id: string }
  notNull: 'body' | 'is_repetition'
}>(
  `select id, body, starts_with(activity_id, '${REPETITION_PREFIX}') as is_repetition, actor_uri, inbox_account_id, received_at, interaction_key, relationship_key, is_undo, signed_at
   from received_activities where id = any($ids::bigint[]) and processed_at is null and body is not null`,
)
const findBatched = createBatch(
  async (db: Ctx['db'], ids: readonly string[]) => {
    const rows = new Map((await find(db, { ids })).map((row) => [row.id, row]))
    return ids.map((id) => rows.get(id) ?? null)
  },
  { maxItems: MAX_BATCH },
)
const markProcessed = statement<{ params: { ids: readonly string[]; now: Date } }>(
  `update received_activities set processed_at = $now, body = null where id = any($ids::bigint[])`,
)
const markProcessedBatched = createBatch(
  async (ctx: Ctx, ids: readonly string[]) => {
    await markProcessed(ctx.db, { ids, now: ctx.now() })
    return ids
  },
  { maxItems: MAX_BATCH },
)

/**
 * Effect: processes an accepted activity. An activity that is refused has no effect and is not retried; after a
 * temporary failure, the job is retried.
 */
export async function processActivity(ctx: Ctx, { activityId }: { activityId: string }): Promise<void> {
  const row = await findBatched(ctx.db, activityId)
  if (!row) return
  try {
    await dispatchActivity(ctx, { activityId, row })
  } catch (err) {
    const isPostponed = err instanceof PostponedError
    if (!isPostponed && !isExpectedFailure(err)) throw err
    if ((isPostponed || isTemporary(err)) && shouldRetry(ctx, { err, since: row.received_at })) throw err
    ctx.log.debug({ err, activityId }, 'Activity had no effect')
  }
  await markProcessedBatched(ctx, activityId)
}

/**
 * Returns whether to retry: for a limited time after failures of remote servers, always after failures of the database.
 */
function shouldRetry(ctx: Ctx, { err, since: receivedAt }: { err: unknown; since: Date }): boolean {
  const isRemote = [FetchFailedError, RemoteBusyError, PostponedError].some((kind) => err instanceof kind)
  return !isRemote || ctx.now().getTime() - receivedAt.getTime() < RETRY_HOURS * HOUR_MS
}

async function dispatchActivity(ctx: Ctx, { activityId, row }: { activityId: string; row: Row }): Promise<void> {
  const { body, actor_uri: actorUri, inbox_account_id: inboxAccountId } = row
  const budget = createBudget({ sender: hostOf(actorUri) ?? actorUri })
  // Only documents with a type are stored.
  if (!('type' in body))
    return handleForwarded(ctx, { forwarded: (body as { forwarded: ForwardedActivity }).forwarded, budget })
  const activity = readActivity(body, { now: ctx.now() })
  await HANDLERS.get(activity.type)?.(ctx, {
    activity,
    inboxAccountId,
    isRepetition: row.is_repetition,
    budget,
    interaction: interactionOf(activityId, row),
  })
}

/**
 * Returns the interaction of a row; null for other activities, and for rows of an earlier version without `signed_at`.
 */
function interactionOf(id: string, row: Row): ReceivedInteraction | null {
  if (row.signed_at === null) return null
  return {
    id,
    interactionKey: row.interaction_key,
    relationshipKey: row.relationship_key,
    isUndo: row.is_undo,
    signedAt: row.signed_at,
  }
}
