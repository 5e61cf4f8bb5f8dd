import { startsOfLastWeeks } from '../../lib/time/week.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Read } from '../context.ts'

/** How many weeks are published, including the current one. */
const WEEKS = 12

/** The counts of a week that begins on Monday, 00:00 UTC (Mastodon: GET /api/v1/instance/activity). */
export interface WeekActivity {
  startsAt: Date
  /** Local public and unlisted statuses, including reblogs. */
  statuses: number
  /** Users who were active. */
  logins: number
  /** Users who became confirmed and approved. */
  registrations: number
}

/**
 * The age at which statuses are tallied. A status gets its id before its transaction commits; with a shorter delay, one
 * that commits late could fall into the range of ids that was tallied already.
 */
const SETTLE_SECONDS = 60

const COUNTED = `s.local and s.visibility in ('public', 'unlisted') and s.deleted_at is null`

/** Returns an SQL expression for the smallest id of a status at or after a time. */
function statusIdAtSql(moment: string): string {
  return `((extract(epoch from ${moment}) * 1000)::bigint << 16)`
}

// Adds the statuses since the last tally, at most those of an hour, to the stored counts. Weeks that are over and
// tallied have no further statuses to read.
const selectActivity = statement<{
  params: { weeks: readonly Date[] }
  row: { week_starts_at: Date; statuses: number; logins: number; registrations: number }
}>(
  `select w.week_starts_at,
     coalesce(f.statuses, 0) + (select count(*)::int from statuses s
       where s.id >= greatest(f.counted_until_status_id, ${statusIdAtSql('w.week_starts_at')})
         and s.id < ${statusIdAtSql("w.week_starts_at + interval '168 hours'")} and ${COUNTED}) as statuses,
     coalesce(f.logins, 0) + coalesce(p.logins, 0) as logins,
     coalesce(f.registrations, 0) + coalesce(p.registrations, 0) as registrations
   from unnest($weeks::timestamptz[]) as w (week_starts_at) left join weekly_activity f on f.week_starts_at = w.week_starts_at
     left join (select week_starts_at, count(*) filter (where activity = 'login')::int as logins,
       count(*) filter (where activity = 'registration')::int as registrations
       from weekly_active_users group by week_starts_at) p on p.week_starts_at = w.week_starts_at
   order by w.week_starts_at desc`,
)

/** Returns the current counts of the last twelve weeks, this one first. */
export async function readActivity(read: Read, { now }: { now: Date }): Promise<WeekActivity[]> {
  const rows = await selectActivity(read.db, { weeks: startsOfLastWeeks(now, WEEKS) })
  return rows.map(({ week_starts_at: startsAt, ...counts }) => ({ startsAt, ...counts }))
}

const ensureWeek = statement<{ params: { week: Date } }>(
  `insert into weekly_activity (week_starts_at) values ($week::timestamptz) on conflict (week_starts_at) do nothing`,
)
// A concurrent run waits for the lock of the row and then continues from the recorded id.
const countStatuses = statement<{ params: { week: Date } }>(
  `update weekly_activity f set counted_until_status_id = b.bound, statuses = f.statuses + (select count(*)::int from statuses s
     where s.id >= greatest(f.counted_until_status_id, ${statusIdAtSql('f.week_starts_at')}) and s.id < b.bound and ${COUNTED})
   from (select least(${statusIdAtSql("$week::timestamptz + interval '168 hours'")},
     ${statusIdAtSql(`clock_timestamp() - interval '${SETTLE_SECONDS} seconds'`)}) as bound) b
   where f.week_starts_at = $week and f.counted_until_status_id < b.bound`,
)
const countUsers = statement<{ params: { week: Date } }>(
  `with deleted as (delete from weekly_active_users where week_starts_at = $week returning activity)
   update weekly_activity f set logins = f.logins + d.logins, registrations = f.registrations + d.registrations
   from (select count(*) filter (where activity = 'login')::int as logins,
     count(*) filter (where activity = 'registration')::int as registrations from deleted) d
   where f.week_starts_at = $week`,
)

/** Effect: tallies the activity since its last run, so that requests have few rows to count. */
export async function tallyActivity(ctx: Ctx): Promise<void> {
  const [thisWeek, ...before] = startsOfLastWeeks(ctx.now(), WEEKS)
  for (const week of [thisWeek!, ...before]) {
    await ctx.write(async (tx) => {
      await ensureWeek(tx.db, { week })
      await countStatuses(tx.db, { week })
      // The rows of the current week stay, so that each user counts once.
      if (week !== thisWeek) await countUsers(tx.db, { week })
    })
  }
}
