import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { KeyboardEvent } from 'react'
import { message } from '../../lib/i18n/messages.ts'
import { customEmojisQuery, groupEmojis, searchEmojis } from './custom-emojis.ts'
import styles from './emoji-picker.module.css'

/** The custom emojis of the server by category, with a search. Arrow keys move between the emojis. */
export function EmojiPicker({ onPick }: { onPick: (code: string) => void }) {
  const { data: emojis, isError, refetch } = useQuery(customEmojisQuery)
  const [query, setQuery] = useState('')
  if (isError)
    return (
      <p className={styles.notice} role="alert">
        {message('web.emojis.failed')}{' '}
        <button type="button" className="button button-small" onClick={() => void refetch()}>
          {message('web.retry')}
        </button>
      </p>
    )
  if (!emojis) return <p className={styles.notice}>{message('web.loading')}</p>
  if (emojis.length === 0) return <p className={styles.notice}>{message('web.emojis.none')}</p>
  const groups = groupEmojis(searchEmojis(emojis, query))
  return (
    <div className={styles.picker} onKeyDown={moveFocus}>
      <input
        type="search"
        className={styles.search}
        aria-label={message('web.emojis.search')}
        placeholder={message('web.emojis.search')}
        value={query}
        onChange={({ target }) => setQuery(target.value)}
      />
      <div className={styles.groups}>
        {groups.length === 0 && <p className={styles.notice}>{message('web.emojis.not-found')}</p>}
        {groups.map(([category, members]) => (
          <section key={category} aria-label={category ?? message('web.emojis.other')}>
            <h3 className={styles.category}>{category ?? message('web.emojis.other')}</h3>
            <div className={styles.grid}>
              {members.map(({ shortcode, staticUrl }) => (
                <button
                  key={shortcode}
                  type="button"
                  className={styles.emoji}
                  title={`:${shortcode}:`}
                  onClick={() => onPick(`:${shortcode}:`)}
                >
                  <img src={staticUrl} alt={`:${shortcode}:`} loading="lazy" decoding="async" />
                </button>
              ))}
            </div>
          </section>
        ))}
      </div>
    </div>
  )
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const index = buttons.indexOf(document.activeElement as HTMLButtonElement)
  const isSearch = index === -1
  const forward = getComputedStyle(event.currentTarget).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
  const backward = forward === 'ArrowLeft' ? 'ArrowRight' : 'ArrowLeft'
  const next =
    event.key === 'ArrowDown' && isSearch
      ? buttons[0]
      : isSearch
        ? undefined
        : {
            [forward]: buttons[index + 1],
            [backward]: buttons[index - 1],
            ArrowDown: neighbour(buttons, { index, step: 1 }),
            ArrowUp: neighbour(buttons, { index, step: -1 }),
          }[event.key]
  if (!next) return
  event.preventDefault()
  next.focus()
}

/** Returns the nearest button in the row below (`step` 1) or above (−1). */
function neighbour(
  buttons: readonly HTMLButtonElement[],
  { index, step }: { index: number; step: 1 | -1 },
): HTMLButtonElement | undefined {
  const here = buttons[index]!.getBoundingClientRect()
  const others = (step === 1 ? buttons.slice(index) : buttons.slice(0, index).toReversed()).map((button) => ({
    button,
    place: button.getBoundingClientRect(),
  }))
  const row = others.find(({ place }) => place.top !== here.top)?.place.top
  return others
    .filter(({ place }) => place.top === row)
    .toSorted((a, b) => Math.abs(a.place.left - here.left) - Math.abs(b.place.left - here.left))[0]?.button
}
