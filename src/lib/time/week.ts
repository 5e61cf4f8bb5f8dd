const WEEK_MS = 7 * 86_400_000

/** The first Monday after the start of Unix time. */
const FIRST_MONDAY_MS = Date.UTC(1970, 0, 5)

/** Returns the start of the ISO 8601 week of a date: Monday, 00:00 UTC. Independent of the local time zone. */
export function startOfWeek(date: Date): Date {
  const weeks = Math.floor((date.getTime() - FIRST_MONDAY_MS) / WEEK_MS)
  return new Date(FIRST_MONDAY_MS + weeks * WEEK_MS)
}

/** Returns the starts of the last `count` weeks, that of the date first. */
export function startsOfLastWeeks(date: Date, count: number): Date[] {
  const latest = startOfWeek(date).getTime()
  return Array.from({ length: count }, (_week, n) => new Date(latest - n * WEEK_MS))
}
