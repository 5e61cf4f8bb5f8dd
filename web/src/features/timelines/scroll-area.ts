import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  observeWindowOffset,
  observeWindowRect,
  useVirtualizer,
  windowScroll,
} from '@tanstack/react-virtual'
import type { ReactVirtualizer, VirtualizerOptions } from '@tanstack/react-virtual'

/** The element that scrolls the rows of a timeline; null: the window. */
export type ScrollArea = HTMLElement | null

const OF_WINDOW = {
  getScrollElement: () => window,
  observeElementRect: observeWindowRect,
  observeElementOffset: observeWindowOffset,
  scrollToFn: windowScroll,
  initialOffset: () => window.scrollY,
}

type RowOptions = Pick<VirtualizerOptions<HTMLElement, HTMLElement>, 'count' | 'estimateSize' | 'getItemKey'> &
  Partial<VirtualizerOptions<HTMLElement, HTMLElement>>

/** Returns which rows of a list are near the visible part of the area that scrolls it. */
export function useRowVirtualizer(area: ScrollArea, options: RowOptions): ReactVirtualizer<HTMLElement, HTMLElement> {
  const ofArea = {
    getScrollElement: () => area,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
  }
  // The types of the library separate windows from elements, but its functions only need the methods that both have.
  const functions = (area ? ofArea : OF_WINDOW) as unknown as typeof ofArea
  return useVirtualizer<HTMLElement, HTMLElement>({ ...functions, ...options })
}

/** Returns how far an area is scrolled. */
export function scrollOffsetOf(area: ScrollArea): number {
  return area ? area.scrollTop : window.scrollY
}

/** Returns the distance of the upper edge of an area from that of the window. */
export function topOf(area: ScrollArea): number {
  return area?.getBoundingClientRect().top ?? 0
}

/** Returns the object whose methods scroll an area. */
export function scrollerOf(area: ScrollArea): Pick<Window, 'scrollTo' | 'scrollBy'> {
  return area ?? window
}
