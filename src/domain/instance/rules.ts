import { NotFound, Unprocessable } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { cleanText } from '../../lib/text/cleanText.ts'
import { normalizeLanguage } from '../../lib/text/language.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read, Tx } from '../context.ts'

const MAX_TEXT_CHARACTERS = 300
const MAX_HINT_CHARACTERS = 1_000

/** What a rule says in a language, and what it means. */
export interface RuleWords {
  text: string
  hint: string
}

export interface RuleRow extends RuleWords {
  id: string
  /** By language. */
  translations: Record<string, RuleWords>
}

const load = statement<{ row: RuleRow }>(
  `select id, text, hint, translations from rules where deleted_at is null order by id`,
)
const insert = statement<{ params: { text: string; hint: string; now: Date }; row: { id: string } }>(
  `insert into rules (text, hint, created_at) values ($text, $hint, $now) returning id`,
)
const translate = statement<{ params: { id: string; code: string; words: string }; row: { id: string } }>(
  `update rules set translations = translations || jsonb_build_object($code::text, $words::jsonb)
   where id = $id and deleted_at is null returning id`,
)
const remove = statement<{ params: { id: string; now: Date }; row: { id: string } }>(
  `update rules set deleted_at = $now where id = $id and deleted_at is null returning id`,
)

/** The rules of this server, the oldest first. */
export async function readRules(read: Read): Promise<RuleRow[]> {
  return load(read.db)
}

/** Adds a rule below the others. Returns its id. @throws Unprocessable */
export async function addRule(tx: Tx, words: RuleWords): Promise<string> {
  const { text, hint } = checkWords(words)
  const [row] = await insert(tx.db, { text, hint, now: tx.now })
  return row!.id
}

/** Says a rule in another language. @throws NotFound · Unprocessable */
export async function translateRule(
  tx: Tx,
  { id, language, ...words }: RuleWords & { id: string; language: string },
): Promise<void> {
  const code = normalizeLanguage(language)
  if (code === null) throw new Unprocessable(`"${language}" is no language`)
  const values = { id, code, words: JSON.stringify(checkWords(words)) }
  if (!isId(id) || (await translate(tx.db, values)).length === 0) throw new NotFound(`There is no rule ${id}`)
}

/** Takes a rule away; what was reported under it still names it. @throws NotFound */
export async function removeRule(tx: Tx, { id }: { id: string }): Promise<void> {
  if (!isId(id) || (await remove(tx.db, { id, now: tx.now })).length === 0) throw new NotFound(`There is no rule ${id}`)
}

function checkWords({ text, hint }: RuleWords): RuleWords {
  const words = { text: cleanText(text).trim(), hint: cleanText(hint).trim() }
  if (words.text === '') throw new Unprocessable('A rule says something')
  if (words.text.length > MAX_TEXT_CHARACTERS) {
    throw new Unprocessable(`A rule has at most ${MAX_TEXT_CHARACTERS} characters; the hint has room for more`)
  }
  if (words.hint.length > MAX_HINT_CHARACTERS) {
    throw new Unprocessable(`A hint has at most ${MAX_HINT_CHARACTERS} characters`)
  }
  return words
}
