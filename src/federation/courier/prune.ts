import type { Ctx } from '../../domain/context.ts'
import { statement } from '../../platform/db/connect.ts'
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
const giveUp = statement<{ id: string }>(
  `update deliveries set state = 'given_up', next_try_at = $2 where id = any(array(
     select id from deliveries where state = 'waiting' and created_at < $1 limit ${CHUNK} for update skip locked))
   returning id`,
)
const removeDelivered = statement<{ id: string }>(
  `delete from deliveries where id = any(array(
     select id from deliveries where state = 'delivered' and tried_at < $1 limit ${CHUNK})) returning id`,
)
const removeFailed = statement<{ id: string }>(
  `delete from deliveries where id = any(array(
     select id from deliveries where (state = 'refused' and tried_at < $1) or (state = 'given_up' and next_try_at < $1)
     limit ${CHUNK})) returning id`,
)
const removeSent = statement<{ id: string }>(
  `delete from sent_activities where id = any(array(
     select a.id from sent_activities a
     where a.created_at < $1 and not exists (select from deliveries d where d.activity_id = a.id)
     order by a.created_at limit ${CHUNK})) returning id`,
)

/** Effect: gives up what could not be delivered for a week, and forgets what nobody asks about any more. */
export async function pruneDeliveries(ctx: Ctx): Promise<void> {
  const now = ctx.now()
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS)
  for (const [work, values] of [
    [giveUp, [daysAgo(GIVE_UP_DAYS), now]],
    [removeDelivered, [daysAgo(DELIVERED_DAYS)]],
    [removeFailed, [daysAgo(FAILED_DAYS)]],
    [removeSent, [daysAgo(SENT_DAYS)]],
  ] as const) {
    let rows
    do rows = await work(ctx.db, values)
    while (rows.length === CHUNK)
  }
}
