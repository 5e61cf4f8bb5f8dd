import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { formatNumber } from '../../lib/i18n/formats.ts'
import { message } from '../../lib/i18n/messages.ts'
import { onStreamOpen, useStreamEvents } from '../../lib/stream-events.ts'
import { setUnreadCount } from '../../ui/page/page-title.ts'
import { unreadCountQuery } from './unread-count.ts'
import styles from './unread-badge.module.css'

const MAX_SHOWN = 99
/** Notifications that arrive together are counted by one request. */
const COUNT_DELAY_MILLISECONDS = 250

/** The number of unread notifications, also in the title of the window; nothing if there are none. */
export function UnreadBadge() {
  const { data: count = 0 } = useQuery(unreadCountQuery)
  const client = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  useStreamEvents('user', ({ event }) => {
    if (event !== 'notification' && event !== 'notifications_merged') return
    timer.current ??= setTimeout(() => {
      timer.current = null
      void client.invalidateQueries({ queryKey: unreadCountQuery.queryKey })
    }, COUNT_DELAY_MILLISECONDS)
  })
  // What arrived between the first count and the connection.
  useEffect(() => onStreamOpen(() => void client.invalidateQueries({ queryKey: unreadCountQuery.queryKey })), [client])
  useEffect(() => setUnreadCount(count), [count])
  if (count === 0) return null
  return (
    <span className={styles.badge}>
      <span aria-hidden="true">{count > MAX_SHOWN ? `${formatNumber(MAX_SHOWN)}+` : formatNumber(count)}</span>
      <span className="unseen">{message('web.notifications.unread', { count })}</span>
    </span>
  )
}
