/** Returns the id of the collection whose page on this server has the URL; null for other URLs. */
export function collectionIdOf(href: string): string | null {
  const prefix = `${location.origin}/collections/`
  const id = href.startsWith(prefix) ? href.slice(prefix.length) : ''
  return /^\d+$/.test(id) ? id : null
}
