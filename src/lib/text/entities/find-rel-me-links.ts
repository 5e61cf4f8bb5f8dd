import { FlatTagParser } from '../../webpage/tag-reader.ts'

/** Further links are ignored. */
const MAX_LINKS = 500

/**
 * Returns the pages that a page links to as the same identity: the absolute URLs of its `a` and `link` elements with
 * `rel="me"`, in order.
 */
export function findRelMeLinks(html: string, { pageUrl }: { pageUrl: string }): string[] {
  const links: string[] = []
  const reader = new FlatTagParser({
    onopentag(name, { rel = '', href }) {
      if ((name !== 'a' && name !== 'link') || href === undefined || links.length >= MAX_LINKS) return
      if (!rel.toLowerCase().split(/\s+/).includes('me')) return
      const url = URL.parse(href, pageUrl)
      if (url) links.push(url.href)
    },
  })
  reader.end(html)
  return links
}
