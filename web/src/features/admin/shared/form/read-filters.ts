/** Reads filters of a URL or a form: the texts of these names that are not empty. */
export function readTexts<Name extends string>(
  search: Record<string, unknown>,
  names: readonly Name[],
): { [Filter in Name]?: string } {
  const filters: { [Filter in Name]?: string } = {}
  for (const name of names) {
    // The router parses texts of digits as numbers.
    const value = search[name]
    const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
    if (text !== '') filters[name] = text
  }
  return filters
}
