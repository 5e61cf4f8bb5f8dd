import { extractEntities } from './entities/extract-entities.ts'
import { EMOJI_SHORTCODE } from './entities/emoji-shortcodes.ts'
import { htmlToPlainText } from '../html/html-to-plain-text.ts'

export type Direction = 'ltr' | 'rtl'

// The strong characters of UAX #9: letters by their script, and the invisible directional marks.
const STRONG = /[\p{L}\u200e\u200f\u061c]/u
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200f\u061c\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/**
 * Returns the direction of a plain text: that of its first strong character outside mentions, hashtags, URLs and custom
 * emojis, which are often Latin in texts of all languages. If there is no other text, the first strong character of the
 * complete text decides. Returns null if there is none.
 */
export function detectDirection(text: string): Direction | null {
  return firstStrong(withoutEntities(text)) ?? firstStrong(text)
}

/** Returns the same for HTML, from its visible text. */
export function detectDirectionOfHtml(html: string): Direction | null {
  return detectDirection(htmlToPlainText(html))
}

function withoutEntities(text: string): string {
  let rest = ''
  let from = 0
  for (const { start, end } of extractEntities(text)) {
    rest += `${text.slice(from, start)} `
    from = end
  }
  return (rest + text.slice(from)).replace(EMOJI_SHORTCODE, ' ')
}

function firstStrong(text: string): Direction | null {
  const strong = STRONG.exec(text)
  if (!strong) return null
  return RIGHT_TO_LEFT.test(strong[0]) ? 'rtl' : 'ltr'
}
