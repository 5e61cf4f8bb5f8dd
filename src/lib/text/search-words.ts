/** Only the beginning of a text is indexed. */
const MAX_CHARACTERS = 32_768

/** Only the beginning of a long word is indexed. */
const MAX_WORD_CHARACTERS = 64

/** Further marks on a letter are ignored, because the time of composing them grows with the square of their number. */
const MARK_RUNS = /(\p{M}{30})\p{M}+/gu

/**
 * Signs that most authors of these scripts leave out: the points and the accents of Hebrew; the vowel signs of Arabic,
 * without the hamza and the madda, and the stroke that lengthens a word.
 */
const OPTIONAL_SIGNS = String.raw`\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u0652\u0656-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed`

/**
 * Accents of European scripts, optional signs, and invisible characters. Vowels of other scripts are marks, too, and
 * are kept.
 */
const IGNORED_CHARACTERS = new RegExp(String.raw`[\u0300-\u036f${OPTIONAL_SIGNS}\ufe00-\ufe0f\p{Cf}]+`, 'gu')

/** Letters that users type without the stroke or as two letters. */
const PLAIN_LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  ς: 'σ',
}
const FOLDED_LETTERS = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'g')

const LETTERS = String.raw`[\p{L}\p{M}\p{N}_]`
const SCRIPTS = ['Han', 'Hira', 'Kana', 'Bopo', 'Hang', 'Thai', 'Laoo', 'Khmr', 'Mymr']
const DENSE_LETTERS = `[${SCRIPTS.map((script) => String.raw`\p{scx=${script}}`).join('')}]`

/** Characters of scripts without spaces between words, and emojis. */
export const UNSPACED_SCRIPT = new RegExp(String.raw`[[${DENSE_LETTERS}&&${LETTERS}]\p{Extended_Pictographic}]`, 'v')

const FLAG = String.raw`\p{Regional_Indicator}{2}`

const RUNS = new RegExp(`((?:${UNSPACED_SCRIPT.source}|${FLAG})+)|[${LETTERS}--${UNSPACED_SCRIPT.source}]+`, 'gv')
const CHARACTERS = new RegExp(`${FLAG}|.`, 'gsu')

/** A word, or one or two characters of a script without spaces, and its position in the text. */
export interface IndexedWord {
  word: string
  place: number
}

/**
 * Converts a text to lower case without accents, and wide and narrow forms to plain ones. The SQL function
 * `fold_for_search` returns the same.
 */
export function foldForSearch(text: string): string {
  return text
    .slice(0, MAX_CHARACTERS)
    .replace(MARK_RUNS, '$1')
    .toLowerCase()
    .normalize('NFKD')
    .replace(IGNORED_CHARACTERS, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(FOLDED_LETTERS, (letter) => PLAIN_LETTERS[letter]!)
}

/** Returns the search terms of a text: its words, and for scripts without spaces each character and each pair. */
export function tokenizeForIndex(text: string): IndexedWord[] {
  return tokenize(text, (characters) => [
    ...characters.map((word, position) => ({ word, place: position })),
    ...bigramsOf(characters),
  ])
}

/** Returns the terms that a matching text must have, at the same distances as these positions. */
export function tokenizeForQuery(text: string): IndexedWord[] {
  return tokenize(text, (characters) =>
    characters.length === 1 ? [{ word: characters[0]!, place: 0 }] : bigramsOf(characters),
  )
}

function tokenize(text: string, split: (characters: string[]) => IndexedWord[]): IndexedWord[] {
  const words: IndexedWord[] = []
  let next = 0
  for (const [run, dense] of foldForSearch(text).matchAll(RUNS)) {
    if (dense === undefined) {
      words.push({ word: run.slice(0, MAX_WORD_CHARACTERS).toWellFormed(), place: next })
      next += 1
    } else {
      const characters = dense.match(CHARACTERS)!
      for (const { word, place: position } of split(characters)) words.push({ word, place: next + position })
      next += characters.length
    }
  }
  return words
}

function bigramsOf(characters: readonly string[]): IndexedWord[] {
  return characters
    .slice(1)
    .map((character, position) => ({ word: characters[position]! + character, place: position }))
}
