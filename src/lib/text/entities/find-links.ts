import { FlatTagParser } from '../../webpage/tag-reader.ts'
import { extractUrls } from './extract-entities.ts'

/** How many links of a text are considered. */
const MAX_LINKS = 10
/** Longer URLs are ignored. */
const MAX_LENGTH = 2_048

/** Classes and relations of links to accounts and hashtags. */
const MENTION_MARKERS = new Set(['u-url', 'h-card', 'mention', 'hashtag', 'tag'])

/** Returns the first http(s) URLs in a plain text, in order and without duplicates. */
export function findLinksInText(text: string): string[] {
  return keepWebUrls(extractUrls(text).map(({ url }) => url))
}

/** Returns the same for HTML, without links that are marked as mentions or hashtags, as most servers do. */
export function findLinksInHtml(html: string): string[] {
  const links: string[] = []
  const reader = new FlatTagParser({
    onopentag(name, { href, class: classes = '', rel = '' }) {
      if (name !== 'a' || href === undefined || links.length >= MAX_LINKS) return
      if (!`${classes} ${rel}`.split(/\s+/).some((word) => MENTION_MARKERS.has(word))) links.push(href)
    },
  })
  reader.end(html)
  return keepWebUrls(links)
}

function keepWebUrls(links: readonly string[]): string[] {
  const found = new Set<string>()
  for (const link of links.slice(0, MAX_LINKS)) {
    const url = URL.parse(link)
    if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) continue
    if (url.username === '' && url.password === '' && url.href.length <= MAX_LENGTH) found.add(url.href)
  }
  return [...found]
}
