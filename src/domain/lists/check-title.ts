import { ValidationFailed } from '../../lib/errors.ts'

/** Characters of a list's name. */
const MAX_TITLE = 256

/** The name of a list as it is kept. @throws ValidationFailed for none, and for one that is too long */
export function checkTitle(typed: string): string {
  const title = typed.trim()
  if (title === '') throw new ValidationFailed([{ attribute: 'title', code: 'ERR_BLANK', text: "can't be blank" }])
  // Nobody has to count what is far too long.
  if (title.length > 2 * MAX_TITLE || [...title].length > MAX_TITLE) {
    const text = `is too long (maximum is ${MAX_TITLE} characters)`
    throw new ValidationFailed([{ attribute: 'title', code: 'ERR_TOO_LONG', text }])
  }
  return title
}
