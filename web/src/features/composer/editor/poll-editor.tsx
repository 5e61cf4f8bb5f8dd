import { useId } from 'react'
import type { KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import type { Instance } from '../../../lib/api/entities.ts'
import { formatDuration } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { Icon } from '../../../ui/icons/icon.tsx'
import type { DraftPoll } from '../../drafts/draft.ts'
import type { ComposerState } from '../composer-state.ts'
import styles from './poll-editor.module.css'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const DURATIONS = [5 * MINUTE, 30 * MINUTE, HOUR, 6 * HOUR, 12 * HOUR, DAY, 3 * DAY, 7 * DAY, 14 * DAY, 30 * DAY]
const MIN_OPTIONS = 2

/** A new poll, with Mastodon's defaults. */
export const NEW_POLL: DraftPoll = { options: ['', ''], expiresIn: DAY, multiple: false, hideTotals: false }

/** The options and settings of a poll. */
export function PollEditor({
  state,
  postKey,
  poll,
  limits,
}: {
  state: ComposerState
  postKey: string
  poll: DraftPoll
  limits: Instance['configuration']['polls']
}) {
  const id = useId()
  const change = (next: Partial<DraftPoll>) => state.changePost(postKey, { poll: { ...poll, ...next } })
  const optionId = (index: number) => `${id}-${index}`
  const focusOption = (index: number) => document.querySelector<HTMLElement>(`#${CSS.escape(optionId(index))}`)?.focus()
  const add = () => {
    flushSync(() => change({ options: [...poll.options, ''] }))
    focusOption(poll.options.length)
  }
  const remove = (index: number) => {
    flushSync(() => change({ options: poll.options.toSpliced(index, 1) }))
    focusOption(Math.max(0, index - 1))
  }
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    if (event.key === 'Backspace' && poll.options[index] === '' && poll.options.length > MIN_OPTIONS) {
      event.preventDefault()
      remove(index)
    }
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (index < poll.options.length - 1) focusOption(index + 1)
    else if (poll.options.length < limits.maxOptions) add()
  }
  const isOther = (seconds: number) => formatDuration(seconds) !== formatDuration(poll.expiresIn)
  const durations = [...DURATIONS.filter(isOther), poll.expiresIn]
    .filter((seconds) => seconds >= limits.minExpiration && seconds <= limits.maxExpiration)
    .toSorted((a, b) => a - b)
  return (
    <fieldset className={styles.poll}>
      <legend className="unseen">{message('web.composer.poll')}</legend>
      {poll.options.map((option, index) => (
        // Options have no identity but their place.
        <p key={index} className={styles.option}>
          <span className={styles.mark} data-multiple={poll.multiple || undefined} aria-hidden="true" />
          <input
            id={optionId(index)}
            type="text"
            aria-label={message('web.composer.poll-option', { index: index + 1 })}
            placeholder={message('web.composer.poll-option', { index: index + 1 })}
            dir="auto"
            maxLength={limits.maxCharactersPerOption}
            value={option}
            onChange={({ target }) => change({ options: poll.options.with(index, target.value) })}
            onKeyDown={(event) => onKeyDown(event, index)}
          />
          {poll.options.length > MIN_OPTIONS && (
            <button
              type="button"
              className={styles.remove}
              aria-label={message('web.composer.poll-remove-option', { index: index + 1 })}
              title={message('web.composer.poll-remove-option', { index: index + 1 })}
              onClick={() => remove(index)}
            >
              <Icon name="close" />
            </button>
          )}
        </p>
      ))}
      {poll.options.length < limits.maxOptions && (
        <button type="button" className="button button-line button-small" onClick={add}>
          <Icon name="plus" />
          {message('web.composer.poll-add-option')}
        </button>
      )}
      <div className={styles.settings}>
        <label className={styles.duration}>
          {message('web.composer.poll-duration')}
          <select value={poll.expiresIn} onChange={({ target }) => change({ expiresIn: Number(target.value) })}>
            {durations.map((seconds) => (
              <option key={seconds} value={seconds}>
                {formatDuration(seconds)}
              </option>
            ))}
          </select>
        </label>
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={poll.multiple}
            onChange={({ target }) => change({ multiple: target.checked })}
          />
          {message('web.composer.poll-multiple')}
        </label>
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={poll.hideTotals}
            onChange={({ target }) => change({ hideTotals: target.checked })}
          />
          {message('web.composer.poll-hide-totals')}
        </label>
      </div>
      {state.draft.context.type === 'edit' && <p className={styles.hint}>{message('web.composer.poll-edit-hint')}</p>}
    </fieldset>
  )
}
