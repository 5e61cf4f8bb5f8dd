import { statement } from '../../platform/db/statement.ts'
import type { PeriodIds, PeriodTimes, UntalliedCounts, UntalliedUses } from './period.ts'
import { dateSql, dayOfDateSql, dayOfIdSql, dayOfTimeSql, talliedSql } from './period.ts'
import { taggedStatuses } from './tagged-statuses.ts'

/**
 * The value of a day of the period or of the one before it (`is_current` false), or of the whole of these (`day` null).
 */
export interface MeasureRow {
  day: number | null
  is_current: boolean
  value: string
}

/** Counts rows with the columns `day` and `is_current`. `counted`: a query of counts of further days. */
const countRows = (rows: string, counted = '') =>
  `select day, is_current, sum(count)::bigint as value
   from (select day, is_current, count(*) from (${rows}) found group by day, is_current ${counted && `union all ${counted}`}) counted
   group by grouping sets ((is_current, day), (is_current))`
/** Counts each `subject` once per day, and once per period. */
const countSubjects = (rows: string) =>
  `with used as materialized (select distinct day, is_current, subject from (${rows}) found)
   select day, is_current, count(*) as value from used group by day, is_current
   union all select null, is_current, count(*) from (select distinct is_current, subject from used) subjects group by is_current`
/** Adds the values of rows with the column `day`. `total`: a query for the value of all times. */
const withTotal = (total: string, { rows, value = 'count(*)' }: { rows: string; value?: string }) =>
  `select null::int as day, true as is_current, (${total}) as value
   union all select day, true, ${value} from (${rows}) counted group by day`

const isInPeriod = (column: string) => `${column} >= $from and ${column} < $end`
const timeColumns = (column: string) => `${dayOfTimeSql(column)} as day, ${column} >= $start as is_current`
const ID_COLUMNS = `${dayOfIdSql('s.id')} as day, s.id >= $startId as is_current`
const isNew = (column: string) => `${column} >= $start and ${column} < $end`

interface Times {
  params: PeriodTimes
  row: MeasureRow
}
interface TalliedTagMeasure {
  params: PeriodTimes & PeriodIds & UntalliedUses & { tagId: string }
  row: MeasureRow
}
interface TagMeasure {
  params: PeriodIds & { tagId: string }
  row: MeasureRow
}
interface InstanceMeasure {
  params: Pick<PeriodTimes, 'start' | 'end'> & { domain: string }
  row: MeasureRow
}

/** Returns a query for the tallied days from one time to another one, with the users last active before a date. */
const talliedUsers = (start: '$from' | '$start', end: '$start' | '$end', activeBefore: string) =>
  `select ${dateSql(start)} + n as day, tally.users
   from generate_series(0, least(${dateSql(end)}, ${dateSql('$untalliedUses')}) - ${dateSql(start)} - 1) n, lateral (
     select users from daily_active_users t where t.day = ${dateSql(start)} + n and t.previous_day < ${activeBefore}
     order by t.previous_day desc limit 1) tally`
const untalliedSince = (start: '$from' | '$start') => `greatest(${dateSql(start)}, ${dateSql('$untalliedUses')})`
/**
 * Counts the users with an active day between two times: those of tallied days, each on the first active day, and those
 * of later days who were not active on a tallied one.
 */
const activeBetween = (start: '$from' | '$start', end: '$start' | '$end') =>
  `(select coalesce(sum(users), 0) from (${talliedUsers(start, end, dateSql(start))}) tallied)
   + (select count(distinct d.user_id) from user_active_days d left join lateral (
       select true as was_active from user_active_days p
       where p.user_id = d.user_id and p.day >= ${dateSql(start)} and p.day < ${dateSql('$untalliedUses')} limit 1) tallied on true
     where d.day >= ${untalliedSince(start)} and d.day < ${dateSql(end)} and tallied.was_active is null)`
export const selectActiveUsers = statement<{
  params: PeriodTimes & Pick<UntalliedUses, 'untalliedUses'>
  row: MeasureRow
}>(
  `select ${dayOfDateSql('day')} as day, true as is_current, users::bigint as value
   from (${talliedUsers('$start', '$end', `${dateSql('$start')} + n`)}) tallied
   union all select ${dayOfDateSql('day')}, true, count(*) from user_active_days
   where day >= ${untalliedSince('$start')} and day < ${dateSql('$end')} group by user_active_days.day
   union all select null, true, (${activeBetween('$start', '$end')})::bigint
   union all select null, false, (${activeBetween('$from', '$start')})::bigint`,
)
export const selectNewUsers = statement<Times>(
  countRows(`select ${timeColumns('created_at')} from users where ${isInPeriod('created_at')}`),
)
/**
 * Returns a query for the favourites, reblogs and replies to others by local accounts, until $end. Favourites of remote
 * accounts have the ids of their Like activities.
 */
