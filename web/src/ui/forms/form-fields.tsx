import { useId } from 'react'
import type { ReactNode } from 'react'
import styles from './form-fields.module.css'

/** Fields below one another. */
export function Fields({ children }: { children: ReactNode }) {
  return <div className={styles.fields}>{children}</div>
}

/** A line of text with its label. `error`: what is wrong with it. */
export function TextField({
  label,
  value,
  onChange,
  hint,
  error,
  maxLength,
  isRequired = false,
  type = 'text',
}: {
  label: string
  value: string
  onChange: (value: string) => void
  hint?: string
  error?: string | undefined
  maxLength?: number
  isRequired?: boolean
  type?: 'text' | 'search'
}) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className={styles.input}
        type={type}
        dir="auto"
        autoComplete="off"
        value={value}
        maxLength={maxLength}
        required={isRequired}
        {...descriptionProps(id, { hint, error })}
        onChange={({ target }) => onChange(target.value)}
      />
      {error && <Problem id={`${id}-error`}>{error}</Problem>}
      {hint && <Hint id={`${id}-hint`}>{hint}</Hint>}
    </div>
  )
}

/** Several lines of text with their label. `error`: what is wrong with them. */
export function TextArea({
  label,
  value,
  onChange,
  hint,
  error,
  maxLength,
  rows = 4,
}: {
  label: string
  value: string
  onChange: (value: string) => void
  hint?: string
  error?: string | undefined
  maxLength?: number
  rows?: number
}) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        className={styles.input}
        dir="auto"
        rows={rows}
        value={value}
        maxLength={maxLength}
        {...descriptionProps(id, { hint, error })}
        onChange={({ target }) => onChange(target.value)}
      />
      {error && <Problem id={`${id}-error`}>{error}</Problem>}
      {hint && <Hint id={`${id}-hint`}>{hint}</Hint>}
    </div>
  )
}

/** A choice between many values in a list that opens. */
export function SelectField({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: string
  options: readonly { value: string; label: string }[]
  onChange: (value: string) => void
}) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <select id={id} className={styles.input} value={value} onChange={({ target }) => onChange(target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  )
}

/** A box that is on or off. */
export function Checkbox({
  label,
  isChecked,
  onChange,
  hint,
}: {
  label: ReactNode
  isChecked: boolean
  onChange: (isChecked: boolean) => void
  hint?: string
}) {
  const id = useId()
  return (
    <div className={styles.check}>
      <input
        id={id}
        type="checkbox"
        checked={isChecked}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={({ target }) => onChange(target.checked)}
      />
      <label htmlFor={id}>{label}</label>
      {hint && <Hint id={`${id}-hint`}>{hint}</Hint>}
    </div>
  )
}

/** A choice between a few values. */
export function Choice<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: Value
  options: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
}) {
  const name = useId()
  return (
    <fieldset className={styles.choice}>
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={styles.option}>
          <input type="radio" name={name} checked={option.value === value} onChange={() => onChange(option.value)} />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}

/** Returns what names the hint and the error of a field for screen readers. */
function descriptionProps(id: string, { hint, error }: { hint: string | undefined; error: string | undefined }) {
  const described = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ')
  return { 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined }
}

function Problem({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p id={id} className={styles.problem}>
      {children}
    </p>
  )
}

function Hint({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p id={id} className={styles.hint}>
      {children}
    </p>
  )
}
