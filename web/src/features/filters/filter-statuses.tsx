import { useRef } from 'react'
import type { Filter, FilterStatus } from '../../lib/api/entities.ts'
import { message } from '../../lib/i18n/messages.ts'
import { DisplayName } from '../../ui/accounts/display-name.tsx'
import { showToast } from '../../ui/notices/toasts.tsx'
import { useStatus } from '../statuses/content/use-status.ts'
import { StatusExcerpt } from '../statuses/content/status-excerpt.tsx'
import { useFilterChanges } from './filter-queries.ts'
import styles from './filter-statuses.module.css'

/** The posts that a filter has of their own, without regard to its keywords. */
export function FilterStatuses({ filter: { id, statuses = [] } }: { filter: Filter }) {
  const { removeStatus } = useFilterChanges()
  const list = useRef<HTMLUListElement>(null)
  if (statuses.length === 0) return null
  const remove = async (entry: FilterStatus, index: number) => {
    try {
      await removeStatus(id, entry)
      const buttons = list.current?.querySelectorAll('button') ?? []
      ;(buttons[index] ?? buttons[index - 1] ?? document.querySelector<HTMLElement>('main h1'))?.focus()
    } catch {
      showToast({
        kind: 'alert',
        text: message('web.filters.remove-status-failed'),
        action: { label: message('web.retry'), run: () => void remove(entry, index) },
      })
    }
  }
  return (
    <section className={styles.statuses} aria-labelledby="filter-statuses">
      <h2 id="filter-statuses">{message('web.filters.statuses')}</h2>
      <ul ref={list}>
        {statuses.map((entry, index) => (
          <li key={entry.id} className={styles.row}>
            <Entry statusId={entry.statusId} />
            <button
              type="button"
              className="button button-line button-small"
              aria-label={message('web.filters.remove-status', { index: index + 1 })}
              onClick={() => void remove(entry, index)}
            >
              {message('web.filters.remove')}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Entry({ statusId }: { statusId: string }) {
  const status = useStatus(statusId)
  if (!status) return <p className={styles.text}>{message('web.filters.status-hidden')}</p>
  return (
    <div className={styles.text}>
      <p className={styles.author}>
        <DisplayName account={status.account} /> <bdi>@{status.account.acct}</bdi>
      </p>
      <StatusExcerpt status={status} />
    </div>
  )
}
