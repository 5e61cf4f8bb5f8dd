import type { Tx } from '../context.ts'

/** What is older when it is heard of is found, not heard: it comes into no feed, and nobody is told. */
const NEWS_HOURS = 6
const HOUR_MS = 3_600_000

/** Whether something that happened elsewhere happened lately enough to be told. */
export function isNews(tx: Pick<Tx, 'now'>, at: Date): boolean {
  return tx.now.getTime() - at.getTime() <= NEWS_HOURS * HOUR_MS
}