export function interactionRows({
  from,
  fromId,
  ofFavourite,
  ofStatus,
}: {
  from: string
  fromId: string
  ofFavourite: string
  ofStatus: string
}): string {
  return `select ${ofFavourite} from favourites f where f.uris = '{}' and f.created_at >= ${from} and f.created_at < $end
    union all select ${ofStatus} from statuses s
    where s.local and s.deleted_at is null and s.id >= ${fromId} and s.id < $endId and (s.reblog_of_id is not null
      or (s.in_reply_to_account_id is not null and s.in_reply_to_account_id <> s.account_id))`
}
export const selectInteractions = statement<{ params: PeriodTimes & PeriodIds & UntalliedCounts; row: MeasureRow }>(
  countRows(
    interactionRows({
      from: 'greatest($from::timestamptz, $untallied::timestamptz)',
      fromId: 'greatest($fromId::bigint, $untalliedId::bigint)',
      ofFavourite: timeColumns('f.created_at'),
      ofStatus: ID_COLUMNS,
    }),
    `select ${dayOfDateSql('day')}, day >= ${dateSql('$start')}, value from daily_tallies where ${talliedSql('interactions', '$from')}`,
  ),
)
export const selectOpenedReports = statement<Times>(
  countRows(`select ${timeColumns('created_at')} from reports where ${isInPeriod('created_at')}`),
)
export const selectResolvedReports = statement<Times>(
  countRows(`select ${timeColumns('action_taken_at')} from reports where ${isInPeriod('action_taken_at')}`),
)

const TAGGED = taggedStatuses({ first: '$fromId' })
const UNTALLIED_ID = 'greatest($fromId::bigint, $untalliedUsesId::bigint)'
const UNTALLIED_TAGGED = taggedStatuses({ first: UNTALLIED_ID })
const UNTALLIED_TAGGED_WITH_AUTHORS = taggedStatuses({ first: UNTALLIED_ID, withAuthors: true })
const TALLIED_USES = `from daily_tag_uses
  where tag_id = $tagId and day >= ${dateSql('$from')} and day < least(${dateSql('$end')}, ${dateSql('$untalliedUses')})`
const TALLIED_COLUMNS = `${dayOfDateSql('day')}, day >= ${dateSql('$start')}`
export const selectTagAccounts = statement<TagMeasure>(
  countSubjects(`select ${ID_COLUMNS}, s.account_id as subject from ${TAGGED}`),
)
export const selectTagUses = statement<TalliedTagMeasure>(
  countRows(`select ${ID_COLUMNS} from ${UNTALLIED_TAGGED}`, `select ${TALLIED_COLUMNS}, uses ${TALLIED_USES}`),
)
export const selectTagServers = statement<TalliedTagMeasure>(
  countSubjects(
    `select ${ID_COLUMNS}, coalesce(a.domain, '') as subject from ${UNTALLIED_TAGGED_WITH_AUTHORS}
     union all select ${TALLIED_COLUMNS}, domain ${TALLIED_USES}`,
  ),
)

/** Counts rows of `from` whose account is on the server $domain, by the time in a column. */
const ofInstance = (from: string, column: string) =>
  withTotal(`select count(*) from ${from}`, {
    rows: `select ${dayOfTimeSql(column)} as day from ${from} and ${isNew(column)}`,
  })

export const selectInstanceAccounts = statement<InstanceMeasure>(
  ofInstance('accounts a where a.domain = $domain', 'a.created_at'),
)
// The files of remote attachments that are cached.
const MEDIA = `accounts a join media_attachments m on m.account_id = a.id join cached_files c on c.media_id = m.id
  where a.domain = $domain`
export const selectInstanceMedia = statement<InstanceMeasure>(
  withTotal(`select coalesce(sum(c.byte_size), 0) from ${MEDIA}`, {
    rows: `select ${dayOfTimeSql('m.created_at')} as day, c.byte_size from ${MEDIA} and ${isNew('m.created_at')}`,
    value: 'sum(byte_size)',
  }),
)
export const selectInstanceReports = statement<InstanceMeasure>(
  ofInstance('reports r join accounts a on a.id = r.target_account_id where a.domain = $domain', 'r.created_at'),
)
const STATUSES = `statuses s join accounts a on a.id = s.account_id where a.domain = $domain and s.deleted_at is null`
export const selectInstanceStatuses = statement<{
  params: Pick<PeriodIds, 'startId' | 'endId'> & { domain: string }
  row: MeasureRow
}>(
  withTotal(`select count(*) from ${STATUSES}`, {
    rows: `select ${dayOfIdSql('s.id')} as day from ${STATUSES} and s.id >= $startId and s.id < $endId`,
  }),
)
export const selectInstanceFollows = statement<InstanceMeasure>(
  ofInstance('follows f join accounts a on a.id = f.target_account_id where a.domain = $domain', 'f.created_at'),
)
export const selectInstanceFollowers = statement<InstanceMeasure>(
  ofInstance('follows f join accounts a on a.id = f.account_id where a.domain = $domain', 'f.created_at'),
)
