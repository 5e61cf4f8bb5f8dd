import type { Tx } from '../../context.ts'

/** A remote status or reblog that is older on arrival is not added to feeds and does not cause notifications. */
const RECENT_HOURS = 6
/** By how much the clocks of other servers may be ahead. */
const MAX_SKEW_HOURS = 24
const HOUR_MS = 3_600_000

/** Returns whether a remote status or reblog is recent enough for feeds and notifications. */
export function isRecent(tx: Pick<Tx, 'now'>, at: Date): boolean {
  return tx.now.getTime() - at.getTime() <= RECENT_HOURS * HOUR_MS
}

/** Returns whether the time of a remote edit is plausible. An edit too far in the future is not treated as an edit. */
export function isPlausibleEditTime(tx: Pick<Tx, 'now'>, editedAt: Date): boolean {
  return editedAt.getTime() - tx.now.getTime() <= MAX_SKEW_HOURS * HOUR_MS
}
