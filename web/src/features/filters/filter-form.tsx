import { MastoHttpError } from 'masto'
import { useId, useState } from 'react'
import type { Filter, FilterContext } from '../../lib/api/entities.ts'
import { formatDuration, formatFullTime } from '../../lib/i18n/formats.ts'
import { message } from '../../lib/i18n/messages.ts'
import { useDraft } from '../../lib/store/use-draft.ts'
import { Checkbox, Choice, Fields, TextField } from '../../ui/forms/form-fields.tsx'
import { Icon } from '../../ui/icons/icon.tsx'
import { ACTIONS, CONTEXTS, isExpired } from './filter-queries.ts'
import type { FilterSettings } from './filter-queries.ts'
import { createRow, findKeywordChanges, toRow } from './keyword-changes.ts'
import type { KeywordRow } from './keyword-changes.ts'
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
  const { keywords = [] } = filter ?? {}
  const {
    value: { title, contexts, action, expiry, rows },
    isChanged,
    change: setDraft,
    reset,
  } = useDraft(`filter-${filter?.id ?? firstKeyword}`, draftOf(filter, firstKeyword))
  const change = (part: Partial<FilterDraft>) => setDraft({ title, contexts, action, expiry, rows, ...part })
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
      reset()
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
          onChange={(next) => change({ title: next })}
        />
        <KeywordFields rows={rows} onChange={(next) => change({ rows: next })} />
        <fieldset className={styles.group}>
          <legend>{message('web.filters.contexts')}</legend>
          {CONTEXTS.map((context) => (
            <Checkbox
              key={context}
              label={message(`web.filters.context-${context}`)}
              isChecked={contexts.includes(context)}
              onChange={(isChecked) =>
                change({
                  contexts: isChecked ? [...contexts, context] : contexts.filter((other) => other !== context),
                })
              }
            />
          ))}
        </fieldset>
        <Choice
          label={message('web.filters.action')}
          value={action}
          options={ACTIONS.map((value) => ({ value, label: message(`web.filters.action-${value}`) }))}
          onChange={(next) => change({ action: next })}
        />
        <ExpiryField filter={filter} value={expiry} onChange={(next) => change({ expiry: next })} />
      </Fields>
      <div role="alert">
        {error !== null && (
          <p className={styles.error}>
            <Icon name="warning" />
            <span>{error}</span>
          </p>
        )}
      </div>
      <p className={styles.actions}>
        {isChanged && (
          <button
            type="button"
            className="button button-line"
            onClick={({ currentTarget }) => {
              currentTarget.closest('form')?.querySelector<HTMLElement>('[type=submit]')?.focus()
              reset()
            }}
          >
            {message('web.edit-profile.discard')}
          </button>
        )}
        <SteadyButton type="submit" className="button" isUnusable={isSaving || title.trim() === ''}>
          {message(filter ? 'web.filters.save' : 'web.filters.create')}
        </SteadyButton>
      </p>
    </form>
  )
}

/** What the form contains. It outlives the page until it is saved or discarded. */
interface FilterDraft {
  title: string
  contexts: readonly FilterContext[]
  action: Filter['filterAction']
  expiry: string
  rows: KeywordRow[]
}

function draftOf(filter: Filter | undefined, firstKeyword: string): FilterDraft {
  const { keywords = [] } = filter ?? {}
  return {
    title: filter?.title ?? firstKeyword,
    contexts: filter?.context ?? CONTEXTS,
    action: filter?.filterAction ?? 'warn',
    expiry: filter?.expiresAt ? KEEP : NEVER,
    rows: keywords.length > 0 ? keywords.map(toRow) : [createRow(firstKeyword)],
  }
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
