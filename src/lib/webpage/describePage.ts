import { parseMoment } from '../moment.ts'
import { cleanText } from '../text/cleanText.ts'
import { normalizeLanguage } from '../text/language.ts'
import { readArticle } from './readArticle.ts'
import { readHead } from './readHead.ts'

/** In characters; what is longer is cut. */
const MAX_LENGTHS = { title: 500, description: 2_000, name: 200, imageDescription: 1_500 }
/** An address that is longer is none. */
const MAX_URL_LENGTH = 2_048
/** Pixels of a player. */
const MAX_SIDE = 4_096
const MAX_AUTHORS = 10
const DAY_MS = 86_400_000

/** What plays a page's video, sound or picture show: an element, and an https address that it loads. */
export interface Player {
  element: 'iframe' | 'video' | 'audio'
  url: string
}

/** What can be shown of a page. All of it is plain text; addresses are absolute and of the web; blank: it says nothing. */
export interface PageFacts {
  /** By which it wants to be known: on its own host, or else where it was found. */
  url: string
  type: 'link' | 'photo' | 'video'
  title: string
  description: string
  language: string | null
  providerName: string
  providerUrl: string
  authors: { name: string; url: string }[]
  /** Whom of the network it names as its authors, as written. */
  creators: readonly string[]
  imageUrl: string | null
  imageDescription: string
  /** The picture itself, of a photo. */
  embedUrl: string
  player: Player | null
  /** Pixels; 0 where nobody says. */
  width: number
  height: number
  publishedAt: Date | null
  /** Where it is told as oEmbed. */
  oEmbedUrl: string | null
}

/** Reads what a page says about itself: in its data for machines, by Open Graph and its kin, and in its plain tags. */
export function describePage(html: string, { pageUrl, now }: { pageUrl: string; now: Date }): PageFacts {
  const { title, language, meta, creators, canonical, oEmbed, data } = readHead(html)
  const article = readArticle(data)
  const said = (...names: string[]) => names.map((name) => meta.get(name)).find((text) => text !== undefined) ?? ''
  const url = (text: string) => readUrl(text, pageUrl)
  const player = url(said('twitter:player'))
  const plays = player !== null && player.startsWith('https:')
  return {
    url: ownUrl(canonical, pageUrl) ?? ownUrl(said('og:url'), pageUrl) ?? pageUrl,
    type: plays ? 'video' : 'link',
    title: cut(article?.headline || said('og:title', 'twitter:title') || title, MAX_LENGTHS.title),
    description: cut(
      article?.description || said('og:description', 'twitter:description', 'description'),
      MAX_LENGTHS.description,
    ),
    language:
      [article?.language, said('og:locale'), language, said('language')]
        .map(normalizeLanguage)
        .find((code) => code !== null) ?? null,
    providerName: cut(article?.publisher || said('og:site_name'), MAX_LENGTHS.name),
    providerUrl: '',
    authors: authorsOf(article?.authors ?? [], said('author', 'article:author', 'og:author', 'twitter:creator'), url),
    creators,
    imageUrl: url(
      said('og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src') ||
        article?.image ||
        '',
    ),
    imageDescription: cut(said('og:image:alt', 'twitter:image:alt'), MAX_LENGTHS.imageDescription),
    embedUrl: '',
    player: plays ? { element: 'iframe', url: player } : null,
    width: plays ? readSide(said('twitter:player:width')) : 0,
    height: plays ? readSide(said('twitter:player:height')) : 0,
    publishedAt: readMoment(article?.published || said('article:published_time'), now),
    oEmbedUrl: url(oEmbed ?? ''),
  }
}

/** An absolute address of the web; null for everything else. */
export function readUrl(text: unknown, base: string): string | null {
  if (typeof text !== 'string' || text.trim() === '' || text.length > MAX_URL_LENGTH) return null
  const url = URL.parse(text.trim(), base)
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null
  return url.href.length > MAX_URL_LENGTH ? null : url.href
}

/** A number of pixels, 0 for what is none. */
export function readSide(value: unknown): number {
  const pixels = Math.trunc(Number(typeof value === 'string' ? value.replace(/px$/, '') : value))
  return pixels > 0 ? Math.min(pixels, MAX_SIDE) : 0
}

export function readName(value: unknown): string {
  return typeof value === 'string' ? cut(value, MAX_LENGTHS.name) : ''
}

export function readTitle(value: unknown): string {
  return typeof value === 'string' ? cut(value, MAX_LENGTHS.title) : ''
}

/** No page speaks for another host. */
function ownUrl(text: string | null, pageUrl: string): string | null {
  const url = readUrl(text, pageUrl)
  return url !== null && new URL(url).host === new URL(pageUrl).host ? url : null
}

function authorsOf(
  authors: readonly { name: string; url: string }[],
  named: string,
  url: (text: string) => string | null,
): PageFacts['authors'] {
  if (authors.length > 0) {
    return authors.slice(0, MAX_AUTHORS).map((one) => ({ name: readName(one.name), url: url(one.url) ?? '' }))
  }
  // Some say where an author is found instead of who it is.
  return named === '' || /^https?:/i.test(named) ? [] : [{ name: readName(named), url: '' }]
}

/** A moment of the past; a page that will be published tomorrow is as good as any. */
function readMoment(text: string, now: Date): Date | null {
  const moment = parseMoment(text)
  return moment && moment.getTime() > 0 && moment.getTime() <= now.getTime() + DAY_MS ? moment : null
}

/** One line, at most so long. */
function cut(text: string, length: number): string {
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
