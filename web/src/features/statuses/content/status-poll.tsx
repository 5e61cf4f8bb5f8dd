import { MastoHttpError } from 'masto'
import { useId, useRef, useState } from 'react'
import type { CustomEmoji, Poll } from '../../../lib/api/entities.ts'
import { renderEmojis } from '../../../lib/html/render-html.tsx'
import { formatDistance, formatNumber, formatPercent } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { announce } from '../../../ui/notices/announcer.ts'
import { Icon } from '../../../ui/icons/icon.tsx'
import { showToast } from '../../../ui/notices/toasts.tsx'
import { refreshPoll, vote } from './poll-actions.ts'
import styles from './status-poll.module.css'

/** The poll of a status: options to vote for, or the results. */
export function StatusPoll({ statusId, poll }: { statusId: string; poll: Poll }) {
  const container = useRef<HTMLDivElement>(null)
  const isVoting = useRef(false)
  const [wantsResults, setWantsResults] = useState(false)
  const canVote = !poll.voted && !poll.expired
  const showsResults = !canVote || wantsResults
  const emojis = new Map(poll.emojis.map((emoji) => [emoji.shortcode, emoji]))
  /** The poll has ended, or the user has voted already, perhaps by a request whose response was lost. */
  const showRefusal = async ({ message: text }: MastoHttpError) => {
    await refreshPoll({ statusId, pollId: poll.id }).catch(() => undefined)
    showToast({ kind: 'alert', text })
    container.current?.focus()
  }
  const submit = async (choices: readonly number[]) => {
    // A second vote, by a double click, would be refused, and the user would read that voting has failed.
    if (isVoting.current) return
    isVoting.current = true
    try {
      await vote({ statusId, pollId: poll.id, choices })
      announce(message('web.poll.counted'))
      container.current?.focus()
    } catch (error) {
      if (error instanceof MastoHttpError && error.statusCode === 422) return await showRefusal(error)
      showToast({
        kind: 'alert',
        text: message('web.poll.vote-failed'),
        action: { label: message('web.retry'), run: () => void submit(choices) },
      })
    } finally {
      isVoting.current = false
    }
  }
  return (
    <div ref={container} className={styles.poll} role="group" aria-label={message('web.poll.label')} tabIndex={-1}>
      {showsResults ? (
        <Results poll={poll} emojis={emojis} />
      ) : (
        <Ballot poll={poll} emojis={emojis} onVote={(choices) => void submit(choices)} />
      )}
      <p className={styles.foot}>
        {canVote && (
          <button type="button" className={styles.link} onClick={() => setWantsResults(!wantsResults)}>
            {message(wantsResults ? 'web.poll.back-to-vote' : 'web.poll.show-results')}
          </button>
        )}
        {!poll.expired && showsResults && <Refresh statusId={statusId} pollId={poll.id} />}
        <span>{describeCount(poll)}</span>
        <span>{describeEnd(poll)}</span>
      </p>
    </div>
  )
}

type Emojis = ReadonlyMap<string, CustomEmoji>

function Ballot({
  poll: { multiple, options },
  emojis,
  onVote,
}: {
  poll: Poll
  emojis: Emojis
  onVote: (choices: readonly number[]) => void
}) {
  const name = useId()
  const [choices, setChoices] = useState<readonly number[]>([])
  const choose = (index: number, isChosen: boolean) =>
    setChoices([...(multiple ? choices.filter((choice) => choice !== index) : []), ...(isChosen ? [index] : [])])
  return (
    <form
      className={styles.options}
      onSubmit={(event) => {
        event.preventDefault()
        onVote(choices)
      }}
    >
      {options.map(({ title }, index) => (
        <label key={index} className={styles.choice}>
          <input
            type={multiple ? 'checkbox' : 'radio'}
            name={name}
            checked={choices.includes(index)}
            onChange={({ target }) => choose(index, target.checked)}
          />
          <bdi>{renderEmojis(title, emojis)}</bdi>
        </label>
      ))}
      <button type="submit" className="button button-small" disabled={choices.length === 0}>
        {message('web.poll.vote')}
      </button>
    </form>
  )
}

function Results({ poll: { options, votesCount, votersCount, ownVotes }, emojis }: { poll: Poll; emojis: Emojis }) {
  const total = votersCount ?? votesCount
  const most = Math.max(...options.map((option) => option.votesCount ?? 0))
  return (
    <ul className={styles.options}>
      {options.map(({ title, votesCount: votes }, index) => {
        const fraction = votes === null || total === 0 ? 0 : Math.min(1, votes / total)
        return (
          <li key={index} className={styles.result} data-leading={votes !== null && votes > 0 && votes === most}>
            <span className={styles.title}>
              <bdi>{renderEmojis(title, emojis)}</bdi>
              {ownVotes?.includes(index) && (
                <span className={styles.own} title={message('web.poll.own-vote')}>
                  <Icon name="check" />
                  <span className="unseen">{message('web.poll.own-vote')}</span>
                </span>
              )}
            </span>
            {votes !== null && <strong title={formatNumber(votes)}>{formatPercent(fraction)}</strong>}
            <span className={styles.track}>
              <span className={styles.bar} style={{ width: `${fraction * 100}%` }} />
            </span>
          </li>
        )
      })}
    </ul>
  )
}

function Refresh({ statusId, pollId }: { statusId: string; pollId: string }) {
  const refresh = async () => {
    try {
      await refreshPoll({ statusId, pollId })
      announce(message('web.poll.refreshed'))
    } catch {
      showToast({ kind: 'alert', text: message('web.poll.refresh-failed') })
    }
  }
  return (
    <button type="button" className={styles.link} onClick={() => void refresh()}>
      {message('web.poll.refresh')}
    </button>
  )
}

function describeCount({ multiple, votersCount, votesCount }: Poll): string {
  return multiple && votersCount !== null
    ? message('web.poll.voters', { number: votersCount, count: formatNumber(votersCount) })
    : message('web.poll.votes', { number: votesCount, count: formatNumber(votesCount) })
}

function describeEnd({ expired, expiresAt }: Poll): string {
  if (expired) return message('web.poll.closed')
  const [end, now] = [new Date(expiresAt ?? Number.NaN), new Date()]
  // The server decides when it has ended: the clock of the device may be wrong.
  return end > now ? message('web.poll.closes', { time: formatDistance(end, now) }) : ''
}
