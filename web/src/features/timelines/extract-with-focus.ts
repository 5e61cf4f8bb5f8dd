import { defaultRangeExtractor } from '@tanstack/react-virtual'
import type { Range } from '@tanstack/react-virtual'
import { rowKeyOf } from './timeline-store.ts'
import type { TimelineEntry } from './timeline-store.ts'

/** How many rows on each side of the one with the focus are rendered, so that the next post can get it across a gap. */
const NEIGHBOURS = 2

/**
 * Returns the indexes of the rows to render, in ascending order: those near the viewport, and the row of the list that
 * has the focus with its neighbours. If that row left the document, users of keyboards and screen readers would lose
 * their place.
 */
export function extractWithFocus(
  range: Range,
  { list, entries }: { list: HTMLElement | null; entries: readonly TimelineEntry[] },
): number[] {
  const visible = defaultRangeExtractor(range)
  const focused = list?.contains(document.activeElement)
    ? document.activeElement?.closest<HTMLElement>('[data-row]')
    : null
  if (!focused) return visible
  // By its key, because the index of the element is from before rows were inserted.
  const index = entries.findIndex((entry) => rowKeyOf(entry) === focused.dataset['row'])
  if (index === -1) return visible
  const first = Math.max(0, index - NEIGHBOURS)
  const last = Math.min(entries.length - 1, index + NEIGHBOURS)
  const rows = new Set(visible)
  for (let row = first; row <= last; row += 1) rows.add(row)
  return [...rows].toSorted((a, b) => a - b)
}
