import { NotFoundError, UnprocessableError, ValidationError } from '../../lib/errors.ts'
import type { FieldError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { cleanText } from '../../lib/text/clean-text.ts'
import { normalizeLanguage } from '../../lib/text/language.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read, Tx } from '../context.ts'
import { recordAuditEntry } from '../core/record-audit-entry.ts'
import type { Actor, AuditActions } from '../core/record-audit-entry.ts'

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

/** A rule as the staff see it. */
export interface StaffRuleRow extends RuleRow {
  /** Its place in the order of the rules: lower ones come first. */
  priority: number
  created_at: Date
}

const load = statement<{ row: RuleRow }>(
  `select id, text, hint, translations from rules where deleted_at is null order by priority, id`,
)
const STAFF_COLUMNS = 'id, text, hint, translations, priority, created_at'
const loadForStaff = statement<{ row: StaffRuleRow }>(
  `select ${STAFF_COLUMNS} from rules where deleted_at is null order by priority, id`,
)
const find = statement<{ params: { id: string }; row: StaffRuleRow }>(
  `select ${STAFF_COLUMNS} from rules where id = $id and deleted_at is null`,
)
const lock = statement<{ params: { id: string }; row: RuleRow }>(
  `select id, text, hint, translations from rules where id = $id and deleted_at is null for no key update`,
)
const insert = statement<{ params: { text: string; hint: string; now: Date }; row: { id: string } }>(
  `insert into rules (text, hint, priority, created_at)
   select $text, $hint, coalesce(max(priority) + 1, 0), $now from rules where deleted_at is null returning id`,
)
const update = statement<{ params: { id: string; text: string; hint: string } }>(
  `update rules set text = $text, hint = $hint where id = $id`,
)
const translate = statement<{ params: { id: string; code: string; translation: string } }>(
  `update rules set translations = translations || jsonb_build_object($code::text, $translation::jsonb) where id = $id`,
)
const removeTranslationOf = statement<{ params: { id: string; code: string } }>(
  `update rules set translations = translations - $code::text where id = $id`,
)
const remove = statement<{ params: { id: string; now: Date } }>(`update rules set deleted_at = $now where id = $id`)
const lockAll = statement<{ row: { id: string } }>(
  `select id from rules where deleted_at is null order by id for no key update`,
)
const setOrder = statement<{ params: { ids: readonly string[] } }>(
  `update rules r set priority = x.place - 1
   from unnest($ids::bigint[]) with ordinality x (id, place) where r.id = x.id`,
)

/** Returns the rules of the server in their order (Mastodon: GET /api/v1/instance/rules). */
export async function listRules(read: Read): Promise<RuleRow[]> {
  return load(read.db)
}

/** Returns the rules in their order, as the staff see them. */
export async function listStaffRules(read: Read): Promise<StaffRuleRow[]> {
  return loadForStaff(read.db)
}

/** Returns one rule, unless it was deleted. @throws NotFoundError */
export async function getRule(read: Read, { id }: { id: string }): Promise<StaffRuleRow> {
  const [row] = isId(id) ? await find(read.db, { id }) : []
  if (!row) throw new NotFoundError()
  return row
}

/** Adds a rule after the others. Returns its id. @throws ValidationError */
export async function addRule(tx: Tx, { by, ...rule }: RuleText & { by: Actor }): Promise<string> {
  const { text, hint } = checkRuleText(rule)
  const [row] = await insert(tx.db, { text, hint, now: tx.now })
  await record(tx, { by, action: 'create', rule: { id: row!.id, text } })
  return row!.id
}

/** Changes the text or the hint of a rule; undefined: unchanged. @throws NotFoundError; ValidationError */
export async function updateRule(
  tx: Tx,
  { id, by, text, hint }: { id: string; by: Actor; text?: string | undefined; hint?: string | undefined },
): Promise<void> {
  const before = await lockRule(tx, id)
  const rule = checkRuleText({ text: text ?? before.text, hint: hint ?? before.hint })
  if (rule.text === before.text && rule.hint === before.hint) return
  await update(tx.db, { id, ...rule })
  const details = { old: { text: before.text, hint: before.hint }, new: rule }
  await record(tx, { by, action: 'update', rule: { id, text: rule.text }, details })
}

/** Adds or replaces the translation of a rule into a language. @throws NotFoundError; ValidationError */
export async function translateRule(
  tx: Tx,
  { id, by, language, ...ruleText }: RuleText & { id: string; by: Actor; language: string },
): Promise<void> {
  const rule = await lockRule(tx, id)
  const code = normalizeLanguage(language)
  if (code === null) throw new ValidationError([{ attribute: 'language', code: 'ERR_INVALID', text: 'is invalid' }])
  await translate(tx.db, { id, code, translation: JSON.stringify(checkRuleText(ruleText)) })
  await record(tx, { by, action: 'translate', rule, details: { language: code } })
}

/** Removes the translation of a rule into a language. @throws NotFoundError, also if there is none */
export async function removeTranslation(
  tx: Tx,
  { id, by, language }: { id: string; by: Actor; language: string },
): Promise<void> {
  const rule = await lockRule(tx, id)
  const code = normalizeLanguage(language)
  if (code === null || !Object.hasOwn(rule.translations, code)) throw new NotFoundError()
  await removeTranslationOf(tx.db, { id, code })
  await record(tx, { by, action: 'remove_translation', rule, details: { language: code } })
}

/** Puts the rules into the order of their ids in a list. @throws UnprocessableError if it is not a list of all rules */
export async function reorderRules(tx: Tx, { ids, by }: { ids: readonly string[]; by: Actor }): Promise<void> {
  const present = new Set((await lockAll(tx.db)).map((row) => row.id))
  if (ids.length !== present.size || new Set(ids).size !== present.size || !ids.every((id) => present.has(id)))
    throw new UnprocessableError('The list must contain each rule once')
  await setOrder(tx.db, { ids })
  await recordAuditEntry(tx, { by, action: 'reorder', targetType: 'rule', targetId: null, label: '', details: { ids } })
}

/** Deletes a rule. Existing reports still refer to it. @throws NotFoundError */
export async function removeRule(tx: Tx, { id, by }: { id: string; by: Actor }): Promise<void> {
  const rule = await lockRule(tx, id)
  await remove(tx.db, { id, now: tx.now })
  await record(tx, { by, action: 'delete', rule })
}

async function lockRule(tx: Tx, id: string): Promise<RuleRow> {
  const [rule] = isId(id) ? await lock(tx.db, { id }) : []
  if (!rule) throw new NotFoundError()
  return rule
}

async function record(
  tx: Tx,
  {
    by,
    action,
    rule,
    details,
  }: {
    by: Actor
    action: AuditActions['rule']
    rule: { id: string; text: string }
    details?: Readonly<Record<string, unknown>>
  },
): Promise<void> {
  const target = { targetType: 'rule', targetId: rule.id, label: rule.text } as const
  await recordAuditEntry(tx, { by, action, ...target, ...(details && { details }) })
}

/** @throws ValidationError */
function checkRuleText({ text, hint }: RuleText): RuleText {
  const rule = { text: cleanText(text).trim(), hint: cleanText(hint).trim() }
  const problems: FieldError[] = []
  const limit = (attribute: keyof RuleText, max: number, advice = '') => {
    if (rule[attribute].length <= max) return
    problems.push({ attribute, code: 'ERR_TOO_LONG', text: `is too long (maximum is ${max} characters)${advice}` })
  }
  if (rule.text === '') problems.push({ attribute: 'text', code: 'ERR_BLANK', text: "can't be blank" })
  limit('text', MAX_TEXT_CHARACTERS, '; the hint has room for more')
  limit('hint', MAX_HINT_CHARACTERS)
  if (problems.length > 0) throw new ValidationError(problems)
  return rule
}
