import { normalizeTag } from '../../lib/text/normalizeTag.ts'

/** What is behind this says nothing new. */
const MAX_CHARACTERS = 1_000
const MAX_CLAUSES = 32

const OPERATORS = ['has', 'is', 'language', 'from', 'before', 'after', 'during', 'in'] as const
type Operator = (typeof OPERATORS)[number]

/** One condition of a query. `text`: as it was typed, without its operator; a hashtag by its name. */
export interface Clause {
  kind: Operator | 'words' | 'hashtag'
  text: string
  negated: boolean
}

// A sign, an operator, and then a phrase or whatever goes on until the next blank. A quotation mark that stands alone
// is a blank.
const CLAUSE = new RegExp(String.raw`([+\-]?)(?:(${OPERATORS.join('|')}):)?(?:"([^"]*)"|([^\s"]+))`, 'gu')

/**
 * What somebody typed into a search, as conditions that have to hold all together. What is no operator is words, and an
 * operator without a value is, too.
 */
export function readQuery(query: string): Clause[] {
  const text = query.slice(0, MAX_CHARACTERS).toWellFormed().replaceAll('\0', ' ')
  const clauses: Clause[] = []
  for (const [, mark, operator, phrase, term = ''] of text.matchAll(CLAUSE)) {
    if (clauses.length === MAX_CLAUSES) break
    const value = phrase ?? term
    const hashtag = operator === undefined && /^[#＃]/.test(term) ? normalizeTag(term.slice(1)) : null
    const kind = (operator as Operator | undefined) ?? (hashtag === null ? 'words' : 'hashtag')
    clauses.push({ kind, text: hashtag ?? value, negated: mark === '-' })
  }
  return clauses
}
