import { TagReader } from '../webpage/tagReader.ts'

/** Nobody names more pages as their own. */
const MAX_LINKS = 500

/**
 * The pages that a page calls its author's own: the addresses of its `a` and `link` elements with `rel="me"`, absolute,
 * in their order.
 */
export function findMeLinks(html: string, { pageUrl }: { pageUrl: string }): string[] {
  const links: string[] = []
  const reader = new TagReader({
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
