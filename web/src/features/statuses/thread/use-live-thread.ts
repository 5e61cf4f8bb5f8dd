import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import type { Status } from '../../../lib/api/entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { api, currentAccountId } from '../../../lib/session.ts'
import { onStreamOpen, useStreamEvents } from '../../../lib/stream-events.ts'
import type { StreamEvent } from '../../../lib/stream-subscriptions.ts'
import { useArrivalAnnouncement } from '../../../ui/notices/use-arrival-announcement.ts'
import { removeStatus } from '../../timelines/timelines.ts'
import { saveStatus, saveStatuses } from '../status-store.ts'
import { contextQuery } from './thread-queries.ts'
import type { ThreadStatus } from './thread-tree.ts'

/** How many statuses one request returns. */
const MAX_UPDATED = 20

/**
 * Applies edits, deletions and new states of quotes to a thread as they happen, and reloads it after replies of the
 * user. Returns the number of other new replies, which wait so that nothing moves while the user reads.
 */
export function useLiveThread(
  mainId: string,
  { descendants, reload }: { descendants: readonly ThreadStatus[]; reload: () => void },
): number {
  const client = useQueryClient()
  const [arrived, setArrived] = useState<readonly string[]>([])
  const shown = new Set([mainId, ...descendants.map(({ id }) => id)])

  useStreamEvents('user', (event) => {
    if (event.event === 'status.update') return void saveStatus(event.payload as unknown as Status)
    if (event.event === 'delete') {
      const isOther = (id: string) => id !== event.payload
      removeStatus(event.payload)
      setArrived((ids) => ids.filter(isOther))
      client.setQueryData(
        contextQuery(mainId).queryKey,
        (context) =>
          context && {
            ...context,
            ancestorIds: context.ancestorIds.filter(isOther),
            descendants: context.descendants.filter(({ id }) => isOther(id)),
          },
      )
      return
    }
    const { id, inReplyToId, account } = newStatusOf(event) ?? {}
    if (id === undefined || !inReplyToId || shown.has(id)) return
    if (!shown.has(inReplyToId) && !arrived.includes(inReplyToId)) return
    if (account?.id === currentAccountId()) reload()
    else setArrived((ids) => (ids.includes(id) ? ids : [...ids, id]))
  })

  const updateShown = useEffectEvent(async () => {
    saveStatuses((await api().v1.statuses.fetch({ id: [...shown].slice(0, MAX_UPDATED) })) as unknown as Status[])
  })
  useEffect(() => onStreamOpen(() => void updateShown().catch(() => undefined)), [])

  const count = arrived.filter((id) => !shown.has(id)).length
  useArrivalAnnouncement(count > 0 ? message('web.thread.new-replies', { count: String(count), number: count }) : '')
  return count
}

/** Returns the status that an event brings. Replies of accounts that the user does not follow come as notifications. */
function newStatusOf({ event, payload }: StreamEvent): Status | null {
  if (event === 'update') return payload as unknown as Status
  return event === 'notification' ? (((payload as { status?: unknown }).status as Status | undefined) ?? null) : null
}
