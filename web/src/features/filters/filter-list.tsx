import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Filter } from '../../lib/api/entities.ts'
import { formatFullTime } from '../../lib/i18n/formats.ts'
import { message } from '../../lib/i18n/messages.ts'
import { Icon } from '../../ui/icons/icon.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { LoadingFailed } from '../../ui/lists/paged-list.tsx'
import { AccountSkeletons } from '../accounts/lists/account-skeletons.tsx'
import { filtersQuery, isExpired } from './filter-queries.ts'
import styles from './filter-list.module.css'

/** The filters of the user. */
export function FilterList() {
  const { data, isError, refetch } = useQuery(filtersQuery)
  if (!data) return isError ? <LoadingFailed retry={() => void refetch()} /> : <AccountSkeletons count={3} />
  if (data.length === 0)
    return (
      <Notice icon="hidden" title={message('web.filters.empty')}>
        <p>{message('web.filters.empty-hint')}</p>
      </Notice>
    )
  return (
    <>
      <p className={styles.lead}>{message('web.filters.lead')}</p>
      <ul aria-label={message('web.settings.page.filters')}>
        {data.map((filter) => (
          <li key={filter.id} className={styles.row} data-expired={isExpired(filter) || undefined}>
            <Link to="/filters/$id/edit" params={{ id: filter.id }} className={styles.link}>
              <Icon name="hidden" />
              <span className={styles.texts}>
                <bdi className={styles.title}>{filter.title}</bdi>
                <span className={styles.summary}>{summaryOf(filter)}</span>
              </span>
              <span className={styles.arrow}>
                <Icon name="forward" />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Returns what a filter does, in one line. */
function summaryOf(filter: Filter): string {
  const { filterAction, keywords = [], statuses = [], expiresAt } = filter
  const time = expiresAt && formatFullTime(new Date(expiresAt))
  return [
    message(`web.filters.action-${filterAction}`),
    ...(keywords.length > 0 ? [message('web.filters.keyword-count', { count: keywords.length })] : []),
    ...(statuses.length > 0 ? [message('web.filters.status-count', { count: statuses.length })] : []),
    ...(time ? [message(isExpired(filter) ? 'web.filters.expired-at' : 'web.filters.expires-at', { time })] : []),
  ].join(' · ')
}
