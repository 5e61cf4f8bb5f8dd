/** Formats a date for documents: ISO 8601 in UTC, to the second. */
export function formatTimestamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`
}
