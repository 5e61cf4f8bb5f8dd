const SECOND_MS = 1_000
const HOUR_MS = 3_600_000

/** However often something failed, it is looked after at least twice a day: so each day on which a host fails is seen. */
const LONGEST_PAUSE_MS = 12 * HOUR_MS

/** For a host that wants a pause and does not say how long. */
export const BUSY_PAUSE_MS = 60 * SECOND_MS

/** Failures in a row after which a host that still answers is left alone for a while, at first for a minute. */
const BREAKER_FAILURES = 10
const BREAKER_MS = 60 * SECOND_MS

/** How long to wait after so many failures: seconds at first, hours in the end, and never the same for all. */
export function pauseAfter(failures: number): number {
  const growing = Math.min(failures ** 4, LONGEST_PAUSE_MS / SECOND_MS) * SECOND_MS
  const jitter = Math.random() * (growing / 2 + SECOND_MS)
  return Math.min(15 * SECOND_MS + growing + jitter, LONGEST_PAUSE_MS)
}

/** How long a host that answers, but only with errors, is left alone. 0: it is not. */
export function breakerAfter(failures: number): number {
  if (failures < BREAKER_FAILURES) return 0
  return Math.min(BREAKER_MS * 2 ** Math.min(failures - BREAKER_FAILURES, 20), LONGEST_PAUSE_MS)
}
