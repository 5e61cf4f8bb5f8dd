import type { Ctx } from '../../domain/context.ts'
import { statement } from '../../platform/db/statement.ts'
import { ABANDONED_AFTER_DAYS } from './record-results.ts'

/** How long delivered and failed deliveries are retained for administrators. */
const DELIVERED_DAYS = 1
const FAILED_DAYS = 7

/** How long sent activities are retained, so that an effect that runs again does not send one again. */
const SENT_DAYS = 7

const DAY_MS = 86_400_000

/** Rows per statement, so that no statement blocks others for long. */
const BATCH_ROWS = 5_000

// Of an abandoned delivery, `next_attempt_at` is the time at which it was abandoned.
const abandonExpired = statement<{ params: { before: Date; now: Date }; row: { id: string } }>(
  `update deliveries set state = 'abandoned', next_attempt_at = $now where id = any(array(
     select id from deliveries where state = 'pending' and created_at < $before limit ${BATCH_ROWS}
     for update skip locked))
   returning id`,
)
const removeDelivered = statement<{ params: { before: Date }; row: { id: string } }>(
  `delete from deliveries where id = any(array(
     select id from deliveries where state = 'delivered' and attempted_at < $before limit ${BATCH_ROWS})) returning id`,
)
const removeFailed = statement<{ params: { before: Date }; row: { id: string } }>(
  `delete from deliveries where id = any(array(
     select id from deliveries where (state = 'rejected' and attempted_at < $before)
       or (state = 'abandoned' and next_attempt_at < $before)
     limit ${BATCH_ROWS})) returning id`,
)
const removeSent = statement<{ params: { before: Date }; row: { id: string } }>(
  `delete from sent_activities where id = any(array(
     select a.id from sent_activities a
     where a.created_at < $before and not exists (select from deliveries d where d.activity_id = a.id)
     order by a.created_at limit ${BATCH_ROWS})) returning id`,
)

// A former key is of no use once its Update is delivered.
const eraseFormerKeys = statement<{ row: { id: string } }>(
  `update sent_activities set signing_key = null where id = any(array(
     select a.id from sent_activities a
     where a.signing_key is not null
       and not exists (select from deliveries d where d.activity_id = a.id and d.state = 'pending')
     limit ${BATCH_ROWS})) returning id`,
)

/**
 * Effect: abandons deliveries that failed for a week, and deletes expired deliveries, sent activities and
 * former keys.
 */
export async function pruneDeliveries(ctx: Ctx): Promise<void> {
  const now = ctx.now()
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS)
  for (const step of [
    () => abandonExpired(ctx.db, { before: daysAgo(ABANDONED_AFTER_DAYS), now }),
    () => eraseFormerKeys(ctx.db),
    () => removeDelivered(ctx.db, { before: daysAgo(DELIVERED_DAYS) }),
    () => removeFailed(ctx.db, { before: daysAgo(FAILED_DAYS) }),
    () => removeSent(ctx.db, { before: daysAgo(SENT_DAYS) }),
  ]) {
    let rows
    do rows = await step()
    while (rows.length === BATCH_ROWS)
  }
}
