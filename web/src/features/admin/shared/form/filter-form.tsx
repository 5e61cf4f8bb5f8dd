import { Fragment, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { message } from '../../../../lib/i18n/messages.ts'
import admin from '../admin.module.css'
import styles from './filter-form.module.css'

/** Where the fields do not leave the list below them out of sight. */
const WIDE = '(width >= 48rem)'

/**
 * The filters of a list, which are part of the URL. A choice applies at once, a text by Enter or the button. `filters`:
 * those of the URL; other ones replace the fields.
 */
export function FilterForm({
  filters,
  isActive,
  onApply,
  onReset,
  children,
}: {
  filters: object
  /** Whether any filter is set. */
  isActive: boolean
  onApply: (values: Record<string, FormDataEntryValue>) => void
  onReset: () => void
  children: ReactNode
}) {
  const details = useRef<HTMLDetailsElement>(null)
  const form = useRef<HTMLFormElement>(null)
  /** The name of the field that had the focus when its value was applied. */
  const applied = useRef<string | null>(null)
  const [isOpenAtFirst] = useState(isActive || matchMedia(WIDE).matches)
  const [resets, setResets] = useState(0)
  const state = `${resets} ${JSON.stringify(filters)}`
  useEffect(() => {
    if (isActive && details.current) details.current.open = true
  }, [isActive])
  useLayoutEffect(() => {
    const field = form.current?.elements.namedItem(applied.current ?? '')
    if (field instanceof HTMLElement) field.focus()
    applied.current = null
  }, [state])
  return (
    <details ref={details} className={styles.filters} open={isOpenAtFirst}>
      <summary className={styles.summary}>{message('web.admin.filter')}</summary>
      <form
        ref={form}
        className={styles.form}
        role="search"
        aria-label={message('web.admin.filter')}
        onSubmit={(event) => {
          event.preventDefault()
          applied.current = document.activeElement?.getAttribute('name') ?? null
          onApply(Object.fromEntries(new FormData(event.currentTarget)))
        }}
      >
        <Fragment key={state}>{children}</Fragment>
        <p className={`${admin.actions} ${styles.actions}`}>
          <button type="submit" className="button button-small">
            {message('web.admin.accounts.apply')}
          </button>
          <button
            type="button"
            className="button button-line button-small"
            onClick={() => {
              // Also clears what was not applied.
              setResets(resets + 1)
              onReset()
            }}
          >
            {message('web.admin.accounts.reset')}
          </button>
        </p>
      </form>
    </details>
  )
}

/** A filter with a few values; the first choice is `all`. */
export function FilterChoice({
  name,
  label,
  value,
  all = message('web.admin.accounts.all'),
  options,
}: {
  name: string
  label: string
  value: string | undefined
  all?: string
  options: readonly (readonly [value: string, label: string])[]
}) {
  return (
    <label className={admin.label}>
      {label}
      {/* The options may arrive later than the value. */}
      <select
        key={options.length}
        className={admin.field}
        name={name}
        defaultValue={value ?? ''}
        onChange={({ target }) => target.form?.requestSubmit()}
      >
        <option value="">{all}</option>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

export function FilterText({ name, label, value }: { name: string; label: string; value: string | undefined }) {
  return (
    <label className={admin.label}>
      {label}
      <input
        className={admin.field}
        name={name}
        dir="auto"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={value}
      />
    </label>
  )
}
