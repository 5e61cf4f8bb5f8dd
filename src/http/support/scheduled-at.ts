import { ValidationFailed } from '../../lib/errors.ts'
import { parseMoment } from '../../lib/moment.ts'

/** When a request wants something to be posted; null when it does not say. @throws ValidationFailed for no moment */
export function readScheduledAt(text: string | undefined): Date | null {
  if (text === undefined || text.trim() === '') return null
  const at = parseMoment(text.trim())
  if (!at) throw new ValidationFailed([{ attribute: 'scheduled_at', code: 'ERR_INVALID', text: 'is invalid' }])
  return at
}
