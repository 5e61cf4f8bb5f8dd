import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'

/**
 * What is not a word of a status but can be looked for like one. Each begins with a sign that no word has.
 * `open`: for everybody, by somebody who lets everybody search it. `other`: everything else.
 */
export const sign = {
  author: (accountId: string) => `@${accountId}`,
  hashtag: (name: string) => `#${name}`,
  property: (name: string) => `has:${name}`,
  language: (code: string) => `language:${code.toLowerCase()}`,
  open: '=open',
  other: '=other',
}

const MAX_LEXEME_CHARACTERS = 256

/** A lexeme as PostgreSQL reads it in a `tsvector` or a `tsquery`. */
export function quoteLexeme(lexeme: string): string {
  const text = lexeme.slice(0, MAX_LEXEME_CHARACTERS).replaceAll('\0', '').toWellFormed()
  return `'${text.replace(/['\\]/g, '$&$&')}'`
}

// Words that say nothing have no stem there, and are looked for nevertheless.
const stem = statement<{ params: { distinct: readonly string[] }; row: { stem: string } }>(
  `select coalesce((ts_lexize('pg_catalog.english_stem', word))[1], word) as stem
   from unnest($distinct::text[]) with ordinality one (word, place) order by place`,
)

/** Each of these words → its stem, by the rules of English, whatever language it is of. */
export async function stemWords(
  read: Pick<Read, 'db'>,
  { words }: { words: Iterable<string> },
): Promise<Map<string, string>> {
  const distinct = [...new Set(words)]
  if (distinct.length === 0) return new Map()
  const rows = await stem(read.db, { distinct })
  return new Map(distinct.map((word, n) => [word, rows[n]!.stem]))
}
