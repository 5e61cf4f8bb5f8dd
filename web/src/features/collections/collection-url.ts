/** Returns the id of the collection of this server to which a URL leads; null if it leads elsewhere. */
export function collectionIdOf(href: string): string | null {
  const prefix = `${location.origin}/collections/`
  const id = href.startsWith(prefix) ? href.slice(prefix.length) : ''
  return /^\d+$/.test(id) ? id : null
}
