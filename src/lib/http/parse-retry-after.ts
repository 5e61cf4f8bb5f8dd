const SECOND_MS = 1_000

/** The longest accepted delay. */
const MAX_DELAY_MS = 24 * 3_600_000

/** Parses `Retry-After`, which has seconds or a date (RFC 9110 §10.2.3): at most a day ahead, or null if invalid. */
export function parseRetryAfter(header: string | undefined, { now }: { now: Date }): Date | null {
  const text = header?.trim() ?? ''
  const delayMs = /^\d{1,20}$/.test(text) ? Number(text) * SECOND_MS : parseDate(text) - now.getTime()
  if (Number.isNaN(delayMs)) return null
  return new Date(now.getTime() + Math.min(Math.max(delayMs, SECOND_MS), MAX_DELAY_MS))
}

/** Returns NaN for anything but an IMF-fixdate (RFC 9110 §5.6.7). */
function parseDate(text: string): number {
  return /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text) ? Date.parse(text) : Number.NaN
}
