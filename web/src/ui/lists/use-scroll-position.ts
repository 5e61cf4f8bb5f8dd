import { useRouter } from '@tanstack/react-router'
import { useLayoutEffect, useState } from 'react'

/** Where the user left a page, by the key of its entry in the history. */
const positions = new Map<string, number>()

/** Scrolls a page to its top when it is opened, and to where the user left it when the user goes back to it. */
export function useScrollPosition(): void {
  const { history } = useRouter()
  const [key] = useState(() => history.location.state.__TSR_key ?? '')
  useLayoutEffect(() => {
    window.scrollTo(0, positions.get(key) ?? 0)
    return () => {
      positions.set(key, window.scrollY)
    }
  }, [key])
}
