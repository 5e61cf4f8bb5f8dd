import { ValidationError } from '../../lib/errors.ts'
import { cleanText } from '../../lib/text/clean-text.ts'
import { isPostLongerThan } from '../../lib/text/count-characters.ts'
import { isBlank } from '../../lib/text/is-blank.ts'

export const MAX_CHARACTERS = 500

/**
 * Returns the text and the content warning of a status as they are stored, without control characters and without white
 * space at the ends. A content warning without a text becomes the text, unless the status contains a quote; a blank one
 * becomes empty.
 * @throws ValidationError if the status has no content, or if it is too long
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
  checkTextLength({ text, spoilerText })
  const warning = trimAscii(cleanText(spoilerText))
  const cleaned = { text: trimAscii(cleanText(text)), spoilerText: isBlank(warning) ? '' : warning }
  const usesWarningAsText = isBlank(cleaned.text) && cleaned.spoilerText !== '' && !hasQuote
  const result = usesWarningAsText ? { text: cleaned.spoilerText, spoilerText: '' } : cleaned
  if (isBlank(result.text) && !hasMedia && !hasQuote) {
    throw new ValidationError([{ attribute: 'text', code: 'ERR_BLANK', text: "can't be blank" }])
  }
  return result
}

/**
 * Checks the length of a text and its content warning without white space at the ends, before any other processing.
 * @throws ValidationError if they are longer than `MAX_CHARACTERS`
 */
export function checkTextLength({ text, spoilerText }: { text: string; spoilerText: string }): void {
  if (!isPostLongerThan(MAX_CHARACTERS, { text: trimAscii(text), spoilerText: trimAscii(spoilerText) })) return
  const tooLong = `character limit of ${MAX_CHARACTERS} exceeded`
  throw new ValidationError([{ attribute: 'text', code: 'ERR_TOO_LONG', text: tooLong }])
}

/** Removes ASCII white space from the ends, as Mastodon does. An ideographic space may be an indent, so it stays. */
function trimAscii(text: string): string {
  let end = text.length
  // Not a regular expression: those that match at the end take quadratic time for long runs of white space.
  while (end > 0 && isAsciiSpace(text.charCodeAt(end - 1))) end -= 1
  return text.slice(0, end).replace(/^[\t-\r ]+/, '')
}

function isAsciiSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d)
}
