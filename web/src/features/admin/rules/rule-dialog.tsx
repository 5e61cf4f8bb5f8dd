import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import type { AdminRule } from '../../../lib/api/admin-entities.ts'
import { formatLanguage } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { languagesQuery } from '../../instance/instance.ts'
import { removeRule } from '../../instance/server-rules.ts'
import { AdminDialog } from '../shared/decisions/admin-dialog.tsx'
import { showDecision } from '../shared/decisions/undo.ts'
import { Field } from '../shared/form/field.tsx'
import { useDraft } from '../../../lib/store/use-draft.ts'
import { useSubmit } from '../shared/form/use-submit.ts'
import { changeRule, createRule, NEW_RULE, textsOf } from './rule-texts.ts'
import type { RuleText, RuleTexts } from './rule-texts.ts'
import styles from './rule-list.module.css'

const MAX_TEXT_CHARACTERS = 300
const MAX_HINT_CHARACTERS = 1000

/** Creates a rule, or changes one, with its translations. */
export function RuleDialog({
  rule,
  onChange,
  onClose,
}: {
  rule: AdminRule | null
  onChange: () => Promise<void>
  onClose: () => void
}) {
  const before = rule ? textsOf(rule) : NEW_RULE
  const { value, isChanged, change, reset } = useDraft(`rule-${rule?.id ?? 'new'}`, before)
  const { form, failure, isBusy, submit } = useSubmit()
  const save = () =>
    void submit(async () => {
      const undo = await saveRule({ rule, before, after: value })
      reset()
      onClose()
      showDecision({ text: message('web.admin.rules.saved'), undo: () => undo().then(onChange) })
      await onChange()
    })
  return (
    <AdminDialog
      title={message(rule ? 'web.admin.rules.edit' : 'web.admin.rules.new')}
      confirm={message('web.admin.save')}
      isBusy={isBusy}
      isWide
      focus="first"
      failure={failure}
      form={form}
      onDiscard={isChanged ? () => reset() : undefined}
      onConfirm={save}
      onClose={onClose}
    >
      <TextFields value={value} onChange={(texts) => change({ ...value, ...texts })} />
      <Translations value={value} onChange={change} />
    </AdminDialog>
  )
}

/** Returns how to take the change back. */
async function saveRule({
  rule,
  before,
  after,
}: {
  rule: AdminRule | null
  before: RuleTexts
  after: RuleTexts
}): Promise<() => Promise<void>> {
  if (rule) {
    await changeRule(rule.id, before, after)
    return () => changeRule(rule.id, after, before)
  }
  const id = await createRule(after)
  return () => removeRule(id)
}

function TextFields({
  value: { text, hint },
  lang,
  onChange,
}: {
  value: RuleText
  lang?: string
  onChange: (texts: RuleText) => void
}) {
  return (
    <>
      <Field
        label={message('web.admin.rules.text')}
        hint={lang === undefined ? message('web.admin.rules.text.hint') : undefined}
      >
        {(props) => (
          <textarea
            {...props}
            dir="auto"
            lang={lang}
            rows={2}
            required
            maxLength={MAX_TEXT_CHARACTERS}
            value={text}
            onChange={({ target }) => onChange({ text: target.value, hint })}
          />
        )}
      </Field>
      <Field
        label={message('web.admin.rules.hint')}
        hint={lang === undefined ? message('web.admin.rules.hint.hint') : undefined}
      >
        {(props) => (
          <textarea
            {...props}
            dir="auto"
            lang={lang}
            rows={2}
            maxLength={MAX_HINT_CHARACTERS}
            value={hint}
            onChange={({ target }) => onChange({ text, hint: target.value })}
          />
        )}
      </Field>
    </>
  )
}

function Translations({ value, onChange }: { value: RuleTexts; onChange: (value: RuleTexts) => void }) {
  const { data: languages = [] } = useQuery(languagesQuery)
  const group = useRef<HTMLFieldSetElement>(null)
  const { translations } = value
  const set = (next: RuleTexts['translations']) => onChange({ ...value, translations: next })
  const add = (language: string) => {
    set([...translations, { language, text: '', hint: '' }])
    setTimeout(() => group.current?.querySelector<HTMLElement>(`[data-language="${language}"] textarea`)?.focus())
  }
  const names = languages
    .filter(({ code }) => translations.every(({ language }) => language !== code))
    .map(({ code }) => ({ code, name: formatLanguage(code) }))
    .toSorted((a, b) => a.name.localeCompare(b.name))
  return (
    <fieldset ref={group} className={styles.translations}>
      <legend>{message('web.admin.rules.translations')}</legend>
      {translations.map((translation) => {
        const { language } = translation
        const name = formatLanguage(language)
        return (
          <div key={language} className={styles.translation} role="group" aria-label={name} data-language={language}>
            <p className={styles.translationHead}>
              <strong>{name}</strong>
              <button
                type="button"
                className="button button-line button-small"
                aria-label={message('web.admin.rules.remove-translation', { language: name })}
                onClick={() => {
                  group.current?.querySelector<HTMLElement>('select')?.focus()
                  set(translations.filter((other) => other.language !== language))
                }}
              >
                {message('web.admin.delete')}
              </button>
            </p>
            <TextFields
              value={translation}
              lang={language}
              onChange={(texts) =>
                set(translations.map((other) => (other.language === language ? { language, ...texts } : other)))
              }
            />
          </div>
        )
      })}
      <Field label={message('web.admin.rules.add-translation')}>
        {(props) => (
          <select {...props} value="" onChange={({ target }) => target.value !== '' && add(target.value)}>
            <option value="">{message('web.admin.rules.choose-language')}</option>
            {names.map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
    </fieldset>
  )
}
