const WEEK_MS = 7 * 86_400_000

/** The first Monday after the beginning of Unix time. */
const FIRST_MONDAY_MS = Date.UTC(1970, 0, 5)

/** When the week of a moment began: Monday, 00:00 UTC, as ISO 8601 counts weeks. No clock or zone of a place matters. */
export function startOfWeek(moment: Date): Date {
  const weeks = Math.floor((moment.getTime() - FIRST_MONDAY_MS) / WEEK_MS)
  return new Date(FIRST_MONDAY_MS + weeks * WEEK_MS)
}

/** When the last `count` weeks began, that of the moment first. */
export function lastWeeks(moment: Date, count: number): Date[] {
  const latest = startOfWeek(moment).getTime()
  return Array.from({ length: count }, (_week, n) => new Date(latest - n * WEEK_MS))
}
