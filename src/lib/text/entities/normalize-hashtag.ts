/** The longest tag name in UTF-16 units, which limits the size of index entries. */
export const MAX_TAG_LENGTH = 255

const LATIN_WITH_MARKS = /(\p{Script=Latin})\p{M}+/gu
// Variation selectors would remain where an emoji is removed.
const VARIATION_SELECTORS = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu
const NOT_IN_NAMES = /[^\p{L}\p{M}\p{Nd}_\u00b7\u30fb\u200c]/gu

// Letters without a decomposition, and the plain letters that users type instead.
const PLAIN_LETTERS: Record<string, string> = {
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
 * Returns the form in which a tag is stored and compared: compatibility forms are unified (full-width letters become
 * plain), lower case, Latin letters without marks, only letters, marks, digits and separators. A leading `#` is
 * removed, too. The normalised form of a normalised name is the same name.
 *
 * @returns null for invalid names: empty, only digits, only separators, longer than 255
 */
export function normalizeHashtag(name: string): string | null {
  const normal = normalizeHashtagPrefix(name)
  return normal !== null && /[\p{L}\p{Nd}]/u.test(normal) && /\P{Nd}/u.test(normal) ? normal : null
}

/**
 * Returns the same form of the beginning of a name, which may consist only of digits or only of separators, as that of
 * `100DaysOfCode`. Returns null if nothing is left, or more than 255 characters.
 */
export function normalizeHashtagPrefix(name: string): string | null {
  if (name.length > MAX_TAG_LENGTH) return null
  // Lower-casing and removing characters can create a new compatibility form, so this repeats until nothing changes.
  let normal = foldOnce(name)
  for (let next = foldOnce(normal); next !== normal; next = foldOnce(normal)) normal = next
  return normal === '' || normal.length > MAX_TAG_LENGTH ? null : normal
}

/**
 * Returns the form in which a tag is displayed: as written, without characters that no tag contains, such as spaces.
 * `name`: its normalised form.
 */
export function cleanHashtag(written: string, name: string): string {
  const clean = written.replace(VARIATION_SELECTORS, '').replace(NOT_IN_NAMES, '')
  return normalizeHashtag(clean) === name ? clean : name
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
    .replace(/[ðđħıĸłŋøŧ]/g, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .normalize('NFC')
}
