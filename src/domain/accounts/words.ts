import { DENSE } from '../../lib/text/searchWords.ts'

/** Shorter words are searched at the beginnings of words only: inside of words they are everywhere. */
const MIN_INNER_CHARACTERS = 3

/** The pattern of LIKE that finds a word in a text where every word has a blank before it. */
export function patternOf(word: string): string {
  // Three characters would stand for others.
  const text = word.replace(/[\\%_]/g, String.raw`\$&`)
  return isSearchedInside(word) ? `%${text}%` : `% ${text}%`
}

/** The parts that the index of such texts (the SQL function `search_grams`) has of a word. */
export function gramsOf(word: string): string[] {
  const characters = Array.from(isSearchedInside(word) ? word : ` ${word}`)
  if (characters.length <= 3) return [characters.join('')]
  return characters.slice(2).map((character, i) => characters[i]! + characters[i + 1]! + character)
}

function isSearchedInside(word: string): boolean {
  return DENSE.test(word) || Array.from(word).length >= MIN_INNER_CHARACTERS
}
