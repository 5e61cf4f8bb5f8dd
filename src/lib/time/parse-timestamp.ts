/** Later dates are rejected. */
const MAX_YEAR = 9_999

/** Parses an ISO 8601 date and time, in UTC if it has no offset. Returns null for anything else. */
export function parseTimestamp(text: string): Date | null {
  const milliseconds = parseInstant(text)
  if (milliseconds === null) return null
  const date = new Date(milliseconds)
  const year = date.getUTCFullYear()
  return year >= 0 && year <= MAX_YEAR ? date : null
}

function parseInstant(text: string): number | null {
  const forms = [
    () => Temporal.Instant.from(text).epochMilliseconds,
    () => Temporal.PlainDateTime.from(text).toZonedDateTime('UTC').epochMilliseconds,
  ]
  for (const form of forms) {
    try {
      return form()
    } catch (err) {
      if (!(err instanceof RangeError)) throw err
    }
  }
  return null
}
