import type { MouseEvent } from 'react'

/**
 * Ignores all but the first click of a double click on buttons: the first one may have removed a row or opened a dialog,
 * so that the next one would press a button of something else. Buttons with `data-repeatable` are pressed by each.
 */
export function ignoreRepeatedClick(event: MouseEvent): void {
  if (event.detail <= 1 || !(event.target instanceof Element)) return
  const button = event.target.closest('button')
  if (!button || 'repeatable' in button.dataset) return
  event.preventDefault()
  event.stopPropagation()
}
