/** What lies at an address: a page for people, or a document for programs. */
export type AnswerKind = 'page' | 'document'

const RANGES: Record<string, AnswerKind> = {
  'text/html': 'page',
  'application/xhtml+xml': 'page',
  'application/activity+json': 'document',
  'application/ld+json': 'document',
  'application/json': 'document',
}

/**
 * Which of both a header `Accept` asks for; null when it names neither. By the weights that it gives; of two with the
 * same weight the document counts, since no browser asks for one.
 */
export function preferredKind(accept: string | undefined): AnswerKind | null {
  const best = { page: 0, document: 0 }
  for (const range of (accept ?? '').split(',')) {
    const [type = '', ...parameters] = range.split(';')
    const kind = RANGES[type.trim().toLowerCase()]
    if (kind) best[kind] = Math.max(best[kind], weightOf(parameters))
  }
  if (best.page === 0 && best.document === 0) return null
  return best.document >= best.page ? 'document' : 'page'
}

/** From 0, never, to 1, which is also meant when nothing is said. */
function weightOf(parameters: readonly string[]): number {
  for (const parameter of parameters) {
    const [, weight] = /^\s*q\s*=\s*([\d.]+)\s*$/i.exec(parameter) ?? []
    if (weight !== undefined) return Math.min(Number(weight) || 0, 1)
  }
  return 1
}
