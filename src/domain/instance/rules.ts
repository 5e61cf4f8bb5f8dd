import { NotFoundError, UnprocessableError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { cleanText } from '../../lib/text/clean-text.ts'
import { normalizeLanguage } from '../../lib/text/language.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read, Tx } from '../context.ts'

const MAX_TEXT_CHARACTERS = 300
const MAX_HINT_CHARACTERS = 1_000

/** A rule in one language, with a hint that explains it. */
export interface RuleText {
  text: string
  hint: string
}

export interface RuleRow extends RuleText {
  id: string
  /** By language. */
  translations: Record<string, RuleText>
}

const load = statement<{ row: RuleRow }>(
  `select id, text, hint, translations from rules where deleted_at is null order by id`,
)
const insert = statement<{ params: { text: string; hint: string; now: Date }; row: { id: string } }>(
  `insert into rules (text, hint, created_at) values ($text, $hint, $now) returning id`,
)
const translate = statement<{ params: { id: string; code: string; translation: string }; row: { id: string } }>(
  `update rules set translations = translations || jsonb_build_object($code::text, $translation::jsonb)
   where id = $id and deleted_at is null returning id`,
)
const remove = statement<{ params: { id: string; now: Date }; row: { id: string } }>(
  `update rules set deleted_at = $now where id = $id and deleted_at is null returning id`,
)

/** Returns the rules of the server, oldest first (Mastodon: GET /api/v1/instance/rules). */
export async function listRules(read: Read): Promise<RuleRow[]> {
  return load(read.db)
}

/** Adds a rule after the others. Returns its id. @throws UnprocessableError */
export async function addRule(tx: Tx, rule: RuleText): Promise<string> {
  const { text, hint } = checkRuleText(rule)
  const [row] = await insert(tx.db, { text, hint, now: tx.now })
  return row!.id
}

/** Sets the translation of a rule. @throws NotFoundError; UnprocessableError */
export async function translateRule(
  tx: Tx,
  { id, language, ...ruleText }: RuleText & { id: string; language: string },
): Promise<void> {
  const code = normalizeLanguage(language)
  if (code === null) throw new UnprocessableError(`"${language}" is not a language`)
  const values = { id, code, translation: JSON.stringify(checkRuleText(ruleText)) }
  if (!isId(id) || (await translate(tx.db, values)).length === 0) throw new NotFoundError(`There is no rule ${id}`)
}

/** Deletes a rule. Existing reports still refer to it. @throws NotFoundError */
export async function removeRule(tx: Tx, { id }: { id: string }): Promise<void> {
  if (!isId(id) || (await remove(tx.db, { id, now: tx.now })).length === 0)
    throw new NotFoundError(`There is no rule ${id}`)
}

function checkRuleText({ text, hint }: RuleText): RuleText {
  const rule = { text: cleanText(text).trim(), hint: cleanText(hint).trim() }
  if (rule.text === '') throw new UnprocessableError('The text of a rule must not be blank')
  if (rule.text.length > MAX_TEXT_CHARACTERS) {
    throw new UnprocessableError(`A rule has at most ${MAX_TEXT_CHARACTERS} characters; the hint has room for more`)
  }
  if (rule.hint.length > MAX_HINT_CHARACTERS) {
    throw new UnprocessableError(`A hint has at most ${MAX_HINT_CHARACTERS} characters`)
  }
  return rule
}
