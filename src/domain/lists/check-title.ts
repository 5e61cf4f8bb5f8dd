import { ValidationFailed } from '../../lib/errors.ts'
import { isLongerThan } from '../../lib/text/countCharacters.ts'
import { isBlank } from '../../lib/text/isBlank.ts'

/** Characters of a list's name. */
const MAX_TITLE = 256

/** The name of a list as it is kept. @throws ValidationFailed for none, and for one that is too long */
export function checkTitle(typed: string): string {
  if (isLongerThan(MAX_TITLE, typed.trim())) {
    const text = `is too long (maximum is ${MAX_TITLE} characters)`
    throw new ValidationFailed([{ attribute: 'title', code: 'ERR_TOO_LONG', text }])
  }
  // Line breaks and other control characters have no place in a name.
  const title = typed.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
  if (isBlank(title)) throw new ValidationFailed([{ attribute: 'title', code: 'ERR_BLANK', text: "can't be blank" }])
  return title
}
