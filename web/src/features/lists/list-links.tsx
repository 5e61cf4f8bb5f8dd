import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { message } from '../../lib/i18n/messages.ts'
import { Icon } from '../../ui/icons/icon.tsx'
import { listsQuery } from './list-queries.ts'
import styles from './list-links.module.css'

/** More lists than these are only on the page of lists. */
const MAX_LISTS = 5

/** Links to the first lists of the user, for the navigation. They stand below the rest, which they do not move. */
export function ListLinks() {
  const { data: lists = [] } = useQuery(listsQuery)
  if (lists.length === 0) return null
  return (
    <nav className={styles.lists} aria-label={message('web.list.lists')}>
      <ul>
        {lists.slice(0, MAX_LISTS).map(({ id, title }) => (
          <li key={id}>
            <Link to="/lists/$id" params={{ id }} className={styles.link} title={title}>
              <Icon name="list" />
              <bdi className={styles.title}>{title}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
