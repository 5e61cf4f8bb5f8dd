import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { NotificationRequest } from '../../../lib/api/entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { useEntity } from '../../../lib/store/use-entity.ts'
import { Avatar } from '../../../ui/accounts/avatar.tsx'
import { DisplayName } from '../../../ui/accounts/display-name.tsx'
import { Icon } from '../../../ui/icons/icon.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import { PageEnd } from '../../../ui/lists/page-end.tsx'
import { StatusSkeletons } from '../../statuses/card/status-skeleton.tsx'
import { excerptOf } from '../../statuses/content/status-text.ts'
import { statusStore } from '../../statuses/status-store.ts'
import { requestsQuery } from '../notification-queries.ts'
import { useRequestDecision } from './request-actions.ts'
import type { RequestDecision } from './request-actions.ts'
import styles from './request-list.module.css'

/** The accounts whose notifications the policy filters. Each can be opened before it is accepted. */
export function RequestList() {
  const query = useInfiniteQuery(requestsQuery)
  const requests = query.data?.pages.flat() ?? []
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const list = useRef<HTMLUListElement>(null)
  const decide = useRequestDecision()
  const chosen = requests.filter(({ id }) => selected.has(id)).map(({ id }) => id)

  const decideAndMoveFocus = (decision: RequestDecision, ids: readonly string[]) => {
    const next = findNextLink(list.current, ids)
    decide(decision, ids)
    ;(next ?? document.querySelector<HTMLElement>('main h1'))?.focus()
  }
  const toggle = (id: string) =>
    setSelected(new Set(selected.has(id) ? chosen.filter((one) => one !== id) : [...chosen, id]))

  if (query.isPending) return <StatusSkeletons />
  if (query.isError && requests.length === 0)
    return (
      <Notice icon="warning" title={message('web.notifications.requests-failed')} role="alert">
        <button type="button" className="button" onClick={() => void query.refetch()}>
          {message('web.retry')}
        </button>
      </Notice>
    )
  if (requests.length === 0) return <Notice icon="people" title={message('web.notifications.requests-empty')} />
  return (
    <>
      <div className={styles.bulk}>
        <label className={styles.all}>
          <input
            type="checkbox"
            checked={chosen.length === requests.length}
            onChange={({ target }) => setSelected(new Set(target.checked ? requests.map(({ id }) => id) : []))}
          />
          {chosen.length === 0
            ? message('web.notifications.select-all')
            : message('web.notifications.selected', { count: chosen.length })}
        </label>
        {chosen.length > 0 && (
          <span className={styles.buttons}>
            <DecisionButtons onDecide={(decision) => decideAndMoveFocus(decision, chosen)} />
          </span>
        )}
      </div>
      <ul ref={list} aria-label={message('web.notifications.requests')}>
        {requests.map((request) => (
          <RequestItem
            key={request.id}
            request={request}
            isSelected={selected.has(request.id)}
            onToggle={() => toggle(request.id)}
            onDecide={(decision) => decideAndMoveFocus(decision, [request.id])}
          />
        ))}
      </ul>
      <PageEnd query={query} />
    </>
  )
}

function RequestItem({
  request: { id, account, lastStatus, notificationsCount },
  isSelected,
  onToggle,
  onDecide,
}: {
  request: NotificationRequest
  isSelected: boolean
  onToggle: () => void
  onDecide: (decision: RequestDecision) => void
}) {
  const status = useEntity(statusStore, lastStatus?.id ?? '')
  return (
    <li className={styles.item} data-request={id}>
      <label className={styles.check}>
        <input type="checkbox" checked={isSelected} onChange={onToggle} />
        <span className="unseen">{message('web.notifications.select', { name: `@${account.acct}` })}</span>
      </label>
      <Link to="/notifications/requests/$id" params={{ id }} className={styles.link}>
        <Avatar account={account} />
        <span className={styles.names}>
          <strong>
            <DisplayName account={account} />
          </strong>
          <span className={styles.handle}>@{account.acct}</span>
          {status && (
            <span className={styles.excerpt} dir="auto">
              {status.spoilerText || excerptOf(status.content ?? '')}
            </span>
          )}
          <span className={styles.count}>
            {message('web.notifications.request-count', { count: Number(notificationsCount) })}
          </span>
        </span>
      </Link>
      <span className={styles.buttons}>
        <DecisionButtons name={`@${account.acct}`} onDecide={onDecide} />
      </span>
    </li>
  )
}

/** `name`: of the account, if the buttons decide about one. */
export function DecisionButtons({ name, onDecide }: { name?: string; onDecide: (decision: RequestDecision) => void }) {
  const labelOf = (decision: RequestDecision) =>
    name === undefined
      ? message(`web.notifications.${decision}-selected`)
      : message(`web.notifications.${decision}-request`, { name })
  return (
    <>
      <button
        type="button"
        className={styles.accept}
        aria-label={labelOf('accept')}
        title={labelOf('accept')}
        onClick={() => onDecide('accept')}
      >
        <Icon name="check" />
      </button>
      <button
        type="button"
        className={styles.dismiss}
        aria-label={labelOf('dismiss')}
        title={labelOf('dismiss')}
        onClick={() => onDecide('dismiss')}
      >
        <Icon name="close" />
      </button>
    </>
  )
}

/** Returns the link of the first request after the removed ones, or of the last one before them. */
function findNextLink(list: HTMLElement | null, removedIds: readonly string[]): HTMLElement | null {
  const items = [...(list?.querySelectorAll<HTMLElement>('[data-request]') ?? [])]
  const isRemoved = ({ dataset }: HTMLElement) => removedIds.includes(dataset['request'] ?? '')
  const last = items.findLastIndex(isRemoved)
  const next = items.slice(last + 1).at(0) ?? items.slice(0, last).findLast((item) => !isRemoved(item))
  return next?.querySelector<HTMLElement>('a') ?? null
}
