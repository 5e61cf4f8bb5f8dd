import { statement } from '../../platform/db/statement.ts'
import type { Statement } from '../../platform/db/statement.ts'
import type { Ctx, Tx } from '../context.ts'
import { dayOf } from '../core/usage-history.ts'
import { interactionRows } from './measure-statements.ts'
import { boundsOf, dateSql, dayOfDateSql, dayOfIdSql, MAX_PERIOD_DAYS } from './period.ts'
import type { PeriodIds, PeriodTimes } from './period.ts'
import { IS_COUNTED_USE } from './tagged-statuses.ts'

/**
 * Counting the interactions, the statuses, the active users or the uses of a common hashtag of a month reads most rows of
 * a busy server, so the counts of past days are stored. They do not change any more: what is deleted later stays
 * counted, and so does what retention removes.
 */

/** The age at which a day is tallied: other servers may deliver late. */
const SETTLE_DAYS = 1

/** The maximum number of days that one run tallies, each in a transaction. */
const DAYS_PER_RUN = 100

interface Tally {
  lockProgress: Statement<{ row: { day: number | null } }>
  selectFirstDay: Statement<{ row: { day: number | null } }>
  /** Store the counts of a day. */
  inserts: readonly Statement<{ params: DayBounds }>[]
  updateProgress: Statement<{ params: { before: Date } }>
  prunes: readonly Statement<{ params: { before: Date } }>[]
}

type DayBounds = Pick<PeriodTimes & PeriodIds, 'start' | 'end' | 'startId' | 'endId'>

const lockingProgress = (column: string) =>
  statement<{ row: { day: number | null } }>(
    `select ${dayOfDateSql(column)} as day from daily_tally_progress for update`,
  )
const updatingProgress = (column: string) =>
  statement<{ params: { before: Date } }>(`update daily_tally_progress set ${column} = ${dateSql('$before')}`)
const pruning = (table: string) =>
  statement<{ params: { before: Date } }>(`delete from ${table} where day < ${dateSql('$before')}`)
const selectFirstStatusDay = statement<{ row: { day: number | null } }>(
  `select ${dayOfIdSql('min(id)')} as day from statuses`,
)
const selectFirstUseDay = statement<{ row: { day: number | null } }>(
  `select least((select ${dayOfIdSql('min(id)')} from statuses),
     (select ${dayOfDateSql('min(day)')} from user_active_days)) as day`,
)
const insertCounts = statement<{ params: DayBounds }>(
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
const insertActiveUsers = statement<{ params: Pick<DayBounds, 'start'> }>(
  `insert into daily_active_users (day, previous_day, users)
   select ${dateSql('$start')}, coalesce(previous.day, '-infinity'),
     sum(count(*)) over (order by coalesce(previous.day, '-infinity'))::integer
   from user_active_days d left join lateral (
     select day from user_active_days p where p.user_id = d.user_id and p.day < d.day order by p.day desc limit 1
   ) previous on true
   where d.day = ${dateSql('$start')} group by previous.day
   on conflict (day, previous_day) do update set users = excluded.users`,
)
const insertTagUses = statement<{ params: Omit<DayBounds, 'end'> }>(
  `insert into daily_tag_uses (tag_id, day, domain, uses)
   select st.tag_id, ${dateSql('$start')}, coalesce(a.domain, ''), count(*)::integer
   from statuses s join status_tags st on st.status_id = s.id join accounts a on a.id = s.account_id
   where s.id >= $startId and s.id < $endId and ${IS_COUNTED_USE}
   group by st.tag_id, coalesce(a.domain, '')
   on conflict (tag_id, day, domain) do update set uses = excluded.uses`,
)

const TALLIES: readonly Tally[] = [
  {
    lockProgress: lockingProgress('tallied_before'),
    selectFirstDay: selectFirstStatusDay,
    inserts: [insertCounts],
    updateProgress: updatingProgress('tallied_before'),
    prunes: [pruning('daily_tallies')],
  },
  {
    lockProgress: lockingProgress('uses_tallied_before'),
    selectFirstDay: selectFirstUseDay,
    inserts: [insertActiveUsers, insertTagUses],
    updateProgress: updatingProgress('uses_tallied_before'),
    prunes: [pruning('daily_active_users'), pruning('daily_tag_uses')],
  },
]

/** Effect: tallies the days that are settled, oldest first, and deletes tallies that no period includes any more. */
export async function tallyDays(ctx: Ctx): Promise<void> {
  for (const tally of TALLIES) {
    for (let days = 0; days < DAYS_PER_RUN && (await ctx.write((tx) => tallyNextDay(tx, tally))); days += 1);
    await ctx.write(async (tx) => {
      for (const prune of tally.prunes) await prune(tx.db, { before: startOf(firstDayOf(tx)) })
    })
  }
}

/** Returns whether there was a day to tally. */
async function tallyNextDay(
  tx: Tx,
  { lockProgress, selectFirstDay, inserts, updateProgress }: Tally,
): Promise<boolean> {
  const settledBefore = dayOf(tx.now) - SETTLE_DAYS
  const [progress] = await lockProgress(tx.db)
  const day = progress?.day ?? Math.max(firstDayOf(tx), (await selectFirstDay(tx.db))[0]?.day ?? settledBefore)
  if (day >= settledBefore) return false
  const { start, end, startId, endId } = boundsOf({ firstDay: day, lastDay: day })
  for (const insert of inserts) await insert(tx.db, { start, end, startId, endId })
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
