import { useId } from 'react'
import type { ReactNode } from 'react'
import admin from '../admin.module.css'
import styles from './field.module.css'

/** What the control of a field needs, so that screen readers find its hint and its error. */
interface ControlProps {
  id: string
  className: string | undefined
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

/** A control with its label, a hint, and what is wrong with its value. */
export function Field({
  label,
  hint,
  error,
  children,
}: {
  label: string
  hint?: ReactNode
  error?: string | undefined
  children: (props: ControlProps) => ReactNode
}) {
  const id = useId()
  const described = [error !== undefined && `${id}-error`, hint !== undefined && `${id}-hint`].filter(Boolean)
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      {children({
        id,
        className: admin.field,
        'aria-describedby': described.join(' ') || undefined,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {error !== undefined && (
        <p id={`${id}-error`} className={styles.error}>
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} className={admin.soft}>
          {hint}
        </p>
      )}
    </div>
  )
}

/** A box that is on or off, with a hint, and what is wrong with it. */
export function Switch({
  label,
  hint,
  error,
  isOn,
  isDisabled = false,
  onChange,
}: {
  label: string
  hint?: string
  error?: string | undefined
  isOn: boolean
  isDisabled?: boolean
  onChange: (isOn: boolean) => void
}) {
  const id = useId()
  const described = [error !== undefined && `${id}-error`, hint !== undefined && `${id}-hint`].filter(Boolean)
  return (
    <div className={styles.switch}>
      <input
        id={id}
        type="checkbox"
        checked={isOn}
        disabled={isDisabled}
        aria-describedby={described.join(' ') || undefined}
        aria-invalid={error === undefined ? undefined : true}
        onChange={({ target }) => onChange(target.checked)}
      />
      <label htmlFor={id}>{label}</label>
      {error !== undefined && (
        <p id={`${id}-error`} className={styles.error}>
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} className={admin.soft}>
          {hint}
        </p>
      )}
    </div>
  )
}
