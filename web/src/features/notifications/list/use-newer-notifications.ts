import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { listenTo, onStreamOpen } from '../../../lib/stream-events.ts'
import type { LoadedGroup } from '../notification-groups.ts'
import { fetchNewer, notificationsQuery, showNewer } from '../notification-queries.ts'
import type { NotificationListName } from '../notification-queries.ts'

/**
 * Finds groups that are newer than those of a list. They wait until the user asks for them, so that nothing moves while
 * the user reads; when a page is opened at its top, they are shown at once.
 */
export function useNewerNotifications(
  name: NotificationListName,
  { newestId }: { newestId: string | undefined },
): { waiting: readonly LoadedGroup[]; show: () => void } {
  const client = useQueryClient()
  const [waiting, setWaiting] = useState<readonly LoadedGroup[]>([])
  const request = useRef({ isRunning: false, isOutdated: false })

  const find = useEffectEvent(async (handle: (groups: readonly LoadedGroup[]) => void) => {
    const { current } = request
    current.isOutdated = current.isRunning
    if (current.isRunning) return
    current.isRunning = true
    try {
      do {
        current.isOutdated = false
        // Without a group, the list is empty; with too many newer ones, it starts again.
        const newer = newestId === undefined ? null : await fetchNewer(name, newestId)
        if (newer === null) await client.resetQueries({ queryKey: notificationsQuery(name).queryKey })
        handle(newer ?? [])
      } while (current.isOutdated)
    } catch {
      // The next event or visit finds them.
    } finally {
      current.isRunning = false
    }
  })

  const openAtTop = useEffectEvent(() => {
    if (newestId === undefined) return
    void find((newer) => (window.scrollY === 0 ? showNewer(client, { name, newer }) : setWaiting(newer)))
  })
  useEffect(
    () =>
      listenTo({ stream: 'user' }, ({ event }) => {
        if (event === 'notification' || event === 'notifications_merged') void find(setWaiting)
      }),
    [],
  )
  useEffect(() => {
    openAtTop()
    // A stream delivers nothing of what happened while the device slept.
    const refresh = () => {
      if (document.visibilityState === 'visible') void find(setWaiting)
    }
    document.addEventListener('visibilitychange', refresh)
    window.addEventListener('online', refresh)
    const stopCatchingUp = onStreamOpen(refresh)
    return () => {
      stopCatchingUp()
      document.removeEventListener('visibilitychange', refresh)
      window.removeEventListener('online', refresh)
    }
  }, [])

  return {
    waiting,
    show: () => {
      showNewer(client, { name, newer: waiting })
      setWaiting([])
    },
  }
}
