/** Longer paths than this are nobody's way back. */
const MAX_LENGTH = 8_000

/**
 * A path and query of our own server to go on to, or null for anything that could lead elsewhere: another site by
 * `//`, a backslash or a scheme, also when written in percent signs that some program might decode.
 */
export function ownPath(path: string | null | undefined): string | null {
  if (!path || path.length > MAX_LENGTH || !/^\/[\w\-.~!$&'()*+,;=:@%/?]*$/.test(path)) return null
  const [beforeQuery = ''] = path.split('?')
  return /\/\/|%(?:[01][0-9a-f]|2f|5c|7f|25)/i.test(beforeQuery) || beforeQuery.split('/').includes('..') ? null : path
}
