import { ValidationFailed } from '../../lib/errors.ts'
import { cleanText } from '../../lib/text/cleanText.ts'
import { countCharacters } from '../../lib/text/countCharacters.ts'

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
  const typed = { text: cleanText(text), spoilerText: cleanText(spoilerText) }
  const isMoved = typed.text.trim() === '' && typed.spoilerText.trim() !== '' && !hasQuote
  const said = isMoved ? { text: typed.spoilerText, spoilerText: '' } : typed
  if (said.text.trim() === '' && !hasMedia && !hasQuote) {
    throw new ValidationFailed([{ attribute: 'text', code: 'ERR_BLANK', text: "can't be blank" }])
  }
  if (countCharacters(said) > MAX_CHARACTERS) {
    const tooLong = `character limit of ${MAX_CHARACTERS} exceeded`
    throw new ValidationFailed([{ attribute: 'text', code: 'ERR_TOO_LONG', text: tooLong }])
  }
  return said
}
