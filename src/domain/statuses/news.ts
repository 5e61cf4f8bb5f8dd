import type { Tx } from '../context.ts'

/** What is older when it is heard of is found, not heard: it comes into no feed, and nobody is told. */
const NEWS_HOURS = 6
/** Clocks elsewhere may be ahead by so much. */
const MAX_SKEW_HOURS = 24
const HOUR_MS = 3_600_000

/** Whether something that happened elsewhere happened lately enough to be told. */
export function isNews(tx: Pick<Tx, 'now'>, at: Date): boolean {
  return tx.now.getTime() - at.getTime() <= NEWS_HOURS * HOUR_MS
}

/** Whether an edit elsewhere can be as late as it says; if not, it is not believed to be one. */
export function isPossible(tx: Pick<Tx, 'now'>, editedAt: Date): boolean {
  return editedAt.getTime() - tx.now.getTime() <= MAX_SKEW_HOURS * HOUR_MS
}
