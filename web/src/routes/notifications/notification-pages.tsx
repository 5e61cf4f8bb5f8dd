import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { isMissing } from '../../lib/api/is-missing.ts'
import { message } from '../../lib/i18n/messages.ts'
import { PinButton } from '../../features/columns/pin-button.tsx'
import { NotificationList } from '../../features/notifications/list/notification-list.tsx'
import { NotificationMenu } from '../../features/notifications/list/notification-menu.tsx'
import { policyQuery, requestQuery } from '../../features/notifications/notification-queries.ts'
import { useRequestDecision } from '../../features/notifications/requests/request-actions.ts'
import type { RequestDecision } from '../../features/notifications/requests/request-actions.ts'
import { DecisionButtons, RequestList } from '../../features/notifications/requests/request-list.tsx'
import { StatusSkeletons } from '../../features/statuses/card/status-skeleton.tsx'
import { Icon } from '../../ui/icons/icon.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { TabBar } from '../../ui/menus/tab-bar.tsx'
import { useScrollPosition } from '../../ui/lists/use-scroll-position.ts'
import styles from './notification-pages.module.css'

const TABS = [undefined, 'conversations', 'activity'] as const

export function NotificationsPage() {
  const { tab } = useSearch({ from: '/notifications' })
  const title = message('web.nav.notifications')
  useScrollPosition()
  return (
    <>
      <PageHead title={title}>
        <PinButton />
        <NotificationMenu />
      </PageHead>
      <TabBar label={message('web.notifications.tabs')}>
        {TABS.map((name) => (
          <Link
            key={name ?? 'all'}
            to="/notifications"
            search={{ tab: name }}
            activeOptions={{ exact: true }}
            aria-current={name === tab ? 'page' : undefined}
          >
            {message(`web.notifications.tab.${name ?? 'all'}`)}
          </Link>
        ))}
      </TabBar>
      <PendingRequests />
      <NotificationList key={tab} name={{ tab: tab ?? 'all' }} label={title} />
    </>
  )
}

/** A link to the filtered notifications, if there are any. */
function PendingRequests() {
  const { data: policy } = useQuery(policyQuery)
  const count = policy?.summary.pendingRequestsCount ?? 0
  if (count === 0) return null
  return (
    <Link to="/notifications/requests" className={styles.pending}>
      <Icon name="people" />
      <span>
        <strong>{message('web.notifications.requests')}</strong>{' '}
        <span className={styles.soft}>{message('web.notifications.filtered-count', { count })}</span>
      </span>
      <Icon name="forward" />
    </Link>
  )
}

export function NotificationRequestsPage() {
  useScrollPosition()
  return (
    <>
      <PageHead title={message('web.notifications.requests')} back />
      <RequestList />
    </>
  )
}

export function NotificationRequestPage() {
  const { id } = useParams({ from: '/notifications/requests/$id' })
  const { data: request, isError, error, refetch } = useQuery(requestQuery(id))
  const decide = useRequestDecision()
  const navigate = useNavigate()
  useScrollPosition()
  const name = request ? `@${request.account.acct}` : ''
  const title = request ? message('web.notifications.from', { name }) : message('web.notifications.requests')
  const decideAndLeave = (decision: RequestDecision) => {
    decide(decision, [id])
    void navigate({ to: '/notifications/requests', replace: true })
  }
  return (
    <>
      <PageHead title={title} back>
        {request && (
          <span className={styles.decision}>
            <DecisionButtons name={name} onDecide={decideAndLeave} />
          </span>
        )}
      </PageHead>
      {isMissing(error) ? (
        <Notice icon="search" title={message('web.not-found')} />
      ) : (
        isError && (
          <Notice icon="warning" title={message('web.notifications.requests-failed')} role="alert">
            <button type="button" className="button" onClick={() => void refetch()}>
              {message('web.retry')}
            </button>
          </Notice>
        )
      )}
      {!request && !isError && <StatusSkeletons />}
      {request && <NotificationList name={{ fromAccountId: request.account.id }} label={title} />}
    </>
  )
}
