/** Of a text, what is behind this is not searched. */
const MAX_CHARACTERS = 32_768

/** Longer words count by their beginnings. */
const MAX_WORD_CHARACTERS = 64

/** More marks than this on one letter say nothing; composing them would cost the square of their number. */
const MARK_RUNS = /(\p{M}{30})\p{M}+/gu

/** Accents of European scripts, and what is not seen. The vowels of other scripts are marks, too, and stay. */
const UNHEARD = /[\u0300-\u036f\ufe00-\ufe0f\p{Cf}]+/gu

/** Letters that people type without their stroke, or as two. */
const PLAIN: Record<string, string> = {
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
const ORNATE = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g')

const LETTERS = String.raw`[\p{L}\p{M}\p{N}_]`
const SCRIPTS = ['Han', 'Hira', 'Kana', 'Bopo', 'Hang', 'Thai', 'Laoo', 'Khmr', 'Mymr']
const DENSE_LETTERS = `[${SCRIPTS.map((script) => String.raw`\p{scx=${script}}`).join('')}]`

/** Writing in which words are short and stand without blanks between them, and pictures. */
export const DENSE = new RegExp(String.raw`[[${DENSE_LETTERS}&&${LETTERS}]\p{Extended_Pictographic}]`, 'v')

const RUNS = new RegExp(`(${DENSE.source}+)|[${LETTERS}--${DENSE.source}]+`, 'gv')

/** A word, or a piece of writing that has no blanks, and its place in the text. */
export interface PlacedWord {
  word: string
  place: number
}

/** Lower case, without accents, wide and narrow forms as plain ones. */
function fold(text: string): string {
  return text
    .slice(0, MAX_CHARACTERS)
    .replace(MARK_RUNS, '$1')
    .toLowerCase()
    .normalize('NFKD')
    .replace(UNHEARD, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(ORNATE, (letter) => PLAIN[letter]!)
}

/** All that a text can be found by: its words, and of writing without blanks every character and every two. */
export function wordsToIndex(text: string): PlacedWord[] {
  return readWords(text, (characters) => [
    ...characters.map((word, place) => ({ word, place })),
    ...pairsOf(characters),
  ])
}

/** What a text must have, at places as far from one another as these, to hold what somebody looks for. */
export function wordsToFind(text: string): PlacedWord[] {
  return readWords(text, (characters) =>
    characters.length === 1 ? [{ word: characters[0]!, place: 0 }] : pairsOf(characters),
  )
}

function readWords(text: string, split: (characters: string[]) => PlacedWord[]): PlacedWord[] {
  const words: PlacedWord[] = []
  let next = 0
  for (const [run, dense] of fold(text).matchAll(RUNS)) {
    if (dense === undefined) {
      words.push({ word: run.slice(0, MAX_WORD_CHARACTERS).toWellFormed(), place: next })
      next += 1
    } else {
      const characters = Array.from(dense)
      for (const { word, place } of split(characters)) words.push({ word, place: next + place })
      next += characters.length
    }
  }
  return words
}

function pairsOf(characters: readonly string[]): PlacedWord[] {
  return characters.slice(1).map((character, place) => ({ word: characters[place]! + character, place }))
}
