/** Surrounds each word in a normalised text. Texts in the database and in requests cannot contain it. */
const WORD_BOUNDARY = '\0'

/** Longer sequences of combining marks are cut off, because normalising them takes quadratic time. */
const MARK_RUNS = /(\p{M}{30})\p{M}+/gu

// The same emoji is written with or without these characters. As marks, they would also begin a word after an emoji.
const EMOJI_VARIATIONS = /[\uFE0E\uFE0F]/g
const WHITESPACE = /\s+/g

// Scripts that are written without spaces between words have no detectable word boundaries, so they are excluded; their
// characters end the words of other scripts.
const WORDS =
  /[[\p{L}\p{M}\p{N}_]--[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]]+/gv

/**
 * Returns a text in the form in which keywords are searched: case-folded, with composed accents, with single spaces,
 * and with marked word boundaries, so that a whole word is found by plain comparison. Takes linear time.
 */
function normalizeText(text: string): string {
  return text
    .replace(EMOJI_VARIATIONS, '')
    .replace(MARK_RUNS, '$1')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFC')
    .replaceAll('ς', 'σ')
    .replace(WHITESPACE, ' ')
    .replace(WORDS, `${WORD_BOUNDARY}$&${WORD_BOUNDARY}`)
}

/** Joins several texts into one normalised text, in which no keyword can match across two texts. */
export function normalizeTexts(texts: readonly string[]): string {
  return normalizeText(texts.filter((text) => text !== '').join(WORD_BOUNDARY))
}

/**
 * Returns the pattern that finds a keyword in normalised texts. Word boundaries are only required at those ends of the
 * keyword that are word characters.
 */
export function keywordPattern({ keyword, wholeWord }: { keyword: string; wholeWord: boolean }): string {
  const pattern = normalizeText(keyword.trim())
  if (wholeWord) return pattern
  return pattern.slice(pattern.startsWith(WORD_BOUNDARY) ? 1 : 0, pattern.endsWith(WORD_BOUNDARY) ? -1 : undefined)
}

/** Returns how many characters at the start of a pattern do not belong to the keyword. */
export function leadingBoundaryLength(pattern: string): number {
  return pattern.startsWith(WORD_BOUNDARY) ? 1 : 0
}
