const DAY_MS = 86_400_000

/** How many days the usage history of a hashtag or link has, including today. */
export const HISTORY_DAYS = 7

/** Returns the number of days from 1970 to a time, in UTC. */
export function dayOf(time: Date): number {
  return Math.floor(time.getTime() / DAY_MS)
}

/** Returns the start of a day. */
export function startOfDay(day: number): Date {
  return new Date(day * DAY_MS)
}

/** Returns the start of the first day of the history at a time. */
export function startOfHistory(now: Date): Date {
  return startOfDay(dayOf(now) - HISTORY_DAYS + 1)
}
