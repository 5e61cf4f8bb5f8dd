import { ValidationError } from '../../lib/errors.ts'
import { isLongerThan } from '../../lib/text/count-characters.ts'
import { isBlank } from '../../lib/text/is-blank.ts'

/** The maximum number of characters of a list's title. */
const MAX_TITLE = 256

/** Returns the title of a list as stored. @throws ValidationError for a blank title or one that is too long */
export function checkTitle(input: string): string {
  if (isLongerThan(MAX_TITLE, input.trim())) {
    const text = `is too long (maximum is ${MAX_TITLE} characters)`
    throw new ValidationError([{ attribute: 'title', code: 'ERR_TOO_LONG', text }])
  }
  // Replaces line breaks and other control characters.
  const title = input.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
  if (isBlank(title)) throw new ValidationError([{ attribute: 'title', code: 'ERR_BLANK', text: "can't be blank" }])
  return title
}
