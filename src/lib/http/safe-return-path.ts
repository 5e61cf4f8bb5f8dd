/** Longer paths are not used for returns. */
const MAX_LENGTH = 8_000

/** The characters of a path and query. Browsers send brackets in a query without encoding them. */
const PATH_AND_QUERY = /^\/[\w\-.~!$&'()*+,;=:@%/]*(?:\?[\w\-.~!$&'()*+,;=:@%/?[\]]*)?$/

/**
 * Returns a path and query of this server for a redirect, or null for anything that could lead to another site: `//`, a
 * backslash or a scheme. A program might decode the path, however often, so decoded texts are checked, too. In these,
 * `//` is allowed after the first segment: the path of a link contains an encoded URL (`/links/https%3A%2F%2F…`).
 */
export function safeReturnPath(path: string | null | undefined): string | null {
  if (!path || path.length > MAX_LENGTH || !PATH_AND_QUERY.test(path)) return null
  const [beforeQuery = ''] = path.split('?')
  if (beforeQuery.includes('//')) return null
  for (let text = beforeQuery, decoded = ''; ; text = decoded) {
    if (!staysOnServer(text)) return null
    decoded = decode(text)
    if (decoded === text) return path
  }
}

function staysOnServer(path: string): boolean {
  // oxlint-disable-next-line no-control-regex -- searches for control characters
  if (/^\/\/|[\x00-\x1f\x7f\\]/.test(path)) return false
  return path.split('/').every((segment) => segment !== '.' && segment !== '..')
}

function decode(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
