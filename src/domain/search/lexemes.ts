import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'

/**
 * Lexemes for properties of a status that are searched like words. Each begins with a character that no word contains.
 * `open`: a public status of an indexable author. `other`: every other status.
 */
export const marker = {
  author: (accountId: string) => `@${accountId}`,
  hashtag: (name: string) => `#${name}`,
  property: (name: string) => `has:${name}`,
  language: (code: string) => `language:${code.toLowerCase()}`,
  open: '=open',
  other: '=other',
}

const MAX_LEXEME_CHARACTERS = 256

/** Returns a lexeme as PostgreSQL reads it in a `tsvector` or a `tsquery`. */
export function quoteLexeme(lexeme: string): string {
  const text = lexeme.slice(0, MAX_LEXEME_CHARACTERS).replaceAll('\0', '').toWellFormed()
  return `'${text.replace(/['\\]/g, '$&$&')}'`
}

// PostgreSQL returns no stem for stop words; they are searched as they are.
const selectStems = statement<{ params: { distinct: readonly string[] }; row: { stem: string } }>(
  `select coalesce((ts_lexize('pg_catalog.english_stem', word))[1], word) as stem
   from unnest($distinct::text[]) with ordinality distinct_word (word, place) order by place`,
)

/** Returns the stem of each word by the rules of English, whatever its language. */
export async function stemWords(
  read: Pick<Read, 'db'>,
  { words }: { words: Iterable<string> },
): Promise<Map<string, string>> {
  const distinct = [...new Set(words)]
  if (distinct.length === 0) return new Map()
  const rows = await selectStems(read.db, { distinct })
  return new Map(distinct.map((word, n) => [word, rows[n]!.stem]))
}
