import type { Ctx } from '../../../domain/context.ts'
import { statement } from '../../../platform/db/statement.ts'

/**
 * How long received activities are retained. A signature is valid for a day at most, so no replay outlives its record.
 */
const RECEIVED_DAYS = 30
const DAY_MS = 86_400_000

/** Rows per statement, so that no statement blocks others for long. */
const BATCH_ROWS = 5_000

// Ids increase with the time of receipt, so the oldest rows are found without an index on `received_at`.
const prune = statement<{ params: { before: Date }; row: { id: string } }>(
  `delete from received_activities where id = any(array(
     select id from (select id, received_at from received_activities order by id limit ${BATCH_ROWS}) oldest
     where received_at < $before))
   returning id`,
)

/** Effect: deletes the records of activities that were received more than 30 days ago. */
export async function pruneReceivedActivities(ctx: Ctx): Promise<void> {
  const before = new Date(ctx.now().getTime() - RECEIVED_DAYS * DAY_MS)
  let rows
  do rows = await prune(ctx.db, { before })
  while (rows.length === BATCH_ROWS)
}
