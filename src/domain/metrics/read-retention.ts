import { ValidationError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { startOfDay } from '../core/usage-history.ts'
import type { Period } from './period.ts'

/** The maximum number of cohorts, since their data grows with its square. */
const MAX_COHORTS = 100

export type CohortFrequency = 'day' | 'month'

/** The users who registered in a day or month, and how many were active in each later one or after it. */
export interface Cohort {
  startsAt: Date
  data: { startsAt: Date; rate: number; users: number }[]
}

// The numbers of the periods, from 1. `date_trunc` with a time zone takes three times as long.
const countUsers = statement<{
  params: { starts: readonly Date[]; end: Date }
  row: { registered: number; seen: number; users: number }
}>(
  `select width_bucket(created_at, $starts::timestamptz[]) as registered,
     width_bucket(last_seen_at, $starts::timestamptz[]) as seen, count(*)::int as users
   from users where created_at >= ($starts::timestamptz[])[1] and created_at < $end group by 1, 2`,
)

/**
 * Returns the retention of the users who registered in the days or months of a period. As in Mastodon, a user is
 * retained in a day or month if their last activity was in it or later. Mastodon: POST /api/v1/admin/retention
 * @throws ValidationError for too many cohorts
 */
export async function readRetention(
  read: Read,
  { period, frequency }: { period: Period; frequency: CohortFrequency },
): Promise<Cohort[]> {
  const starts = startsOf(period, frequency)
  if (starts.length > MAX_COHORTS) {
    const text = `must be within ${MAX_COHORTS} days of start_at`
    throw new ValidationError([{ attribute: 'end_at', code: 'ERR_INVALID', text }])
  }
  const end = nextStart(starts.at(-1)!, frequency)
  const rows = await countUsers(read.db, { starts, end })
  return starts.map((startsAt, n) => {
    const cohort = rows.filter((row) => row.registered === n + 1)
    const registered = sum(cohort)
    const data = starts.slice(n).map((at, later) => {
      const users = sum(cohort.filter((row) => row.seen >= n + 1 + later))
      return { startsAt: at, rate: users / Math.max(1, registered), users }
    })
    return { startsAt, data }
  })
}

function sum(rows: readonly { users: number }[]): number {
  return rows.reduce((total, { users }) => total + users, 0)
}

/** Returns the starts of the days or months that contain the days of a period. */
function startsOf({ firstDay, lastDay }: Period, frequency: CohortFrequency): Date[] {
  const first = startOfDay(firstDay)
  const last = startOfDay(lastDay)
  const starts: Date[] = []
  let start = frequency === 'day' ? first : new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth()))
  for (; start <= last; start = nextStart(start, frequency)) starts.push(start)
  return starts
}

function nextStart(start: Date, frequency: CohortFrequency): Date {
  const [year, month, day] = [start.getUTCFullYear(), start.getUTCMonth(), start.getUTCDate()]
  return new Date(frequency === 'day' ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1))
}
