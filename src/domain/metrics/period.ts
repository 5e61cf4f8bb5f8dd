import { ValidationError } from '../../lib/errors.ts'
import { firstStatusIdAt } from '../../lib/ids.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { dayOf, startOfDay } from '../core/usage-history.ts'

/** The maximum number of days of a period. */
export const MAX_PERIOD_DAYS = 366

/** Whole days in UTC, counted from 1970. */
export interface Period {
  firstDay: number
  lastDay: number
}

/**
 * Returns the period from the day of a time to the day of another one, both included.
 * @throws ValidationError if it is reversed or longer than 366 days
 */
export function createPeriod({ startAt, endAt }: { startAt: Date; endAt: Date }): Period {
  const period = { firstDay: dayOf(startAt), lastDay: dayOf(endAt) }
  const days = daysOf(period)
  const text = days < 1 ? 'must not be before start_at' : `must be within ${MAX_PERIOD_DAYS} days of start_at`
  if (days < 1 || days > MAX_PERIOD_DAYS)
    throw new ValidationError([{ attribute: 'end_at', code: 'ERR_INVALID', text }])
  return period
}

/** Returns the number of days of a period, with the first and the last one. */
export function daysOf({ firstDay, lastDay }: Period): number {
  return lastDay - firstDay + 1
}

/** The bounds of a period, and the begin of the preceding period of the same length. */
export interface PeriodTimes {
  from: Date
  start: Date
  end: Date
}

/** The same as ids of statuses. */
export interface PeriodIds {
  fromId: string
  startId: string
  endId: string
}

/** When the days begin that are not in `daily_tallies` and are counted, and the first id of a status of them. */
export interface UntalliedCounts {
  untallied: Date
  untalliedId: string
}

/** The same for `daily_active_users` and `daily_tag_uses`. */
export interface UntalliedUses {
  untalliedUses: Date
  untalliedUsesId: string
}

const selectProgress = statement<{ row: { day: number | null; uses_day: number | null } }>(
  `select ${dayOfDateSql('tallied_before')} as day, ${dayOfDateSql('uses_tallied_before')} as uses_day
   from daily_tally_progress`,
)

/** Returns from when on days are not tallied yet, so that their rows must be counted. */
export async function findUntallied(read: Read): Promise<UntalliedCounts & UntalliedUses> {
  const [progress] = await selectProgress(read.db)
  const untallied = startOfDay(progress?.day ?? 0)
  const untalliedUses = startOfDay(progress?.uses_day ?? 0)
  return {
    untallied,
    untalliedId: firstStatusIdAt(untallied),
    untalliedUses,
    untalliedUsesId: firstStatusIdAt(untalliedUses),
  }
}

/** Returns the bounds of a period in UTC, as times and as ids of statuses; its end is exclusive. */
export function boundsOf(period: Period): PeriodTimes & PeriodIds {
  const from = startOfDay(period.firstDay - daysOf(period))
  const start = startOfDay(period.firstDay)
  const end = startOfDay(period.lastDay + 1)
  return {
    from,
    start,
    end,
    fromId: firstStatusIdAt(from),
    startId: firstStatusIdAt(start),
    endId: firstStatusIdAt(end),
  }
}

/** Returns an SQL expression for the date of a parameter, in UTC. */
export function dateSql(time: `$${string}`): string {
  return `(${time}::timestamptz at time zone 'UTC')::date`
}

/** Returns an SQL expression for the day of a date, counted from 1970. */
export function dayOfDateSql(date: string): string {
  return `${date} - date '1970-01-01'`
}

/** Returns an SQL expression for the day of a time, in UTC, counted from 1970. */
export function dayOfTimeSql(column: string): string {
  return dayOfDateSql(`(${column} at time zone 'UTC')::date`)
}

/** Returns an SQL condition for the rows of `daily_tallies` from one time to another one. */
export function talliedSql(measure: 'interactions' | 'statuses', from: '$from' | '$start'): string {
  return `measure = '${measure}' and day >= ${dateSql(from)} and day < least(${dateSql('$end')}, ${dateSql('$untallied')})`
}

/** Returns an SQL expression for the day of a status id. */
export function dayOfIdSql(column: string): string {
  return `((${column} >> 16) / 86400000)::int`
}
