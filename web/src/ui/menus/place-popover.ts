const GAP = 4

/** Places a popover below an element, or above it if there is more room; in both cases inside of the window. */
export function placePopover(popover: HTMLElement, { top, bottom, left, right }: DOMRect): void {
  const { offsetHeight, offsetWidth } = popover
  const isAbove = bottom + GAP + offsetHeight > innerHeight && top > innerHeight - bottom
  const below = Math.min(bottom + GAP, innerHeight - GAP - offsetHeight)
  popover.style.top = `${Math.max(GAP, isAbove ? top - GAP - offsetHeight : below)}px`
  const isAligned = left + offsetWidth <= innerWidth - GAP
  popover.style.left = `${isAligned ? left : Math.max(GAP, right - offsetWidth)}px`
}
