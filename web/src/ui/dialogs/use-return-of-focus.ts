import { useEffect, useState } from 'react'

/**
 * When the component is removed, returns the focus to the element that had it before, unless the user has moved it to
 * another part of the page.
 */
export function useReturnOfFocus(): void {
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      // The focus of a removed element goes to the body.
      if (document.activeElement !== document.body) return
      const isThere = opener?.isConnected && opener !== document.body
      const target = isThere ? opener : document.querySelector('main h1')
      if (target instanceof HTMLElement) target.focus({ preventScroll: true })
    },
    [opener],
  )
}
