import { statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../context.ts'
import { dayOf, startOfDay } from '../core/usage-history.ts'
import { MAX_PERIOD_DAYS } from './period.ts'

const prune = statement<{ params: { before: Date } }>(
  `delete from user_active_days where day < ($before::timestamptz at time zone 'UTC')::date`,
)

/** Effect: deletes the active days that are older than the longest period and the one before it. */
export async function pruneActiveDays(ctx: Ctx): Promise<void> {
  await ctx.write((tx) => prune(tx.db, { before: startOfDay(dayOf(tx.now) - 2 * MAX_PERIOD_DAYS) }))
}
