import { Fragment, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { message } from '../../lib/i18n/messages.ts'
import { StatusCard } from '../statuses/card/status-card.tsx'
import { StatusSkeletons } from '../statuses/card/status-skeleton.tsx'
import { useRowVirtualizer } from './scroll-area.ts'
import type { ScrollArea } from './scroll-area.ts'
import { recallPosition, rememberPosition, storePosition } from './scroll-positions.ts'
import { extractWithFocus } from './extract-with-focus.ts'
import { rowKeyOf } from './timeline-store.ts'
import type { TimelineState, TimelineStore } from './timeline-store.ts'
import { useFirstPosts } from './use-first-posts.ts'
import { useKeptPosition } from './use-kept-position.ts'
import { focusOnRemoval } from '../../ui/page/focus-on-removal.ts'
import { SteadyButton } from '../../ui/forms/steady-button.tsx'
import styles from './timeline.module.css'

const ESTIMATED_HEIGHT = 220
const OVERSCAN = 6
/** Before the first posts are shown, which fewer rows make faster. */
const FIRST_OVERSCAN = 1
/** How many rows before the end the next page is requested. */
const PREFETCH_ROWS = 8

/**
 * The rows of a timeline, of which only those near the viewport and the one with the focus are in the document. They
 * are in the flow, between spacers. When rows are inserted above, the first visible row stays where it is.
 */
export function TimelineRows({
  timelineKey,
  timeline,
  state: { entries, loading, failed, complete },
  label,
  area,
}: {
  timelineKey: string
  timeline: TimelineStore
  state: TimelineState
  label: string
  area: ScrollArea
}) {
  const listRef = useRef<HTMLDivElement>(null)
  const [remembered] = useState(() => (area ? undefined : recallPosition(timelineKey)))
  const isSettled = useFirstPosts()
  const [scrollMargin, setScrollMargin] = useState(0)
  const virtualizer = useRowVirtualizer(area, {
    count: entries.length,
    estimateSize: () => ESTIMATED_HEIGHT,
    getItemKey: (index) => rowKeyOf(entries[index]!),
    overscan: isSettled ? OVERSCAN : FIRST_OVERSCAN,
    scrollMargin,
    rangeExtractor: (range) => extractWithFocus(range, { list: listRef.current, entries }),
    ...(remembered ? { initialOffset: remembered.scrollY, initialMeasurementsCache: remembered.measurements } : {}),
  })
  const items = virtualizer.getVirtualItems()

  useLayoutEffect(() => setScrollMargin(listRef.current?.offsetTop ?? 0), [])

  useKeptPosition({
    timeline,
    entries,
    listRef,
    area,
    startOf: (index) => virtualizer.measurementsCache[index]?.start,
  })

  useEffect(() => {
    if (area) return undefined
    const position = () => ({ scrollY: window.scrollY, measurements: virtualizer.takeSnapshot() })
    const store = () => storePosition(timelineKey, position())
    window.addEventListener('pagehide', store)
    return () => {
      window.removeEventListener('pagehide', store)
      rememberPosition(timelineKey, position())
    }
  }, [timelineKey, virtualizer, area])

  // Of a page that the settings of the home timeline hide as a whole, no row appears: the next one is requested.
  const loadedCount = timeline.getState().entries.length
  const lastIndex = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (lastIndex >= entries.length - PREFETCH_ROWS && !failed) void timeline.loadOlder()
  }, [lastIndex, entries.length, loadedCount, timeline, failed])

  const before = (items[0]?.start ?? scrollMargin) - scrollMargin
  const after = virtualizer.getTotalSize() - ((items.at(-1)?.end ?? scrollMargin) - scrollMargin)
  return (
    <>
      <div ref={listRef} className={styles.rows} role="feed" aria-label={label} aria-busy={loading !== null}>
        <div style={{ height: before }} />
        {items.map((item, position) => {
          const entry = entries[item.index]!
          const skipped = item.start - (items[position - 1]?.end ?? item.start)
          return (
            <Fragment key={item.key}>
              {skipped > 0 && <div style={{ height: skipped }} />}
              <div ref={virtualizer.measureElement} data-index={item.index} data-row={item.key}>
                {entry.type === 'gap' ? (
                  <Gap timeline={timeline} id={entry.id} />
                ) : (
                  <StatusCard id={entry.id} position={item.index + 1} />
                )}
              </div>
            </Fragment>
          )
        })}
        <div style={{ height: Math.max(0, after) }} />
      </div>
      {failed && (
        <p className={styles.end} role="alert">
          {message('web.timeline.older-failed')}{' '}
          <button type="button" className="button button-small" onClick={() => void timeline.loadOlder()}>
            {message('web.retry')}
          </button>
        </p>
      )}
      {loading === 'older' && <StatusSkeletons count={2} />}
      {complete && <p className={styles.end}>{message('web.timeline.end')}</p>}
    </>
  )
}

function Gap({ timeline, id }: { timeline: TimelineStore; id: string }) {
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle')
  const fill = async () => {
    setState('loading')
    try {
      await timeline.fillGap(id)
    } catch {
      setState('failed')
    }
  }
  return (
    <p ref={focusPostAboveOnRemoval} className={styles.gap}>
      <SteadyButton
        className="button button-line"
        data-key="l"
        isUnusable={state === 'loading'}
        onClick={() => void fill()}
      >
        {message(state === 'failed' ? 'web.timeline.gap-failed' : 'web.timeline.gap')}
      </SteadyButton>
    </p>
  )
}

/** From the post above a gap, the keys lead to those that were loaded. */
const focusPostAboveOnRemoval = focusOnRemoval((gap) =>
  gap.closest('[data-row]')?.previousElementSibling?.querySelector<HTMLElement>('article'),
)
