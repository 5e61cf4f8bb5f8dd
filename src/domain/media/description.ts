import { ValidationFailed } from '../../lib/errors.ts'
import { isBlank } from '../../lib/text/isBlank.ts'

export const MAX_DESCRIPTION_CHARACTERS = 10_000

/** @throws ValidationFailed */
export function checkDescription(description: string): string | null {
  if (description.length <= MAX_DESCRIPTION_CHARACTERS) return isBlank(description) ? null : description
  const text = `is too long (maximum is ${MAX_DESCRIPTION_CHARACTERS} characters)`
  throw new ValidationFailed([{ attribute: 'description', code: 'ERR_TOO_LONG', text }])
}
