import type { Ctx } from '../../domain/context.ts'
import { statement } from '../../platform/db/statement.ts'

/** Received activities are remembered for so long. A signature is accepted for a day at most, so no replay outlives them. */
const RECEIVED_DAYS = 30
const DAY_MS = 86_400_000

/** Rows of one statement, so that none blocks others for long. */
const CHUNK = 5_000

// Ids rise with the time of receipt, so the oldest rows are found without an index of their own.
const prune = statement<{ params: { before: Date }; row: { id: string } }>(
  `delete from received_activities where id = any(array(
     select id from (select id, received_at from received_activities order by id limit ${CHUNK}) oldest
     where received_at < $before))
   returning id`,
)

/** Effect: deletes the records of activities that were received more than 30 days ago. */
export async function pruneReceived(ctx: Ctx): Promise<void> {
  const before = new Date(ctx.now().getTime() - RECEIVED_DAYS * DAY_MS)
  let rows
  do rows = await prune(ctx.db, { before })
  while (rows.length === CHUNK)
}
