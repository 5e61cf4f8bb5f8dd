/** Longer headers are ignored: no user understands so many languages. */
const MAX_HEADER_CHARACTERS = 1_000

/**
 * Returns the language ranges of a header `Accept-Language`, the preferred ones first (RFC 9110 §12.5.4). Ranges with
 * weight 0 are omitted; `*` is included.
 */
export function acceptedLanguages(header: string | undefined): string[] {
  if (header === undefined || header.length > MAX_HEADER_CHARACTERS) return []
  return header
    .split(',')
    .map((part) => {
      const [range = '', ...parameters] = part.trim().split(';')
      const quality = parameters.map((text) => /^\s*q=([\d.]+)\s*$/i.exec(text)?.[1]).find((q) => q !== undefined)
      return { range: range.trim(), quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ range, quality }) => range !== '' && quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ range }) => range)
}
