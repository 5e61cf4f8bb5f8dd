const SECOND_MS = 1_000
const HOUR_MS = 3_600_000

/** The longest backoff. A failing host is retried at least twice a day, so every day on which it fails is recorded. */
const MAX_BACKOFF_MS = 12 * HOUR_MS

/** The backoff for a host that limits the rate of requests without a `Retry-After`. */
export const RATE_LIMITED_BACKOFF_MS = 60 * SECOND_MS

/** Consecutive failures after which deliveries to a host that still responds are paused, at first for a minute. */
const BREAKER_FAILURES = 10
const BREAKER_BASE_MS = 60 * SECOND_MS

/** Returns the backoff after a number of failures, in milliseconds: exponential, from seconds to hours, with jitter. */
export function retryBackoff(failures: number): number {
  const exponentialMs = Math.min(failures ** 4, MAX_BACKOFF_MS / SECOND_MS) * SECOND_MS
  const jitter = Math.random() * (exponentialMs / 2 + SECOND_MS)
  return Math.min(15 * SECOND_MS + exponentialMs + jitter, MAX_BACKOFF_MS)
}

/**
 * Returns how long deliveries to a host that responds only with errors are paused, in milliseconds; 0 for not at all.
 */
export function circuitBreakerBackoff(failures: number): number {
  if (failures < BREAKER_FAILURES) return 0
  return Math.min(BREAKER_BASE_MS * 2 ** Math.min(failures - BREAKER_FAILURES, 20), MAX_BACKOFF_MS)
}
