import { useEffect, useMemo, useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import { formatNumber } from '../../lib/i18n/formats.ts'
import { message } from '../../lib/i18n/messages.ts'
import { useClientSettings } from '../../lib/settings.ts'
import { NewItemsButton } from '../../ui/lists/new-items-button.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { useArrivalAnnouncement } from '../../ui/notices/use-arrival-announcement.ts'
import { FilteringContext } from '../statuses/content/filters.ts'
import { StatusSkeletons } from '../statuses/card/status-skeleton.tsx'
import type { ScrollArea } from './scroll-area.ts'
import { filterEntries } from './filter-entries.ts'
import { TimelineRows } from './timeline-rows.tsx'
import { saveTimelineOnChange } from './saved-timelines.ts'
import { openTimeline } from './open-timeline.ts'
import { connectTimeline, findOrCreateTimeline } from './timelines.ts'
import { filterContextOf, timelineKey } from './timeline-sources.ts'
import type { TimelineName } from './timeline-sources.ts'

/**
 * A timeline that stays up to date. `label` names it for screen readers. `area`: what scrolls it, if it is not the
 * window.
 */
export function Timeline({
  name,
  label,
  empty,
  area = null,
}: {
  name: TimelineName
  label: string
  empty: ReactNode
  area?: ScrollArea
}) {
  const key = timelineKey(name)
  const timeline = findOrCreateTimeline(name)
  const loaded = useSyncExternalStore(timeline.subscribe, timeline.getState)
  const { showBoosts, showReplies } = useClientSettings()
  const isHome = name.type === 'home'
  const state = useMemo(() => {
    if (!isHome) return loaded
    const filter = { showBoosts, showReplies }
    return {
      ...loaded,
      entries: filterEntries(loaded.entries, filter),
      pending: filterEntries(loaded.pending, filter),
    }
  }, [loaded, isHome, showBoosts, showReplies])

  useEffect(() => {
    void openTimeline(name)
    const stopSaving = saveTimelineOnChange(name, timeline)
    const disconnect = connectTimeline(name)
    // A stream delivers nothing of what happened while the device slept.
    const refresh = () => {
      if (document.visibilityState === 'visible') void timeline.loadNewest()
    }
    document.addEventListener('visibilitychange', refresh)
    window.addEventListener('online', refresh)
    return () => {
      disconnect()
      stopSaving()
      document.removeEventListener('visibilitychange', refresh)
      window.removeEventListener('online', refresh)
    }
    // `key` identifies `name`, which is a new object at every render.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [key])

  const pendingCount = state.pending.filter(({ type }) => type === 'status').length
  useArrivalAnnouncement(pendingCount > 0 ? message('web.timeline.new-posts', { count: pendingCount }) : '')

  if (loaded.entries.length === 0) {
    if (state.failed)
      return (
        <Notice icon="warning" title={message('web.timeline.failed')} role="alert">
          <button type="button" className="button" onClick={() => void timeline.loadNewest()}>
            {message('web.retry')}
          </button>
        </Notice>
      )
    return state.complete ? empty : <StatusSkeletons />
  }
  return (
    <>
      {pendingCount > 0 && (
        <NewItemsButton
          label={message('web.timeline.show-new', { count: formatNumber(pendingCount), number: pendingCount })}
          onShow={() => timeline.showPending()}
        />
      )}
      <FilteringContext value={filterContextOf(name)}>
        <TimelineRows key={key} timelineKey={key} timeline={timeline} state={state} label={label} area={area} />
      </FilteringContext>
    </>
  )
}
