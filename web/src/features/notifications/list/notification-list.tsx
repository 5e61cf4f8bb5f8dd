import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { formatNumber } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { api } from '../../../lib/session.ts'
import { NewItemsButton } from '../../../ui/lists/new-items-button.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import { useArrivalAnnouncement } from '../../../ui/notices/use-arrival-announcement.ts'
import { PageEnd } from '../../../ui/lists/page-end.tsx'
import { showToast } from '../../../ui/notices/toasts.tsx'
import { FilteringContext } from '../../statuses/content/filters.ts'
import { StatusSkeletons } from '../../statuses/card/status-skeleton.tsx'
import { NotificationItem } from './notification-item.tsx'
import type { LoadedGroup } from '../notification-groups.ts'
import { notificationsQuery } from '../notification-queries.ts'
import type { NotificationListName } from '../notification-queries.ts'
import { removeGroup, useRemovedGroups } from '../removed-groups.ts'
import { useNewerNotifications } from './use-newer-notifications.ts'
import { useReadMarker } from './use-read-marker.ts'
import styles from './notification-list.module.css'

/** A part of the user's notifications, which stays up to date. */
export function NotificationList({ name, label }: { name: NotificationListName; label: string }) {
  const query = useInfiniteQuery(notificationsQuery(name))
  const omitRemoved = useRemovedGroups()
  const groups = omitRemoved(query.data?.pages.flat() ?? [])
  const { waiting, show } = useNewerNotifications(name, { newestId: groups[0]?.id })
  const isUnread = useReadMarker('tab' in name ? groups[0]?.id : undefined)
  const { list, dismiss } = useDismissal()
  useArrivalAnnouncement(waiting.length > 0 ? message('web.notifications.arrived', { count: waiting.length }) : '')

  if (query.isPending) return <StatusSkeletons />
  if (query.isError && groups.length === 0)
    return (
      <Notice icon="warning" title={message('web.notifications.failed')} role="alert">
        <button type="button" className="button" onClick={() => void query.refetch()}>
          {message('web.retry')}
        </button>
      </Notice>
    )
  if (groups.length === 0) return <Notice icon="bell" title={message('web.notifications.empty')} />
  return (
    <>
      {waiting.length > 0 && (
        <NewItemsButton
          label={message('web.notifications.show-new', { number: waiting.length, count: formatNumber(waiting.length) })}
          onShow={show}
        />
      )}
      <FilteringContext value="notifications">
        <ul ref={list} className={styles.list} aria-label={label}>
          {groups.map((group) => (
            <li key={group.groupKey} data-row={group.groupKey}>
              <NotificationItem group={group} isNew={isUnread(group.id)} onDismiss={dismiss} />
            </li>
          ))}
        </ul>
      </FilteringContext>
      <PageEnd query={query} />
    </>
  )
}

/** Returns a function that dismisses a group and moves the focus to the next one. */
function useDismissal() {
  const client = useQueryClient()
  const list = useRef<HTMLUListElement>(null)
  const dismiss = useMemo(() => {
    const send = async (group: LoadedGroup) => {
      const buttons = [...(list.current?.querySelectorAll<HTMLElement>('[data-dismiss]') ?? [])]
      const index = buttons.indexOf(document.activeElement as HTMLElement)
      const next = index === -1 ? undefined : (buttons[index + 1] ?? buttons[index - 1])
      const removal = removeGroup(client, group, () => api().v2.notifications.$select(group.groupKey).dismiss())
      next?.focus()
      try {
        await removal
      } catch {
        showToast({
          kind: 'alert',
          text: message('web.notifications.dismiss-failed'),
          action: { label: message('web.retry'), run: () => void send(group) },
        })
      }
    }
    return (group: LoadedGroup) => void send(group)
  }, [client])
  return { list, dismiss }
}
