import { extractEntities } from './extract.ts'

/** What a URL counts, however long it is: `characters_reserved_per_url` of the instance entity. */
export const CHARACTERS_PER_URL = 23

/** The longest address that is one (`findUrl`) has 4,096 UTF-16 units, and counts 23. */
const MAX_UNITS_PER_CHARACTER_IN_POST = Math.ceil(4_096 / CHARACTERS_PER_URL)

// Longer than any emoji or syllable. Without a bound one "character" could be a post's worth of joined emoji.
const MAX_CODE_POINTS_PER_CLUSTER = 32

/** UTF-16 units of what counts as one character. */
const MAX_UNITS_PER_CHARACTER = 2 * MAX_CODE_POINTS_PER_CLUSTER

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * The length of a post as its limit sees it, in grapheme clusters: the content warning in full, and the text with
 * each URL as 23 and each `@user@host` as `@user`.
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

/** Whether a post has more characters than it may, as `countCharacters` counts. What is far too long is not counted. */
export function isPostLongerThan(max: number, post: { text: string; spoilerText?: string }): boolean {
  if (post.text.length > max * MAX_UNITS_PER_CHARACTER_IN_POST) return true
  return isFarLongerThan(max, post.spoilerText ?? '') || countCharacters(post) > max
}

/** Whether a text has more grapheme clusters than it may. What is far too long is not counted. */
export function isLongerThan(max: number, text: string): boolean {
  return isFarLongerThan(max, text) || countGraphemes(text) > max
}

/** Whether a text has more UTF-16 units than so many characters can have: asked before any work is done with it. */
export function isFarLongerThan(max: number, text: string): boolean {
  return text.length > max * MAX_UNITS_PER_CHARACTER
}

/** Grapheme clusters: what a reader takes for one character. In one of more than 32 code points, each beyond counts, too. */
export function countGraphemes(text: string): number {
  if (/^\p{ASCII}*$/u.test(text)) return text.length - (text.match(/\r\n/g)?.length ?? 0)
  let count = 0
  for (const { segment } of segmenter.segment(text)) {
    const isLong = segment.length > MAX_CODE_POINTS_PER_CLUSTER
    count += isLong ? Math.max(1, Array.from(segment).length - MAX_CODE_POINTS_PER_CLUSTER + 1) : 1
  }
  return count
}
