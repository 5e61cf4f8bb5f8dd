import { useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { MouseEvent } from 'react'
import { threadOfPath, threadOfPress } from '../../features/columns/side-thread.ts'
import type { SideThread } from '../../features/columns/side-thread.ts'

/**
 * Returns the thread beside the current page, and a listener that opens those of pressed links there. The page stays the
 * location of the router, while the browser shows the URL of the thread. Without room, links open the page of the
 * thread.
 */
export function useSideThread(hasRoom: boolean): {
  thread: SideThread | undefined
  openPressed: (event: MouseEvent) => void
} {
  const router = useRouter()
  const thread = useRouterState({ select: ({ location }) => location.state.sideThread })
  useEffect(() => {
    if (!thread || hasRoom) return
    const { acct, id } = thread
    void router.navigate({ to: '/@{$acct}/$id', params: { acct, id }, replace: true })
  }, [thread, hasRoom, router])
  return {
    thread: hasRoom ? thread : undefined,
    openPressed(event) {
      const pressed = hasRoom ? threadOfPress(event) : null
      // The threads of a thread replace it, and the heading of the column leads to the page.
      if (!pressed || threadOfPath(router.state.location.pathname) || isPageLink(event)) return
      event.preventDefault()
      if (pressed.id === thread?.id) return
      const params = { acct: pressed.acct, id: pressed.id }
      void router.navigate({
        to: '.',
        search: true,
        state: { sideThread: { ...params, depth: (thread?.depth ?? 0) + 1 } },
        mask: { to: '/@{$acct}/$id', params },
      })
    },
  }
}

const isPageLink = ({ target }: MouseEvent) => target instanceof Element && target.closest('[data-page]') !== null
