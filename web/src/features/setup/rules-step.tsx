import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { AdminRule } from '../../lib/api/admin-entities.ts'
import { message } from '../../lib/i18n/messages.ts'
import { TextField } from '../../ui/forms/form-fields.tsx'
import { Icon } from '../../ui/icons/icon.tsx'
import { showToast } from '../../ui/notices/toasts.tsx'
import { addRule, removeRule, reorderRules, rulesQuery } from '../instance/server-rules.ts'
import { Loaded } from './loaded.tsx'
import { StepForm } from './step-form.tsx'
import type { StepProps } from './step-form.tsx'
import { SteadyButton } from '../../ui/forms/steady-button.tsx'
import styles from './setup-wizard.module.css'

const SUGGESTIONS = ['respect', 'hate', 'harassment', 'warnings', 'spam', 'law'] as const
const MAX_RULE_LENGTH = 300

/** The rules of the server. Each change is saved at once. */
export function RulesStep(props: StepProps) {
  const query = useQuery(rulesQuery)
  return <Loaded query={query}>{(rules) => <RulesForm {...props} rules={rules} />}</Loaded>
}

function RulesForm({ rules, onDone, onBack }: StepProps & { rules: readonly AdminRule[] }) {
  const queries = useQueryClient()
  const [text, setText] = useState('')
  const list = useRef<HTMLOListElement>(null)
  const { mutate, isPending } = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onSuccess: () => queries.invalidateQueries({ queryKey: rulesQuery.queryKey }),
    onError: () => showToast({ kind: 'alert', text: message('web.settings.failed') }),
  })
  const addSuggestion = (rule: string) => mutate(() => addRule(rule))
  const addText = () => {
    if (text.trim() === '') return
    // At once, so that the next step does not add it again while the server has not responded.
    setText('')
    mutate(() => addRule(text), { onError: () => setText((current) => (current === '' ? text : current)) })
  }
  const move = (index: number, by: -1 | 1) => {
    const ids = rules.map(({ id }) => id)
    const [moved] = ids.splice(index, 1)
    ids.splice(index + by, 0, moved!)
    mutate(() => reorderRules(ids))
  }
  const remove = ({ id }: AdminRule, index: number) => {
    // A second request, by a double click, would be refused, and the user would read that the first one has failed.
    if (isPending) return
    mutate(() => removeRule(id), {
      onSuccess: () => list.current?.querySelectorAll<HTMLElement>('[data-remove]')[Math.max(0, index - 1)]?.focus(),
    })
  }
  const suggestions = SUGGESTIONS.map((name) => message(`web.setup.rules.${name}`)).filter((suggestion) =>
    rules.every((rule) => rule.text !== suggestion),
  )
  return (
    <StepForm onDone={onDone} onBack={onBack} save={async () => text.trim() !== '' && addRule(text)}>
      <p>{message('web.setup.rules.text')}</p>
      {rules.length > 0 && (
        <ol ref={list} className={styles.list}>
          {rules.map((rule, index) => (
            <li key={rule.id}>
              <span className={styles.grow} dir="auto">
                {index + 1}. {rule.text}
              </span>
              <SteadyButton
                className={`icon-button ${styles.icon} ${styles.up}`}
                aria-label={message('web.setup.rules.up', { rule: rule.text })}
                isUnusable={index === 0 || isPending}
                onClick={() => move(index, -1)}
              >
                <Icon name="back" />
              </SteadyButton>
              <SteadyButton
                className={`icon-button ${styles.icon} ${styles.down}`}
                aria-label={message('web.setup.rules.down', { rule: rule.text })}
                isUnusable={index === rules.length - 1 || isPending}
                onClick={() => move(index, 1)}
              >
                <Icon name="back" />
              </SteadyButton>
              <button
                type="button"
                className={`icon-button ${styles.icon}`}
                data-remove=""
                aria-label={message('web.setup.rules.remove', { rule: rule.text })}
                onClick={() => remove(rule, index)}
              >
                <Icon name="trash" />
              </button>
            </li>
          ))}
        </ol>
      )}
      <div className={styles.adder}>
        <TextField label={message('web.setup.rules.new')} value={text} onChange={setText} maxLength={MAX_RULE_LENGTH} />
        <SteadyButton className="button button-line" isUnusable={isPending} onClick={addText}>
          <Icon name="plus" />
          {message('web.setup.rules.add')}
        </SteadyButton>
      </div>
      {suggestions.length > 0 && (
        <div role="group" aria-label={message('web.setup.rules.suggestions')} className={styles.chips}>
          {suggestions.map((suggestion) => (
            <SteadyButton
              key={suggestion}
              className="button button-line button-small"
              isUnusable={isPending}
              onClick={() => addSuggestion(suggestion)}
            >
              <Icon name="plus" />
              {suggestion}
            </SteadyButton>
          ))}
        </div>
      )}
    </StepForm>
  )
}
