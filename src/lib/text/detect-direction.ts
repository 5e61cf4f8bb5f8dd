import { extractEntities } from './extract.ts'
import { EMOJI_CODE } from './emojiCodes.ts'
import { plainText } from './plainText.ts'

export type Direction = 'ltr' | 'rtl'

// The strong characters of UAX #9: letters, by their script, and the marks that stand for one of either direction.
const STRONG = /[\p{L}\u200e\u200f\u061c]/u
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200f\u061c\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/**
 * Returns the direction in which to lay out a plain text: that of its first strong character outside mentions,
 * hashtags, addresses and custom emojis, all of which are often Latin whatever the language of the text. Where nothing
 * else is written, the first strong character of the whole text decides. Returns null if there is none at all.
 */
export function detectDirection(text: string): Direction | null {
  return firstStrong(proseOf(text)) ?? firstStrong(text)
}

/** Returns the same for HTML, by what a reader sees of it. */
export function detectDirectionOfHtml(html: string): Direction | null {
  return detectDirection(plainText(html))
}

function proseOf(text: string): string {
  let prose = ''
  let from = 0
  for (const { start, end } of extractEntities(text)) {
    prose += `${text.slice(from, start)} `
    from = end
  }
  return (prose + text.slice(from)).replace(EMOJI_CODE, ' ')
}

function firstStrong(text: string): Direction | null {
  const strong = STRONG.exec(text)
  if (!strong) return null
  return RIGHT_TO_LEFT.test(strong[0]) ? 'rtl' : 'ltr'
}
