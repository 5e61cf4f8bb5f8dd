import { message } from '../../../../lib/i18n/messages.ts'
import styles from './form-actions.module.css'

/** The buttons of a form on a page, which stay in sight while something is not saved. */
export function FormActions({
  isChanged,
  isBusy,
  failure,
  submit = message('web.admin.save'),
  onDiscard,
}: {
  isChanged: boolean
  isBusy: boolean
  failure: string
  submit?: string
  onDiscard: () => void
}) {
  return (
    <div className={styles.bar} data-changed={isChanged || undefined}>
      <p className={styles.failure} role="alert">
        {failure}
      </p>
      <p className={styles.actions}>
        <button type="submit" className="button" disabled={isBusy || !isChanged}>
          {submit}
        </button>
        <button
          type="button"
          className="button button-line"
          disabled={isBusy || !isChanged}
          onClick={({ currentTarget }) => {
            currentTarget.form?.querySelector<HTMLElement>('input, textarea, select')?.focus({ preventScroll: true })
            onDiscard()
          }}
        >
          {message('web.admin.discard')}
        </button>
        {isChanged && <span className={styles.note}>{message('web.admin.unsaved')}</span>}
      </p>
    </div>
  )
}
