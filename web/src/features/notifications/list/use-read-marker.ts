import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { api } from '../../../lib/session.ts'
import { isNewer } from '../../timelines/timeline-store.ts'
import { readMarkerQuery } from '../notification-queries.ts'
import { unreadCountQuery } from '../unread-count.ts'

/**
 * Saves the newest notification as read while the page is visible. Returns whether a notification was unread when the
 * page was opened.
 */
export function useReadMarker(newestId: string | undefined): (id: string) => boolean {
  const client = useQueryClient()
  const { data: readId } = useQuery(readMarkerQuery)
  const savedId = useRef<string | null>(null)

  useEffect(() => {
    if (newestId === undefined || readId === undefined) return
    const save = async () => {
      const known = savedId.current ?? readId
      if (document.visibilityState !== 'visible' || (known !== null && !isNewer(newestId, known))) return
      savedId.current = newestId
      await api().v1.markers.create({ notifications: { lastReadId: newestId } })
      await client.invalidateQueries({ queryKey: unreadCountQuery.queryKey })
    }
    // A failed request is repeated when the page becomes visible again.
    const saveOrForget = () => void save().catch(() => (savedId.current = null))
    saveOrForget()
    document.addEventListener('visibilitychange', saveOrForget)
    return () => document.removeEventListener('visibilitychange', saveOrForget)
  }, [client, newestId, readId])

  return (id) => readId !== undefined && (readId === null || isNewer(id, readId))
}
