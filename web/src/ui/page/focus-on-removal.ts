import type { RefCallback } from 'react'

/**
 * Returns a `ref` for an element that disappears when something in it is pressed. If the focus is in it then, the element
 * that `find` returns gets the focus, without scrolling. Otherwise screen readers would begin again at the start of the
 * page. It must be the same at each render.
 */
export function focusOnRemoval(
  find: (removed: HTMLElement) => HTMLElement | null | undefined,
): RefCallback<HTMLElement> {
  return (element) => () => {
    if (element?.contains(document.activeElement)) find(element)?.focus({ preventScroll: true })
  }
}

/** Gives the focus to the heading of the page. */
export const focusHeadingOnRemoval = focusOnRemoval(() => document.querySelector<HTMLElement>('main h1'))
