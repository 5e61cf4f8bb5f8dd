/** Longer paths are not used for returns. */
const MAX_LENGTH = 8_000

/** The same holds for paths that are encoded more often. Each layer is decoded and checked as a whole. */
const MAX_LAYERS = 10

/** The characters of a path and query. Browsers send brackets in a query without encoding them. */
const PATH_AND_QUERY = /^\/[\w\-.~!$&'()*+,;=:@%/]*(?:\?[\w\-.~!$&'()*+,;=:@%/?[\]]*)?$/

/**
 * Returns a path and query of this server for a redirect, or null for anything that could lead to another site: `//`, a
 * backslash or a scheme. A program might decode the path, and more than once, so decoded texts are checked, too. In these,
 * `//` is allowed after the first segment: the path of a link contains an encoded URL (`/links/https%3A%2F%2F…`).
 */
export function safeReturnPath(path: string | null | undefined): string | null {
  if (!path || path.length > MAX_LENGTH || !PATH_AND_QUERY.test(path)) return null
  const [beforeQuery = ''] = path.split('?')
  if (beforeQuery.includes('//')) return null
  for (let text = beforeQuery, layers = 0; layers <= MAX_LAYERS; layers += 1) {
    if (!staysOnServer(text)) return null
    const decoded = decode(text)
    if (decoded === text) return path
    text = decoded
  }
  return null
}

function staysOnServer(path: string): boolean {
  // oxlint-disable-next-line no-control-regex -- searches for control characters
  if (/^\/\/|[\x00-\x1f\x7f\\]/.test(path)) return false
  return path.split('/').every((segment) => segment !== '.' && segment !== '..')
}

function decode(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
