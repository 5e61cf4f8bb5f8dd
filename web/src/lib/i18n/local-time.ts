const MINUTE_MS = 60_000

/** Returns a time in the form of the value of a `datetime-local` field, in the time zone of the user. */
export function toLocalTime(time: Date): string {
  return new Date(time.getTime() - time.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16)
}

/** Returns the first full hour that is at least an hour ahead. */
export function suggestTime(): string {
  const HOUR_MS = 60 * MINUTE_MS
  return toLocalTime(new Date(Math.ceil((Date.now() + HOUR_MS) / HOUR_MS) * HOUR_MS))
}

/** Returns the earliest time that the server accepts. */
export function earliestTime(): string {
  const MIN_MINUTES_AHEAD = 6
  return toLocalTime(new Date(Date.now() + MIN_MINUTES_AHEAD * MINUTE_MS))
}
