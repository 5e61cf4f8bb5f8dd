const FOCUSABLE =
  'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, audio[controls], video[controls], iframe, [tabindex]'

/**
 * Handles the keys of a feed (WAI-ARIA feed pattern) if the focus is in one: Page Down and Page Up move it to the next
 * and the previous article, Ctrl+End and Ctrl+Home to the element after and before the feed. Returns whether it moved
 * the focus.
 */
export function moveInFeed({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  const { activeElement: focused } = document
  const feed = focused?.closest('[role=feed]')
  if (!focused || !feed || metaKey || altKey || shiftKey) return false
  if (ctrlKey) return leaveFeed(feed, key)
  const articles = [...feed.querySelectorAll<HTMLElement>('article[tabindex]')]
  const target =
    key === 'PageDown'
      ? articles.find((article) => isAfter(article, focused))
      : key === 'PageUp'
        ? articles.findLast((article) => isBefore(article, focused))
        : undefined
  target?.focus()
  target?.scrollIntoView({ block: 'nearest' })
  return target !== undefined
}

function leaveFeed(feed: Element, key: string): boolean {
  if (key !== 'End' && key !== 'Home') return false
  const elements = [...document.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(
    (element) => element.tabIndex >= 0 && !feed.contains(element) && isShown(element),
  )
  // At an end of the page, the focus continues at its other end, as with Tab.
  const target =
    key === 'End'
      ? (elements.find((element) => isAfter(element, feed)) ?? elements[0])
      : (elements.findLast((element) => isBefore(element, feed)) ?? elements.at(-1))
  target?.focus()
  return target !== undefined
}

const isShown = (element: Element) => element.checkVisibility({ visibilityProperty: true })

/** Whether an element begins after another one and is not in it. */
const isAfter = (element: Element, other: Element) =>
  (other.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 && !other.contains(element)

/** Whether an element ends before another one begins. */
const isBefore = (element: Element, other: Element) =>
  (other.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING) !== 0 && !element.contains(other)
