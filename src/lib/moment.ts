/** Later than this the database knows no dates, nor would anybody live to see it. */
const MAX_YEAR = 9_999

/** The moment that an ISO 8601 text names, taken as UTC where it has no offset; null for anything else. */
export function parseMoment(text: string): Date | null {
  const milliseconds = instantOf(text)
  if (milliseconds === null) return null
  const date = new Date(milliseconds)
  const year = date.getUTCFullYear()
  return year >= 0 && year <= MAX_YEAR ? date : null
}

function instantOf(text: string): number | null {
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
