import { useEffect, useLayoutEffect, useRef } from 'react'
import type { RefObject } from 'react'
import { scrollerOf, scrollOffsetOf, topOf } from './scroll-area.ts'
import type { ScrollArea } from './scroll-area.ts'
import { rowKeyOf } from './timeline-store.ts'
import type { TimelineEntry, TimelineStore } from './timeline-store.ts'

/** A row, and the distance of its upper edge from that of the window. */
interface Anchor {
  key: string
  top: number
}

/**
 * Keeps the first visible row where it is when rows are inserted above it. The browser cannot do that (scroll
 * anchoring), since rows that are far away are not in the document. At the top of the page new rows push the others
 * down. `startOf` returns where a row is expected to begin on the page.
 */
export function useKeptPosition({
  timeline,
  entries,
  listRef,
  area,
  startOf,
}: {
  timeline: TimelineStore
  entries: readonly TimelineEntry[]
  listRef: RefObject<HTMLElement | null>
  area: ScrollArea
  startOf: (index: number) => number | undefined
}): void {
  const anchor = useRef<Anchor | null>(null)
  const isRestoring = useRef(false)

  // The store calls its listeners before React changes the document.
  useEffect(
    () =>
      timeline.subscribe(() => {
        if (!isRestoring.current) anchor.current = findFirstVisibleRow(listRef.current, area)
      }),
    [timeline, listRef, area],
  )

  useLayoutEffect(() => {
    const { current } = anchor
    if (current === null) return
    isRestoring.current = true
    if (findRow(listRef.current, current.key)) return
    // So many rows were inserted that this one is no longer in the document: the next render has it.
    const start = startOf(entries.findIndex((entry) => rowKeyOf(entry) === current.key))
    if (start === undefined) isRestoring.current = false
    else scrollerOf(area).scrollTo(0, start - current.top + topOf(area))
    // Only a change of the entries moves rows.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [entries])

  useLayoutEffect(() => {
    const { current } = anchor
    const row = isRestoring.current && current ? findRow(listRef.current, current.key) : null
    if (!row || !current) return
    scrollerOf(area).scrollBy(0, row.getBoundingClientRect().top - current.top)
    isRestoring.current = false
  })
}

function findRow(list: HTMLElement | null, key: string): HTMLElement | null {
  return list?.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`) ?? null
}

/** Returns the first row that is at least partly visible; null at the top of the page or column. */
function findFirstVisibleRow(list: HTMLElement | null, area: ScrollArea): Anchor | null {
  if (!list || scrollOffsetOf(area) < list.offsetTop) return null
  const edge = topOf(area) + list.offsetTop
  for (const row of list.querySelectorAll<HTMLElement>('[data-row]')) {
    const { top, bottom } = row.getBoundingClientRect()
    if (bottom > edge) return { key: row.dataset['row']!, top }
  }
  return null
}
