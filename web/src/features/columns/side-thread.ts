import type { MouseEvent } from 'react'

/**
 * A thread beside a page, in the state of an entry of the history. `depth`: the number of entries since the page was
 * shown without a thread.
 */
export interface SideThread {
  acct: string
  id: string
  depth: number
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    sideThread?: SideThread
  }
}

const THREAD_PATH = /^\/@([^/]+)\/(\d+)$/

/** Returns the account and the status in the path of a thread, or null. */
export function threadOfPath(path: string): Pick<SideThread, 'acct' | 'id'> | null {
  const [, acct, id] = THREAD_PATH.exec(path) ?? []
  return acct === undefined || id === undefined ? null : { acct: decodeURIComponent(acct), id }
}

/** Returns the thread to which a pressed link leads in this window; null for other links and elements. */
export function threadOfPress(event: MouseEvent): Pick<SideThread, 'acct' | 'id'> | null {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  const hasModifier = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey
  if (!link || link.target === '_blank' || link.origin !== location.origin || hasModifier || event.button !== 0)
    return null
  return threadOfPath(link.pathname)
}
