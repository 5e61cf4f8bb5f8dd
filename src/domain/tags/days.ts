const DAY_MS = 86_400_000

/** So many days, today among them, are told of a hashtag's use. */
export const HISTORY_DAYS = 7

/** The days since 1970 until a moment, in UTC. */
export function dayOf(moment: Date): number {
  return Math.floor(moment.getTime() / DAY_MS)
}

/** When a day began. */
export function startOfDay(day: number): Date {
  return new Date(day * DAY_MS)
}

/** When the first of the days began that are told at a moment. */
export function startOfHistory(now: Date): Date {
  return startOfDay(dayOf(now) - HISTORY_DAYS + 1)
}
