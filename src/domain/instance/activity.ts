import { lastWeeks } from '../../lib/week.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Read } from '../context.ts'

/** So many weeks are told, this one among them. */
const WEEKS = 12

/** What happened here in a week that begins on Monday, 00:00 UTC. */
export interface Week {
  startsAt: Date
  /** Public and unlisted ones, boosts too; nobody counts what people say in private. */
  statuses: number
  /** People who were here. */
  logins: number
  /** People who joined: confirmed, and approved. */
  registrations: number
}

/**
 * A status is counted when it is so old. Ids are given a moment before their statuses can be seen, and one that comes
 * late among those that are counted would be left out.
 */
const SETTLED_SECONDS = 60

const COUNTED = `s.local and s.visibility in ('public', 'unlisted') and s.deleted_at is null`

/** The first id that a status can have from a moment on. */
function idAt(moment: string): string {
  return `((extract(epoch from ${moment}) * 1000)::bigint << 16)`
}

// What is counted already, and what has come since: at most the statuses of an hour, by the order of their ids. Of a
// week that is over and counted there is nothing to look at.
const read = statement<{
  params: { weeks: readonly Date[] }
  row: { starts_at: Date; statuses: number; logins: number; registrations: number }
}>(
  `select w.starts_at,
     coalesce(f.statuses, 0) + (select count(*)::int from statuses s
       where s.id >= greatest(f.counted_to, ${idAt('w.starts_at')})
         and s.id < ${idAt("w.starts_at + interval '168 hours'")} and ${COUNTED}) as statuses,
     coalesce(f.logins, 0) + coalesce(p.logins, 0) as logins,
     coalesce(f.registrations, 0) + coalesce(p.registrations, 0) as registrations
   from unnest($weeks::timestamptz[]) as w (starts_at) left join weekly_figures f on f.starts_at = w.starts_at
     left join (select starts_at, count(*) filter (where deed = 'login')::int as logins,
       count(*) filter (where deed = 'registration')::int as registrations
       from weekly_people group by starts_at) p on p.starts_at = w.starts_at
   order by w.starts_at desc`,
)

/** The last weeks, this one first, as they are now. */
export async function readActivity(from: Read, { now }: { now: Date }): Promise<Week[]> {
  const rows = await read(from.db, { weeks: lastWeeks(now, WEEKS) })
  return rows.map(({ starts_at: startsAt, ...figures }) => ({ startsAt, ...figures }))
}

const prepare = statement<{ params: { week: Date } }>(
  `insert into weekly_figures (starts_at) values ($week::timestamptz) on conflict (starts_at) do nothing`,
)
// Who comes second waits for the row, and then counts from where the first one stopped.
const countStatuses = statement<{ params: { week: Date } }>(
  `update weekly_figures f set counted_to = b.bound, statuses = f.statuses + (select count(*)::int from statuses s
     where s.id >= greatest(f.counted_to, ${idAt('f.starts_at')}) and s.id < b.bound and ${COUNTED})
   from (select least(${idAt("$week::timestamptz + interval '168 hours'")},
     ${idAt(`clock_timestamp() - interval '${SETTLED_SECONDS} seconds'`)}) as bound) b
   where f.starts_at = $week and f.counted_to < b.bound`,
)
const countPeople = statement<{ params: { week: Date } }>(
  `with gone as (delete from weekly_people where starts_at = $week returning deed)
   update weekly_figures f set logins = f.logins + g.logins, registrations = f.registrations + g.registrations
   from (select count(*) filter (where deed = 'login')::int as logins,
     count(*) filter (where deed = 'registration')::int as registrations from gone) g
   where f.starts_at = $week`,
)

/** Effect: counts what has come since it last did, so that whoever asks has little to count. */
export async function tallyActivity(ctx: Ctx): Promise<void> {
  const [thisWeek, ...before] = lastWeeks(ctx.now(), WEEKS)
  for (const week of [thisWeek!, ...before]) {
    await ctx.write(async (tx) => {
      await prepare(tx.db, { week })
      await countStatuses(tx.db, { week })
      // Of this week it must be remembered who has been here.
      if (week !== thisWeek) await countPeople(tx.db, { week })
    })
  }
}
