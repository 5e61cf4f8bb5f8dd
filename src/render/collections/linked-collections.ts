import { findCollectionsByUrl } from '../../domain/collections/find-collections-by-url.ts'
import type { Read } from '../../domain/context.ts'
import type { Collection } from '../../entities/accounts/collection.ts'
import { renderCollectionMap } from './render-collections.ts'

/** Further links of a status do not show collections. */
const MAX_LINKS = 5

const NONE: readonly string[] = []

/** Returns the links in the HTML of a status that have the form of a link to a collection. */
export function collectionUrlsIn(html: string): readonly string[] {
  if (!html.includes('/collections/')) return NONE
  const urls = new Set<string>()
  for (const [, url] of html.matchAll(/<a href="(https?:[^"]{1,2000})"/g)) {
    if (urls.size < MAX_LINKS && url!.includes('/collections/')) urls.add(url!.replaceAll('&amp;', '&'))
  }
  return [...urls]
}

/** Returns the known collections by the URLs of their pages, as anonymous users see them. */
export async function findLinkedCollections(
  read: Read,
  { urls }: { urls: ReadonlySet<string> },
): Promise<Map<string, Collection>> {
  const collections = new Map<string, Collection>()
  if (urls.size === 0) return collections
  const ids = await findCollectionsByUrl(read, { urls })
  const found = await renderCollectionMap(read, { ids: [...new Set(ids.values())], viewerId: null })
  for (const [url, id] of ids) {
    const collection = found.get(id)
    if (collection) collections.set(url, collection)
  }
  return collections
}
