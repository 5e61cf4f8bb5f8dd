import { useEffect, useId, useRef } from 'react'
import { earliestTime } from '../../../lib/i18n/local-time.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { Icon } from '../../../ui/icons/icon.tsx'
import { isTooEarly } from '../check-draft.ts'
import type { ComposerState } from '../composer-state.ts'
import styles from './schedule-field.module.css'

/** When the server publishes the post. */
export function ScheduleField({
  state,
  scheduledAt,
  onRemove,
}: {
  state: ComposerState
  scheduledAt: string
  onRemove: () => void
}) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const isInvalid = isTooEarly(scheduledAt)
  useEffect(() => field.current?.focus(), [])
  return (
    <div className={styles.schedule}>
      <label htmlFor={id}>{message('web.composer.schedule-time')}</label>
      <span className={styles.row}>
        <input
          ref={field}
          id={id}
          type="datetime-local"
          min={earliestTime()}
          required
          aria-invalid={isInvalid}
          aria-describedby={isInvalid ? `${id}-error` : undefined}
          value={scheduledAt}
          onChange={({ target }) => state.change({ scheduledAt: target.value })}
        />
        <button
          type="button"
          className={styles.remove}
          aria-label={message('web.composer.schedule-remove')}
          title={message('web.composer.schedule-remove')}
          onClick={onRemove}
        >
          <Icon name="close" />
        </button>
      </span>
      {isInvalid && (
        <p id={`${id}-error`} className={styles.error}>
          {message('web.composer.schedule-too-early')}
        </p>
      )}
    </div>
  )
}
