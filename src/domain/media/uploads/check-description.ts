import { ValidationError } from '../../../lib/errors.ts'
import { isBlank } from '../../../lib/text/is-blank.ts'

export const MAX_DESCRIPTION_CHARACTERS = 10_000

/** Returns the description to store; null if it is blank. @throws ValidationError if it is too long */
export function checkDescription(description: string): string | null {
  if (description.length <= MAX_DESCRIPTION_CHARACTERS) return isBlank(description) ? null : description
  const text = `is too long (maximum is ${MAX_DESCRIPTION_CHARACTERS} characters)`
  throw new ValidationError([{ attribute: 'description', code: 'ERR_TOO_LONG', text }])
}
