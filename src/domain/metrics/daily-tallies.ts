import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Tx } from '../context.ts'
import { dayOf } from '../core/usage-history.ts'
import { interactionRows } from './measure-statements.ts'
import { boundsOf, dateSql, dayOfDateSql, MAX_PERIOD_DAYS } from './period.ts'
import type { PeriodIds, PeriodTimes } from './period.ts'

/**
 * Counting the interactions or statuses of a month reads most rows of a busy server, so the counts of past days are
 * stored. They do not change any more: what is deleted later stays counted, and so does what retention removes.
 */

/** The age at which a day is tallied: other servers may deliver late. */
const SETTLE_DAYS = 1

/** The maximum number of days that one run tallies, each in a transaction. */
const DAYS_PER_RUN = 100

const lockProgress = statement<{ row: { day: number | null } }>(
  `select ${dayOfDateSql('tallied_before')} as day from daily_tally_progress for update`,
)
const selectFirstDay = statement<{ row: { day: number | null } }>(
  `select ((min(id) >> 16) / 86400000)::int as day from statuses`,
)
const insertTallies = statement<{ params: Pick<PeriodTimes & PeriodIds, 'start' | 'end' | 'startId' | 'endId'> }>(
  `insert into daily_tallies (measure, day, domain, value)
   select 'statuses', ${dateSql('$start')}, coalesce(a.domain, ''), sum(author.statuses)::bigint from (
     select s.account_id, count(*) as statuses from statuses s
     where s.deleted_at is null and s.id >= $startId and s.id < $endId group by s.account_id
   ) author join accounts a on a.id = author.account_id group by coalesce(a.domain, '')
   union all
   select 'interactions', ${dateSql('$start')}, '', count(*) from (
     ${interactionRows({ from: '$start', fromId: '$startId', ofFavourite: '1', ofStatus: '1' })}
   ) interactions
   on conflict (measure, day, domain) do update set value = excluded.value`,
)
const updateProgress = statement<{ params: { before: Date } }>(
  `update daily_tally_progress set tallied_before = ${dateSql('$before')}`,
)
const prune = statement<{ params: { before: Date } }>(`delete from daily_tallies where day < ${dateSql('$before')}`)

/** Effect: tallies the days that are settled, oldest first, and deletes tallies that no period includes any more. */
export async function tallyDays(ctx: Ctx): Promise<void> {
  for (let days = 0; days < DAYS_PER_RUN && (await ctx.write(tallyNextDay)); days += 1);
  await ctx.write((tx) => prune(tx.db, { before: startOf(firstDayOf(tx)) }))
}

/** Returns whether there was a day to tally. */
async function tallyNextDay(tx: Tx): Promise<boolean> {
  const settledBefore = dayOf(tx.now) - SETTLE_DAYS
  const [progress] = await lockProgress(tx.db)
  const day = progress?.day ?? Math.max(firstDayOf(tx), (await selectFirstDay(tx.db))[0]?.day ?? settledBefore)
  if (day >= settledBefore) return false
  const { start, end, startId, endId } = boundsOf({ firstDay: day, lastDay: day })
  await insertTallies(tx.db, { start, end, startId, endId })
  await updateProgress(tx.db, { before: end })
  return true
}

/** The first day of the longest period that a request can include, with the one before it. */
function firstDayOf({ now }: Tx): number {
  return dayOf(now) - 2 * MAX_PERIOD_DAYS
}

function startOf(day: number): Date {
  return boundsOf({ firstDay: day, lastDay: day }).start
}
