import { useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'

/** What ends the search for the heading: the user goes on. */
const ACTIONS = ['keydown', 'pointerdown'] as const

/** The rows of timelines that had the focus last, by the entry in the history of this window. */
const rowsWithFocus = new Map<string | undefined, string>()

/**
 * Moves the focus to the heading of a new page, as a browser does for a new document; in a thread, to its post; on a page
 * to which the user returns, to the post of the timeline that had it. A page that is still loaded gets it when its heading
 * appears.
 */
export function useFocusOnNavigation(): void {
  const router = useRouter()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  useEffect(() => {
    const entry = router.state.location.state.__TSR_key
    const focus = () => (findReturnedRow(entry) ?? findStart())?.focus({ preventScroll: true })
    focus()
    const observer = new MutationObserver(() => {
      if (document.activeElement === document.body) focus()
    })
    observer.observe(document.querySelector('main')!, { childList: true, subtree: true })
    const stop = () => observer.disconnect()
    for (const action of ACTIONS) document.addEventListener(action, stop, { once: true })
    const remember = ({ target }: FocusEvent) => {
      const row = target instanceof Element ? target.closest<HTMLElement>('main [data-row]')?.dataset['row'] : undefined
      if (row !== undefined) rowsWithFocus.set(entry, row)
    }
    document.addEventListener('focusin', remember)
    return () => {
      stop()
      for (const action of ACTIONS) document.removeEventListener(action, stop)
      document.removeEventListener('focusin', remember)
    }
  }, [path, router])
}

function findReturnedRow(entry: string | undefined): HTMLElement | null {
  const row = rowsWithFocus.get(entry)
  return row === undefined ? null : document.querySelector(`main [data-row="${CSS.escape(row)}"] article`)
}

function findStart(): HTMLElement | null {
  return document.querySelector('main [data-start]') ?? document.querySelector('main h1')
}
