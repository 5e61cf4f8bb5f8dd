import { normalizeHashtag } from '../../lib/text/entities/normalize-hashtag.ts'

/** The rest of a longer query is ignored. */
const MAX_CHARACTERS = 1_000
const MAX_CLAUSES = 32

const OPERATORS = ['has', 'is', 'language', 'from', 'before', 'after', 'during', 'in'] as const
type Operator = (typeof OPERATORS)[number]

/** One condition of a query. `text` is the text without its operator; for a hashtag, its normalised name. */
export interface Clause {
  kind: Operator | 'words' | 'hashtag'
  text: string
  negated: boolean
}

// A sign, an operator, and then a quoted phrase or a term up to the next space. An unmatched quotation mark counts as a
// space.
const CLAUSE = new RegExp(String.raw`([+\-]?)(?:(${OPERATORS.join('|')}):)?(?:"([^"]*)"|([^\s"]+))`, 'gu')

/**
 * Parses a search query into clauses, which must all match. Unknown operators and operators without a value are treated
 * as words.
 */
export function parseQuery(query: string): Clause[] {
  const text = query.slice(0, MAX_CHARACTERS).toWellFormed().replaceAll('\0', ' ')
  const clauses: Clause[] = []
  for (const [, mark, operator, phrase, term = ''] of text.matchAll(CLAUSE)) {
    if (clauses.length === MAX_CLAUSES) break
    const value = phrase ?? term
    const hashtag = operator === undefined && /^[#＃]/.test(term) ? normalizeHashtag(term.slice(1)) : null
    const kind = (operator as Operator | undefined) ?? (hashtag === null ? 'words' : 'hashtag')
    clauses.push({ kind, text: hashtag ?? value, negated: mark === '-' })
  }
  return clauses
}
