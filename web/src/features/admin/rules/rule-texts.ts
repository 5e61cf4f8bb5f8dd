import type { AdminRule } from '../../../lib/api/admin-entities.ts'
import { adminApi } from '../../../lib/api/admin-api.ts'
import { addRule, fetchRules, removeRule, reorderRules } from '../../instance/server-rules.ts'

/** A rule in one language. */
export interface RuleText {
  text: string
  hint: string
}

/** What can be written about a rule. `translations`: in the order in which they were added. */
export interface RuleTexts extends RuleText {
  translations: readonly (RuleText & { language: string })[]
}

export const NEW_RULE: RuleTexts = { text: '', hint: '', translations: [] }

export function textsOf({ text, hint, translations }: AdminRule): RuleTexts {
  return {
    text,
    hint,
    translations: Object.entries(translations).map(([language, translation]) => ({ language, ...translation })),
  }
}

/** Changes a rule from some texts to others. */
export async function changeRule(id: string, before: RuleTexts, after: RuleTexts): Promise<void> {
  if (before.text !== after.text || before.hint !== after.hint)
    await adminApi('rules', id).update({ text: after.text, hint: after.hint })
  for (const { language } of before.translations) {
    if (after.translations.every((translation) => translation.language !== language))
      await adminApi('rules', id, 'translations', language).remove()
  }
  for (const { language, text, hint } of after.translations) {
    const former = before.translations.find((translation) => translation.language === language)
    if (former?.text !== text || former.hint !== hint)
      await adminApi('rules', id, 'translations', language).update({ text, hint })
  }
}

/** Creates a rule with all of its translations, or not at all. Returns its id. */
export async function createRule(texts: RuleTexts): Promise<string> {
  const { id } = await addRule(texts.text, texts.hint)
  try {
    await changeRule(id, { ...texts, translations: [] }, texts)
    return id
  } catch (error) {
    await removeRule(id)
    throw error
  }
}

/**
 * Creates a deleted rule again, at its former place. `ids`: those of all rules before it was deleted, which other staff
 * may have changed meanwhile.
 */
export async function restoreRule(rule: AdminRule, ids: readonly string[]): Promise<void> {
  const created = await createRule(textsOf(rule))
  const others = (await fetchRules()).map(({ id }) => id).filter((id) => id !== created)
  const previous = ids.slice(0, ids.indexOf(rule.id)).findLast((id) => others.includes(id))
  const place = previous === undefined ? 0 : others.indexOf(previous) + 1
  await reorderRules(others.toSpliced(place, 0, created))
}
