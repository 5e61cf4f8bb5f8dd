import { MAX_TAG_LENGTH, normalizeTag } from './normalizeTag.ts'
import { findUrl } from './findUrl.ts'

/** Offsets are UTF-16 indices into the text: `text.slice(start, end)` is what was recognised. */
type Span = { start: number; end: number }

export type UrlEntity = Span & { type: 'url'; url: string }
/** `username` and `domain` as typed; `domain` is null when none was. */
export type MentionEntity = Span & { type: 'mention'; username: string; domain: string | null }
/** `name` as stored (see `normalizeTag`), `display` as typed, without the `#`. */
export type HashtagEntity = Span & { type: 'hashtag'; name: string; display: string }
export type TextEntity = UrlEntity | MentionEntity | HashtagEntity

const MAX_DOMAIN_LENGTH = 253
const SCHEMES_BEFORE_SLASHES = ['https', 'http', 'dat', 'dweb', 'ipfs', 'ipns', 'ssb', 'gopher', 'gemini']

// All patterns take each character once: their repetitions are over disjoint classes, with nothing to try again.
const MENTION =
  /(?<![=/\p{L}\p{M}\p{Nd}\p{Pc}])@([A-Za-z0-9_]+(?:[.-]+[A-Za-z0-9_]+)*)(?:@([\p{L}\p{M}\p{Nd}\p{Pc}]+(?:[.-]+[\p{L}\p{M}\p{Nd}\p{Pc}]+)*(?::\d{2,5}(?![\p{L}\p{Nd}_:]))?))?/gu
// What makes the word before it something else than a mention: `@a@b@c`, `@a://`, and `@andré`, who is not `@andr`.
const NO_MENTION_BEFORE = /@|:\/\/|\p{Script=Latin}/uy
const HASHTAG = /(?<=^|\s)[#＃]([\p{L}\p{Nd}\p{Pc}][\p{L}\p{M}\p{Nd}\p{Pc}\u00b7\u30fb\u200c]*)/gu

/** Every URL, mention and hashtag of a plain text, in order, none overlapping another. */
export function extractEntities(text: string): TextEntity[] {
  const urls = extractUrls(text)
  const mentions = mentionsOutside(text, urls)
  const hashtags = hashtagsOutside(text, urls)
  return [...urls, ...mentions, ...hashtags].toSorted((a, b) => a.start - b.start)
}

/** The handles of a text that stand outside URLs. Whether somebody has that handle is not asked here. */
export function extractMentions(text: string): MentionEntity[] {
  return text.includes('@') ? mentionsOutside(text, extractUrls(text)) : []
}

/** The hashtags of a text that stand outside URLs, repeated ones repeated. */
export function extractHashtags(text: string): HashtagEntity[] {
  return /[#＃]/.test(text) ? hashtagsOutside(text, extractUrls(text)) : []
}

/** The addresses with a scheme in a text, `xmpp:` and `magnet:` included, without the punctuation that follows them. */
export function extractUrls(text: string): UrlEntity[] {
  const found: UrlEntity[] = []
  for (let next = findUrl(text, 0); next; next = findUrl(text, next.end)) {
    const { start, end, valid } = next
    if (valid) found.push({ type: 'url', url: text.slice(start, end), start, end })
  }
  return found
}

function mentionsOutside(text: string, urls: readonly Span[]): MentionEntity[] {
  const found: MentionEntity[] = []
  const covers = coveredBy(urls)
  for (const match of text.matchAll(MENTION)) {
    const [whole, username = '', domain = null] = match
    const start = match.index
    const end = start + whole.length
    NO_MENTION_BEFORE.lastIndex = end
    if (NO_MENTION_BEFORE.test(text) || covers({ start, end })) continue
    if (domain !== null && domain.length > MAX_DOMAIN_LENGTH) continue
    found.push({ type: 'mention', username, domain, start, end })
  }
  return found
}

function hashtagsOutside(text: string, urls: readonly Span[]): HashtagEntity[] {
  const found: HashtagEntity[] = []
  const covers = coveredBy(urls)
  for (const match of text.matchAll(HASHTAG)) {
    const start = match.index
    const display = withoutTail(match[1] ?? '', text.startsWith('://', start + match[0].length))
    const end = start + 1 + display.length
    if (display.length > MAX_TAG_LENGTH || covers({ start, end })) continue
    const name = normalizeTag(display)
    if (name !== null) found.push({ type: 'hashtag', name, display, start, end })
  }
  return found
}

/** A tag's word without the scheme of an address typed right after it, and without separators at its end. */
function withoutTail(word: string, slashesFollow: boolean): string {
  let end = word.length
  if (slashesFollow) {
    const lower = word.slice(-6).toLowerCase()
    end -= SCHEMES_BEFORE_SLASHES.find((scheme) => lower.endsWith(scheme))?.length ?? 0
  }
  while (end > 0 && '\u00b7\u30fb\u200c'.includes(word.charAt(end - 1))) end -= 1
  return word.slice(0, end)
}

/** Tells whether a span touches one of the URLs. Asked in text order, so that one walk over the URLs is enough. */
function coveredBy(urls: readonly Span[]): (span: Span) => boolean {
  let next = 0
  return ({ start, end }) => {
    while (next < urls.length && (urls[next] as Span).end <= start) next += 1
    const url = urls[next]
    return url !== undefined && url.start < end
  }
}
