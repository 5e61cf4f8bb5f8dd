/** The representations of a URL: an HTML page, or an ActivityPub document. */
export type RepresentationKind = 'page' | 'document'

const RANGES: Record<string, RepresentationKind> = {
  'text/html': 'page',
  'application/xhtml+xml': 'page',
  'application/activity+json': 'document',
  'application/ld+json': 'document',
  'application/json': 'document',
}

/**
 * Returns the representation that a header `Accept` prefers, or null if it names neither. With equal weights, the
 * document wins, because browsers do not request it.
 */
export function preferredRepresentation(accept: string | undefined): RepresentationKind | null {
  const best = { page: 0, document: 0 }
  for (const range of (accept ?? '').split(',')) {
    const [type = '', ...parameters] = range.split(';')
    const kind = RANGES[type.trim().toLowerCase()]
    if (kind) best[kind] = Math.max(best[kind], weightOf(parameters))
  }
  if (best.page === 0 && best.document === 0) return null
  return best.document >= best.page ? 'document' : 'page'
}

/** Returns the weight `q` from 0 (not acceptable) to 1 (default). */
function weightOf(parameters: readonly string[]): number {
  for (const parameter of parameters) {
    const [, weight] = /^\s*q\s*=\s*([\d.]+)\s*$/i.exec(parameter) ?? []
    if (weight !== undefined) return Math.min(Number(weight) || 0, 1)
  }
  return 1
}
