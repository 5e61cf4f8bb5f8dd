import { useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'

/** What ends the search for the heading: the user goes on. */
const ACTIONS = ['keydown', 'pointerdown', 'wheel'] as const

/** Selectors of the rows that had the focus last, by the entry in the history of this window. */
const rowsWithFocus = new Map<string | undefined, string>()

/**
 * Moves the focus to the heading of a new page, as a browser does for a new document; in a thread, to its post; on a page
 * to which the user returns, to the post or notification that had it. A page that is still loaded gets it when its heading
 * appears, and a row that was far down when the page has scrolled to it.
 */
export function useFocusOnNavigation(): void {
  const router = useRouter()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  useEffect(() => {
    const entry = router.state.location.state.__TSR_key
    const focus = () => (findReturnedRow(entry) ?? findStart())?.focus({ preventScroll: true })
    focus()
    const observer = new MutationObserver(() => {
      const { activeElement } = document
      if (activeElement === document.body || activeElement === findStart()) focus()
    })
    observer.observe(document.querySelector('main')!, { childList: true, subtree: true })
    const stop = () => observer.disconnect()
    for (const action of ACTIONS) document.addEventListener(action, stop, { once: true })
    const remember = ({ target }: FocusEvent) => {
      const selector = target instanceof Element ? selectorOfRow(target) : null
      if (selector !== null) rowsWithFocus.set(entry, selector)
    }
    document.addEventListener('focusin', remember)
    return () => {
      stop()
      for (const action of ACTIONS) document.removeEventListener(action, stop)
      document.removeEventListener('focusin', remember)
    }
  }, [path, router])
}

/** Returns a selector of the row of a list around an element. A timeline may have the same post twice, in two rows. */
function selectorOfRow(element: Element): string | null {
  const { row } = element.closest<HTMLElement>('main [data-row]')?.dataset ?? {}
  if (row !== undefined) return `main [data-row="${CSS.escape(row)}"] article`
  const { status } = element.closest<HTMLElement>('main article[data-status]')?.dataset ?? {}
  return status === undefined ? null : `main article[data-status="${CSS.escape(status)}"]`
}

function findReturnedRow(entry: string | undefined): HTMLElement | null {
  const selector = rowsWithFocus.get(entry)
  return selector === undefined ? null : document.querySelector(selector)
}

function findStart(): HTMLElement | null {
  return document.querySelector('main [data-start]') ?? document.querySelector('main h1')
}
