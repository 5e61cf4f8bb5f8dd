/** Longer paths are not used for returns. */
const MAX_LENGTH = 8_000

/**
 * Returns a path and query of this server for a redirect, or null for anything that could lead to another site: `//`, a
 * backslash or a scheme, also if percent-encoded, because a program might decode it.
 */
export function safeReturnPath(path: string | null | undefined): string | null {
  if (!path || path.length > MAX_LENGTH || !/^\/[\w\-.~!$&'()*+,;=:@%/?]*$/.test(path)) return null
  const [beforeQuery = ''] = path.split('?')
  return /\/\/|%(?:[01][0-9a-f]|2f|5c|7f|25)/i.test(beforeQuery) || beforeQuery.split('/').includes('..') ? null : path
}
