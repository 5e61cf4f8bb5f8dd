import { useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'

/** What ends the search for the heading: the user goes on. */
const ACTIONS = ['keydown', 'pointerdown'] as const

/**
 * Moves the focus to the heading of a new page, as a browser does for a new document; in a thread, to its post. A page that
 * is still loaded gets it when its heading appears.
 */
export function useFocusOnNavigation(): void {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  useEffect(() => {
    focusStart()
    const observer = new MutationObserver(() => {
      if (document.activeElement === document.body) focusStart()
    })
    observer.observe(document.querySelector('main')!, { childList: true, subtree: true })
    const stop = () => observer.disconnect()
    for (const action of ACTIONS) document.addEventListener(action, stop, { once: true })
    return () => {
      stop()
      for (const action of ACTIONS) document.removeEventListener(action, stop)
    }
  }, [path])
}

function focusStart(): void {
  const start =
    document.querySelector<HTMLElement>('main [data-start]') ?? document.querySelector<HTMLElement>('main h1')
  start?.focus({ preventScroll: true })
}
