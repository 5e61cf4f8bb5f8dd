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
        {/* Not disabled, so that they keep the focus. */}
        <button
          type="submit"
          className="button"
          aria-disabled={isBusy || !isChanged}
          onClick={(event) => isChanged || event.preventDefault()}
        >
          {submit}
        </button>
        <button
          type="button"
          className="button button-line"
          aria-disabled={isBusy || !isChanged}
          onClick={() => isBusy || onDiscard()}
        >
          {message('web.admin.discard')}
        </button>
        {isChanged && <span className={styles.note}>{message('web.admin.unsaved')}</span>}
      </p>
    </div>
  )
}
