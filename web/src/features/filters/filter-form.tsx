import { MastoHttpError } from 'masto'
import { useId, useState } from 'react'
import type { Filter, FilterContext } from '../../lib/api/entities.ts'
import { formatDuration, formatFullTime } from '../../lib/i18n/formats.ts'
import { message } from '../../lib/i18n/messages.ts'
import { Checkbox, Choice, Fields, TextField } from '../../ui/forms/form-fields.tsx'
import { Icon } from '../../ui/icons/icon.tsx'
import { ACTIONS, CONTEXTS, isExpired } from './filter-queries.ts'
import type { FilterSettings } from './filter-queries.ts'
import { createRow, findKeywordChanges, toRow } from './keyword-changes.ts'
import { KeywordFields } from './keyword-fields.tsx'
import { SteadyButton } from '../../ui/forms/steady-button.tsx'
import styles from './filter-form.module.css'

const MAX_TITLE_CHARACTERS = 256
const HOUR = 3_600
const DAY = 24 * HOUR
const DURATIONS = [HOUR / 2, HOUR, 6 * HOUR, 12 * HOUR, DAY, 7 * DAY, 30 * DAY]
const NEVER = '0'
/** The filter expires when it did before. */
const KEEP = ''

/**
 * The settings of a filter, which `filter` has already, or of a new one, with a first keyword. `onSave` throws the error
 * of the request.
 */
export function FilterForm({
  filter,
  firstKeyword = '',
  onSave,
}: {
  filter?: Filter
  firstKeyword?: string
  onSave: (settings: FilterSettings) => Promise<void>
}) {
  const [title, setTitle] = useState(filter?.title ?? firstKeyword)
  const [contexts, setContexts] = useState<readonly FilterContext[]>(filter?.context ?? CONTEXTS)
  const [action, setAction] = useState<Filter['filterAction']>(filter?.filterAction ?? 'warn')
  const [expiry, setExpiry] = useState(filter?.expiresAt ? KEEP : NEVER)
  const { keywords = [] } = filter ?? {}
  const [rows, setRows] = useState(() => (keywords.length > 0 ? keywords.map(toRow) : [createRow(firstKeyword)]))
  const [isSaving, setIsSaving] = useState(false)
  const [error, setError] = useState<string | null>(null)

  const save = async () => {
    setError(null)
    if (contexts.length === 0) return setError(message('web.filters.context-missing'))
    setIsSaving(true)
    try {
      await onSave({
        title: title.trim(),
        context: CONTEXTS.filter((context) => contexts.includes(context)),
        filterAction: action,
        keywordsAttributes: findKeywordChanges(keywords, rows),
        ...(expiry === KEEP ? {} : { expiresIn: Number(expiry) }),
      })
    } catch (cause) {
      setError(
        cause instanceof MastoHttpError && cause.statusCode < 500 ? cause.message : message('web.filters.failed'),
      )
      setIsSaving(false)
    }
  }

  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Fields>
        <TextField
          label={message('web.filters.name')}
          value={title}
          maxLength={MAX_TITLE_CHARACTERS}
          isRequired
          onChange={setTitle}
        />
        <KeywordFields rows={rows} onChange={setRows} />
        <fieldset className={styles.group}>
          <legend>{message('web.filters.contexts')}</legend>
          {CONTEXTS.map((context) => (
            <Checkbox
              key={context}
              label={message(`web.filters.context-${context}`)}
              isChecked={contexts.includes(context)}
              onChange={(isChecked) =>
                setContexts(isChecked ? [...contexts, context] : contexts.filter((other) => other !== context))
              }
            />
          ))}
        </fieldset>
        <Choice
          label={message('web.filters.action')}
          value={action}
          options={ACTIONS.map((value) => ({ value, label: message(`web.filters.action-${value}`) }))}
          onChange={setAction}
        />
        <ExpiryField filter={filter} value={expiry} onChange={setExpiry} />
      </Fields>
      <div role="alert">
        {error !== null && (
          <p className={styles.error}>
            <Icon name="warning" />
            <span>{error}</span>
          </p>
        )}
      </div>
      <p>
        <SteadyButton type="submit" className="button" isUnusable={isSaving || title.trim() === ''}>
          {message(filter ? 'web.filters.save' : 'web.filters.create')}
        </SteadyButton>
      </p>
    </form>
  )
}

function ExpiryField({
  filter,
  value,
  onChange,
}: {
  filter: Filter | undefined
  value: string
  onChange: (value: string) => void
}) {
  const id = useId()
  const time = filter?.expiresAt ? formatFullTime(new Date(filter.expiresAt)) : null
  return (
    <div className={styles.group}>
      <label htmlFor={id}>{message('web.filters.expiry')}</label>
      <select id={id} className={styles.select} value={value} onChange={({ target }) => onChange(target.value)}>
        {filter && time && (
          <option value={KEEP}>
            {message(isExpired(filter) ? 'web.filters.expired-at' : 'web.filters.expires-at', { time })}
          </option>
        )}
        <option value={NEVER}>{message('web.filters.never')}</option>
        {DURATIONS.map((seconds) => (
          <option key={seconds} value={seconds}>
            {message('web.filters.expires-after', { duration: formatDuration(seconds) })}
          </option>
        ))}
      </select>
    </div>
  )
}
