const SECOND_MS = 1_000

/** What a host may ask for. */
const LONGEST_WISH_MS = 24 * 3_600_000

/** When a host wants to be asked again, a day ahead at most: the header holds seconds or a date. null: it doesn't say. */
export function readRetryAfter(header: string | undefined, { now }: { now: Date }): Date | null {
  const text = header?.trim() ?? ''
  const pauseMs = /^\d{1,20}$/.test(text) ? Number(text) * SECOND_MS : parseDate(text) - now.getTime()
  if (Number.isNaN(pauseMs)) return null
  return new Date(now.getTime() + Math.min(Math.max(pauseMs, SECOND_MS), LONGEST_WISH_MS))
}

/** NaN for anything but a date as HTTP writes it. */
function parseDate(text: string): number {
  return /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text) ? Date.parse(text) : Number.NaN
}
