import type { Ctx } from '../../domain/context.ts'
import { statement } from '../../platform/db/statement.ts'
import { GIVE_UP_DAYS } from './ledger.ts'

/** How long it can be seen what was delivered, and what was not. */
const DELIVERED_DAYS = 1
const FAILED_DAYS = 7

/** Activities are remembered so long, so that none is sent again by an effect that runs again. */
const SENT_DAYS = 7

const DAY_MS = 86_400_000

/** Rows of one statement, so that none holds others up. */
const CHUNK = 5_000

// The next try, which there will not be, is when it was given up.
const giveUp = statement<{ params: { before: Date; now: Date }; row: { id: string } }>(
  `update deliveries set state = 'given_up', next_try_at = $now where id = any(array(
     select id from deliveries where state = 'waiting' and created_at < $before limit ${CHUNK} for update skip locked))
   returning id`,
)
const removeDelivered = statement<{ params: { before: Date }; row: { id: string } }>(
  `delete from deliveries where id = any(array(
     select id from deliveries where state = 'delivered' and tried_at < $before limit ${CHUNK})) returning id`,
)
const removeFailed = statement<{ params: { before: Date }; row: { id: string } }>(
  `delete from deliveries where id = any(array(
     select id from deliveries where (state = 'refused' and tried_at < $before) or (state = 'given_up' and next_try_at < $before)
     limit ${CHUNK})) returning id`,
)
const removeSent = statement<{ params: { before: Date }; row: { id: string } }>(
  `delete from sent_activities where id = any(array(
     select a.id from sent_activities a
     where a.created_at < $before and not exists (select from deliveries d where d.activity_id = a.id)
     order by a.created_at limit ${CHUNK})) returning id`,
)

/** Effect: gives up what could not be delivered for a week, and forgets what nobody asks about any more. */
export async function pruneDeliveries(ctx: Ctx): Promise<void> {
  const now = ctx.now()
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS)
  for (const step of [
    () => giveUp(ctx.db, { before: daysAgo(GIVE_UP_DAYS), now }),
    () => removeDelivered(ctx.db, { before: daysAgo(DELIVERED_DAYS) }),
    () => removeFailed(ctx.db, { before: daysAgo(FAILED_DAYS) }),
    () => removeSent(ctx.db, { before: daysAgo(SENT_DAYS) }),
  ]) {
    let rows
    do rows = await step()
    while (rows.length === CHUNK)
  }
}
