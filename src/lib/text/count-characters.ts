import { extractEntities } from './entities/extract-entities.ts'

/** How many characters a URL of any length counts: `characters_reserved_per_url` of the instance entity. */
export const CHARACTERS_PER_URL = 23

/** The longest URL of `findUrl` has 4,096 UTF-16 units and counts 23 characters. */
const MAX_UNITS_PER_CHARACTER_IN_POST = Math.ceil(4_096 / CHARACTERS_PER_URL)

// Longer than any emoji or syllable. Without a limit, one "character" could be an arbitrary number of joined emojis.
const MAX_CODE_POINTS_PER_CLUSTER = 32

/** The maximum of UTF-16 units that count as one character. */
const MAX_UNITS_PER_CHARACTER = 2 * MAX_CODE_POINTS_PER_CLUSTER

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * Returns the length of a status in grapheme clusters, as the character limit counts it: the complete content warning,
 * and the text with 23 characters per URL and `@user` for each `@user@host`.
 */
export function countCharacters({ text, spoilerText = '' }: { text: string; spoilerText?: string | null }): number {
  let counted = ''
  let from = 0
  for (const entity of extractEntities(text)) {
    if (entity.type === 'hashtag') continue
    counted += text.slice(from, entity.start)
    counted += entity.type === 'url' ? 'x'.repeat(CHARACTERS_PER_URL) : `@${entity.username}`
    from = entity.end
  }
  counted += text.slice(from)
  return countGraphemes(spoilerText ?? '') + countGraphemes(counted)
}

/** Returns whether a status exceeds a limit by `countCharacters`. A text that is far too long is not counted. */
export function isPostLongerThan(max: number, post: { text: string; spoilerText?: string }): boolean {
  if (post.text.length > max * MAX_UNITS_PER_CHARACTER_IN_POST) return true
  return isFarLongerThan(max, post.spoilerText ?? '') || countCharacters(post) > max
}

/** Returns whether a text has more than `max` grapheme clusters. A text that is far too long is not counted. */
export function isLongerThan(max: number, text: string): boolean {
  return isFarLongerThan(max, text) || countGraphemes(text) > max
}

/** Returns whether a text has more UTF-16 units than `max` characters can have: a cheap check before processing it. */
export function isFarLongerThan(max: number, text: string): boolean {
  return text.length > max * MAX_UNITS_PER_CHARACTER
}

/** Returns the number of grapheme clusters. In a cluster of more than 32 code points, each further one counts, too. */
export function countGraphemes(text: string): number {
  if (/^\p{ASCII}*$/u.test(text)) return text.length - (text.match(/\r\n/g)?.length ?? 0)
  let count = 0
  for (const { segment } of segmenter.segment(text)) {
    const isLong = segment.length > MAX_CODE_POINTS_PER_CLUSTER
    count += isLong ? Math.max(1, Array.from(segment).length - MAX_CODE_POINTS_PER_CLUSTER + 1) : 1
  }
  return count
}
