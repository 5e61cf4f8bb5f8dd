import { parseTimestamp } from '../time/parse-timestamp.ts'
import { cleanText } from '../text/clean-text.ts'
import { normalizeLanguage } from '../text/language.ts'
import { readArticle } from './read-article.ts'
import { readHead } from './read-head.ts'

/** In characters. Longer texts are truncated. */
const MAX_LENGTHS = { title: 500, description: 2_000, name: 200, imageDescription: 1_500 }
/** Longer URLs are ignored. */
export const MAX_URL_LENGTH = 2_048
/** Maximum width and height of a player in pixels. */
const MAX_SIDE = 4_096
const MAX_AUTHORS = 10
const DAY_MS = 86_400_000

/** The player of a page's video or audio: an element and the https URL that it loads. */
export interface Player {
  element: 'iframe' | 'video' | 'audio'
  url: string
}

/** Metadata of a page for its preview card. All texts are plain; URLs are absolute http(s) URLs; empty: unknown. */
export interface PageMetadata {
  /** The canonical URL if it is on the same host, else the URL of the page. */
  url: string
  type: 'link' | 'photo' | 'video'
  title: string
  description: string
  language: string | null
  providerName: string
  providerUrl: string
  authors: { name: string; url: string }[]
  /** The contents of its `fediverse:creator` tags. */
  creators: readonly string[]
  imageUrl: string | null
  imageDescription: string
  /** The image of a photo. */
  embedUrl: string
  player: Player | null
  /** Pixels. 0: unknown. */
  width: number
  height: number
  publishedAt: Date | null
  /** URL of the page's oEmbed document. */
  oEmbedUrl: string | null
}

/** Reads the metadata of a page from its JSON-LD, Open Graph and similar tags, and plain HTML tags. */
export function extractPageMetadata(html: string, { pageUrl, now }: { pageUrl: string; now: Date }): PageMetadata {
  const { title, language, meta, creators, canonical, oEmbed, data } = readHead(html)
  const article = readArticle(data)
  const firstMeta = (...names: string[]) => names.map((name) => meta.get(name)).find((text) => text !== undefined) ?? ''
  const url = (text: string) => readUrl(text, pageUrl)
  const player = url(firstMeta('twitter:player'))
  const hasPlayer = player !== null && player.startsWith('https:')
  return {
    url: sameHostUrl(canonical, pageUrl) ?? sameHostUrl(firstMeta('og:url'), pageUrl) ?? pageUrl,
    type: hasPlayer ? 'video' : 'link',
    title: truncateLine(article?.headline || firstMeta('og:title', 'twitter:title') || title, MAX_LENGTHS.title),
    description: truncateLine(
      article?.description || firstMeta('og:description', 'twitter:description', 'description'),
      MAX_LENGTHS.description,
    ),
    language:
      [article?.language, firstMeta('og:locale'), language, firstMeta('language')]
        .map(normalizeLanguage)
        .find((code) => code !== null) ?? null,
    providerName: truncateLine(article?.publisher || firstMeta('og:site_name'), MAX_LENGTHS.name),
    providerUrl: '',
    authors: authorsOf(
      article?.authors ?? [],
      firstMeta('author', 'article:author', 'og:author', 'twitter:creator'),
      url,
    ),
    creators,
    imageUrl: url(
      firstMeta('og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src') ||
        article?.image ||
        '',
    ),
    imageDescription: truncateLine(firstMeta('og:image:alt', 'twitter:image:alt'), MAX_LENGTHS.imageDescription),
    embedUrl: '',
    player: hasPlayer ? { element: 'iframe', url: player } : null,
    width: hasPlayer ? readPixels(firstMeta('twitter:player:width')) : 0,
    height: hasPlayer ? readPixels(firstMeta('twitter:player:height')) : 0,
    publishedAt: parsePublicationDate(article?.published || firstMeta('article:published_time'), now),
    oEmbedUrl: url(oEmbed ?? ''),
  }
}

/** Returns an absolute http(s) URL, or null for anything else. */
export function readUrl(text: unknown, base: string): string | null {
  if (typeof text !== 'string' || text.trim() === '' || text.length > MAX_URL_LENGTH) return null
  const url = URL.parse(text.trim(), base)
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null
  return url.href.length > MAX_URL_LENGTH ? null : url.href
}

/** Returns a number of pixels, or 0 for anything else. */
export function readPixels(value: unknown): number {
  const pixels = Math.trunc(Number(typeof value === 'string' ? value.replace(/px$/, '') : value))
  return pixels > 0 ? Math.min(pixels, MAX_SIDE) : 0
}

export function readName(value: unknown): string {
  return typeof value === 'string' ? truncateLine(value, MAX_LENGTHS.name) : ''
}

export function readTitle(value: unknown): string {
  return typeof value === 'string' ? truncateLine(value, MAX_LENGTHS.title) : ''
}

/** Returns a URL only if it is on the page's host: a page must not set a canonical URL on another host. */
function sameHostUrl(text: string | null, pageUrl: string): string | null {
  const url = readUrl(text, pageUrl)
  return url !== null && new URL(url).host === new URL(pageUrl).host ? url : null
}

function authorsOf(
  authors: readonly { name: string; url: string }[],
  named: string,
  url: (text: string) => string | null,
): PageMetadata['authors'] {
  if (authors.length > 0) {
    return authors.slice(0, MAX_AUTHORS).map((author) => ({ name: readName(author.name), url: url(author.url) ?? '' }))
  }
  // Some pages have the URL of the author instead of the name.
  return named === '' || /^https?:/i.test(named) ? [] : [{ name: readName(named), url: '' }]
}

/** Returns a date in the past or within the next day, or null. */
function parsePublicationDate(text: string, now: Date): Date | null {
  const date = parseTimestamp(text)
  return date && date.getTime() > 0 && date.getTime() <= now.getTime() + DAY_MS ? date : null
}

/** Joins the lines of a text and truncates it. */
function truncateLine(text: string, length: number): string {
  const line = cleanText(text.slice(0, length * 4))
    .replace(/\s+/gu, ' ')
    .trim()
  return line.length <= length
    ? line
    : `${line
        .slice(0, length - 1)
        .toWellFormed()
        .replace(/\ufffd$/, '')}…`
}
