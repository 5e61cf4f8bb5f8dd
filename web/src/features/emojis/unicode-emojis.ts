/** An emoji as the build stores it: the character, its name, its keywords, and the character with `*` for a skin tone. */
export type EmojiRow = [character: string, name: string, keywords: string, toned?: string]

/** The groups of Unicode, in their order. */
export const GROUPS = [
  'smileys',
  'people',
  'nature',
  'food',
  'travel',
  'activities',
  'objects',
  'symbols',
  'flags',
] as const

const TONES = ['', '🏻', '🏼', '🏽', '🏾', '🏿']

/** Returns the character with a skin tone from 1 to 5, if the emoji has tones and the tone is not 0. */
export function withTone([character, , , toned]: EmojiRow, tone: number): string {
  return toned === undefined || tone === 0 ? character : toned.replaceAll('*', TONES[tone] ?? '')
}

/** Returns the emoji that a character is, perhaps with a skin tone. */
export function findRow(groups: readonly EmojiRow[][], character: string): EmojiRow | undefined {
  const isIt = (row: EmojiRow) => TONES.some((_, tone) => withTone(row, tone) === character)
  return groups.flat().find(isIt)
}

/** Without upper case and accents, as people type in a search. */
const simplify = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

/**
 * Returns the emojis whose name or keywords contain all words of a text: first those whose name begins with it, then
 * those with a word in their names that does, then the others.
 */
export const searchUnicodeEmojis = (groups: readonly EmojiRow[][], query: string): EmojiRow[] =>
  rankEmojis(groups, { query, worstRank: 3 })

/** The same without those that contain a part only in the middle of a word. */
export const completeUnicodeEmojis = (groups: readonly EmojiRow[][], query: string): EmojiRow[] =>
  rankEmojis(groups, { query, worstRank: 2 })

function rankEmojis(
  groups: readonly EmojiRow[][],
  { query, worstRank }: { query: string; worstRank: number },
): EmojiRow[] {
  const wanted = simplify(query.trim())
  if (wanted === '') return []
  const words = wanted.split(/\s+/)
  const rankOf = ([character, name, keywords]: EmojiRow): number => {
    const simple = simplify(name)
    if (character === query.trim() || simple.startsWith(wanted)) return 0
    if (` ${simple}`.includes(` ${wanted}`)) return 1
    const all = ` ${simple} ${simplify(keywords)}`
    if (words.every((word) => all.includes(` ${word}`))) return 2
    return words.every((word) => all.includes(word)) ? 3 : Number.POSITIVE_INFINITY
  }
  return groups
    .flat()
    .map((row) => ({ row, rank: rankOf(row) }))
    .filter(({ rank }) => rank <= worstRank)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ row }) => row)
}
