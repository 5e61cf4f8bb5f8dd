import { UnprocessableError } from '../../../lib/errors.ts'
import { parseTimestamp } from '../../../lib/time/parse-timestamp.ts'

/** Parses `scheduled_at`; null if it is absent or blank. @throws UnprocessableError if it is not a valid time */
export function readScheduledAt(text: string | undefined): Date | null {
  if (text === undefined || text.trim() === '') return null
  const at = parseTimestamp(text.trim())
  if (!at) throw new UnprocessableError('Invalid date supplied')
  return at
}
