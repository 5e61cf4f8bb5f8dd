/** Stands on both sides of each word in a marked text. No text of the database or of a request can hold it. */
const EDGE = '\0'

/** More marks than this on one letter say nothing; composing them would cost the square of their number. */
const MARK_RUNS = /(\p{M}{30})\p{M}+/gu

const BLANKS = /\s+/g

// What is written without blanks between words has no words to find the edges of, and ends the words of other scripts.
const WORDS =
  /[[\p{L}\p{M}\p{N}_]--[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]]+/gv

/**
 * A text in the form in which keywords are looked for: without upper case, accents composed, blanks as one blank, and
 * the edges of words marked, so that a whole word is found by plain comparison. Takes time in proportion to the text.
 */
function markWords(text: string): string {
  return text
    .replace(MARK_RUNS, '$1')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFC')
    .replaceAll('ς', 'σ')
    .replace(BLANKS, ' ')
    .replace(WORDS, `${EDGE}$&${EDGE}`)
}

/** Several texts as one, in which no keyword reaches from one into the next. */
export function markTexts(texts: readonly string[]): string {
  return markWords(texts.filter((text) => text !== '').join(EDGE))
}

/**
 * What to look for in marked texts to find a keyword. The edges of a word count only where the keyword itself begins or
 * ends with a part of a word.
 */
export function patternOf({ keyword, wholeWord }: { keyword: string; wholeWord: boolean }): string {
  const marked = markWords(keyword.trim())
  if (wholeWord) return marked
  return marked.slice(marked.startsWith(EDGE) ? 1 : 0, marked.endsWith(EDGE) ? -1 : undefined)
}

/** How many characters at the start of a pattern are no part of the keyword. */
export function edgeBefore(pattern: string): number {
  return pattern.startsWith(EDGE) ? 1 : 0
}
