import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { message } from '../../lib/i18n/messages.ts'
import { Icon } from '../../ui/icons/icon.tsx'
import { recentSearchesQuery, removeRecentSearch } from './recent-searches.ts'
import styles from './search-start.module.css'

/** What the page of searches shows before the first one: the recent searches. */
export function RecentSearches() {
  const { data: recent = [] } = useQuery(recentSearchesQuery)
  const client = useQueryClient()
  const list = useRef<HTMLUListElement>(null)
  if (recent.length === 0) return null
  const remove = async (query: string, index: number) => {
    client.setQueryData(recentSearchesQuery.queryKey, await removeRecentSearch(query))
    const buttons = list.current?.querySelectorAll<HTMLElement>('button')
    ;(buttons?.[index] ?? buttons?.[index - 1] ?? document.querySelector<HTMLElement>('#search-field'))?.focus()
  }
  return (
    <section className={styles.section} aria-labelledby="recent-searches">
      <h2 id="recent-searches">{message('web.search.recent')}</h2>
      <ul ref={list}>
        {recent.map((query, index) => (
          <li key={query} className={styles.recent}>
            <Link to="/search" search={{ q: query }} className={styles.link} dir="auto">
              <Icon name="clock" />
              <span>{query}</span>
            </Link>
            <button
              type="button"
              className={`icon-button ${styles.remove}`}
              aria-label={message('web.search.remove-recent', { query })}
              onClick={() => void remove(query, index)}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
