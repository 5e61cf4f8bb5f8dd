import { TagReader } from '../webpage/tagReader.ts'
import { extractUrls } from './extract.ts'

/** So many are looked at, until one is found that counts. */
const MAX_LINKS = 10
/** An address that is longer leads to nothing that anybody would want to see. */
const MAX_LENGTH = 2_048

/** Classes and relations of links to people and hashtags. */
const NAMES = new Set(['u-url', 'h-card', 'mention', 'hashtag', 'tag'])

/** The first addresses of the web in a plain text, in their order, each once, absolute. */
export function linksOfText(text: string): string[] {
  return readable(extractUrls(text).map(({ url }) => url))
}

/** The same of some HTML, links to people and hashtags left out, as they are marked by most servers. */
export function linksOfHtml(html: string): string[] {
  const links: string[] = []
  const reader = new TagReader({
    onopentag(name, { href, class: classes = '', rel = '' }) {
      if (name !== 'a' || href === undefined || links.length >= MAX_LINKS) return
      if (!`${classes} ${rel}`.split(/\s+/).some((word) => NAMES.has(word))) links.push(href)
    },
  })
  reader.end(html)
  return readable(links)
}

function readable(links: readonly string[]): string[] {
  const found = new Set<string>()
  for (const link of links.slice(0, MAX_LINKS)) {
    const url = URL.parse(link)
    if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) continue
    if (url.username === '' && url.password === '' && url.href.length <= MAX_LENGTH) found.add(url.href)
  }
  return [...found]
}
