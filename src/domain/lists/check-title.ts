import { ValidationFailed } from '../../lib/errors.ts'
import { countGraphemes } from '../../lib/text/countCharacters.ts'

/** Characters of a list's name. */
const MAX_TITLE = 256

/** So much is too long in any script, and need not be counted. */
const FAR_TOO_LONG = 64 * MAX_TITLE

/** The name of a list as it is kept. @throws ValidationFailed for none, and for one that is too long */
export function checkTitle(typed: string): string {
  // Line breaks and other control characters have no place in a name.
  const title = typed.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
  if (title === '') throw new ValidationFailed([{ attribute: 'title', code: 'ERR_BLANK', text: "can't be blank" }])
  if (title.length > FAR_TOO_LONG || countGraphemes(title) > MAX_TITLE) {
    const text = `is too long (maximum is ${MAX_TITLE} characters)`
    throw new ValidationFailed([{ attribute: 'title', code: 'ERR_TOO_LONG', text }])
  }
  return title
}
