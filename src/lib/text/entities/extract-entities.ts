import { MAX_TAG_LENGTH, normalizeHashtag } from './normalize-hashtag.ts'
import { findUrl } from './find-url.ts'

/** Offsets are UTF-16 indices into the text: `text.slice(start, end)` is the recognised text. */
type Span = { start: number; end: number }

export type UrlEntity = Span & { type: 'url'; url: string }
/** `username` and `domain` are as typed; `domain` is null if there is none. */
export type MentionEntity = Span & { type: 'mention'; username: string; domain: string | null }
/** `name` is the stored form (see `normalizeHashtag`), `display` the typed one; both are without `#`. */
export type HashtagEntity = Span & { type: 'hashtag'; name: string; display: string }
export type TextEntity = UrlEntity | MentionEntity | HashtagEntity

const MAX_DOMAIN_LENGTH = 253
const SCHEMES_BEFORE_SLASHES = ['https', 'http', 'dat', 'dweb', 'ipfs', 'ipns', 'ssb', 'gopher', 'gemini']

// The patterns have no backtracking: their repetitions are over disjoint character classes.
const MENTION =
  /(?<![=/\p{L}\p{M}\p{Nd}\p{Pc}])@([A-Za-z0-9_]+(?:[.-]+[A-Za-z0-9_]+)*)(?:@([\p{L}\p{M}\p{Nd}\p{Pc}]+(?:[.-]+[\p{L}\p{M}\p{Nd}\p{Pc}]+)*(?::\d{2,5}(?![\p{L}\p{Nd}_:]))?))?/gu
// Text after a match that means that the match is not a mention: `@a@b@c`, `@a://`, and `@andré`, which is not `@andr`.
const NO_MENTION_BEFORE = /@|:\/\/|\p{Script=Latin}/uy
const HASHTAG = /(?<=^|\s)[#＃]([\p{L}\p{Nd}\p{Pc}][\p{L}\p{M}\p{Nd}\p{Pc}\u00b7\u30fb\u200c]*)/gu

/** Returns the URLs, mentions and hashtags of a plain text in order and without overlaps. */
export function extractEntities(text: string): TextEntity[] {
  const urls = extractUrls(text)
  const mentions = mentionsOutside(text, urls)
  const hashtags = hashtagsOutside(text, urls)
  return [...urls, ...mentions, ...hashtags].toSorted((a, b) => a.start - b.start)
}

/** Returns the handles of a text outside URLs. Does not check whether the accounts exist. */
export function extractMentions(text: string): MentionEntity[] {
  return text.includes('@') ? mentionsOutside(text, extractUrls(text)) : []
}

/** Returns the hashtags of a text outside URLs, including duplicates. */
export function extractHashtags(text: string): HashtagEntity[] {
  return /[#＃]/.test(text) ? hashtagsOutside(text, extractUrls(text)) : []
}

/** Returns the URLs in a text, including `xmpp:` and `magnet:`, without the punctuation that follows them. */
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
    const name = normalizeHashtag(display)
    if (name !== null) found.push({ type: 'hashtag', name, display, start, end })
  }
  return found
}

/** Returns a hashtag's word without the scheme of a URL that directly follows it, and without trailing separators. */
function withoutTail(word: string, slashesFollow: boolean): string {
  let end = word.length
  if (slashesFollow) {
    const lower = word.slice(-6).toLowerCase()
    end -= SCHEMES_BEFORE_SLASHES.find((scheme) => lower.endsWith(scheme))?.length ?? 0
  }
  while (end > 0 && '\u00b7\u30fb\u200c'.includes(word.charAt(end - 1))) end -= 1
  return word.slice(0, end)
}

/** Returns a function that returns whether a span overlaps a URL. Must be called in text order, for a single pass. */
function coveredBy(urls: readonly Span[]): (span: Span) => boolean {
  let next = 0
  return ({ start, end }) => {
    while (next < urls.length && (urls[next] as Span).end <= start) next += 1
    const url = urls[next]
    return url !== undefined && url.start < end
  }
}
