/** Whether the announcement `a` is over at the moment `now`, as SQL. One of whole days is over when its last day is. */
export function isOver(now: string): string {
  return `coalesce(${now}::timestamptz >= case when a.all_day
      then date_trunc('day', a.ends_at, 'UTC') + interval '24 hours' else a.ends_at end, false)`
}
