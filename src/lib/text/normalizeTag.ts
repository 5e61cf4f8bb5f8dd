/** The longest tag name kept, in UTF-16 units; it bounds what the index of tag names must hold. */
export const MAX_TAG_LENGTH = 255

const LATIN_WITH_MARKS = /(\p{Script=Latin})\p{M}+/gu
// Marks that choose a picture for a character, left behind where an emoji is dropped.
const VARIATION_SELECTORS = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu
const NOT_IN_NAMES = /[^\p{L}\p{M}\p{Nd}_\u00b7\u30fb\u200c]/gu

// Letters that have no decomposition, and the plain letter people type instead.
const PLAIN: Record<string, string> = {
  ð: 'd',
  đ: 'd',
  ħ: 'h',
  ı: 'i',
  ĸ: 'k',
  ł: 'l',
  ŋ: 'n',
  ø: 'o',
  ŧ: 't',
}

/**
 * The name under which a tag is stored and compared: compatibility forms unified (full-width letters become plain),
 * lower case, Latin letters without their marks, everything that is no letter, mark, digit or separator dropped.
 * A leading `#` is dropped too. Normalising a normalised name gives the same name.
 *
 * @returns null where no tag can have this name: nothing left, only digits, only separators, longer than 255.
 */
export function normalizeTag(name: string): string | null {
  if (name.length > MAX_TAG_LENGTH) return null
  // Lower-casing and dropping characters can create a new compatibility form, so repeat until nothing changes.
  let normal = foldOnce(name)
  for (let next = foldOnce(normal); next !== normal; next = foldOnce(normal)) normal = next
  if (normal.length > MAX_TAG_LENGTH) return null
  return /[\p{L}\p{Nd}]/u.test(normal) && /\P{Nd}/u.test(normal) ? normal : null
}

function foldOnce(name: string): string {
  if (/^\w*$/.test(name)) return name.toLowerCase()
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(VARIATION_SELECTORS, '')
    .replace(NOT_IN_NAMES, '')
    .normalize('NFD')
    .replace(LATIN_WITH_MARKS, '$1')
    .replace(/[ðđħıĸłŋøŧ]/g, (letter) => PLAIN[letter] ?? letter)
    .normalize('NFC')
}
