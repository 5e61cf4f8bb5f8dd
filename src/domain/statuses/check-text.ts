import { ValidationFailed } from '../../lib/errors.ts'
import { cleanText } from '../../lib/text/cleanText.ts'
import { isPostLongerThan } from '../../lib/text/countCharacters.ts'
import { isBlank } from '../../lib/text/isBlank.ts'

export const MAX_CHARACTERS = 500

/**
 * The text and warning of a status as they will be stored, without control characters: a warning without a text becomes
 * the text, unless it stands before a quote.
 * @throws ValidationFailed when nothing is said, or too much
 */
export function checkText({
  text,
  spoilerText,
  hasMedia,
  hasQuote,
}: {
  text: string
  spoilerText: string
  hasMedia: boolean
  hasQuote: boolean
}): { text: string; spoilerText: string } {
  refuseLongText({ text, spoilerText })
  const typed = { text: cleanText(text), spoilerText: cleanText(spoilerText) }
  const isMoved = isBlank(typed.text) && !isBlank(typed.spoilerText) && !hasQuote
  const said = isMoved ? { text: typed.spoilerText, spoilerText: '' } : typed
  if (isBlank(said.text) && !hasMedia && !hasQuote) {
    throw new ValidationFailed([{ attribute: 'text', code: 'ERR_BLANK', text: "can't be blank" }])
  }
  return said
}

/**
 * Refuses what is longer than a status may be, before anything else is done with it.
 * @throws ValidationFailed
 */
export function refuseLongText(said: { text: string; spoilerText: string }): void {
  if (!isPostLongerThan(MAX_CHARACTERS, said)) return
  const tooLong = `character limit of ${MAX_CHARACTERS} exceeded`
  throw new ValidationFailed([{ attribute: 'text', code: 'ERR_TOO_LONG', text: tooLong }])
}
