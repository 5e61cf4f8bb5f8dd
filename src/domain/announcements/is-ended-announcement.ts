/**
 * Returns an SQL condition: whether the announcement `a` has ended at the time `now`. All-day ones end with their last
 * day.
 */
export function isEndedAnnouncement(now: string): string {
  return `coalesce(${now}::timestamptz >= case when a.all_day
      then date_trunc('day', a.ends_at, 'UTC') + interval '24 hours' else a.ends_at end, false)`
}
