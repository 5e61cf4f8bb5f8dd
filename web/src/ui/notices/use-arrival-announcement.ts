import { useEffect, useRef } from 'react'
import { announce } from './announcer.ts'

/** The time between two announcements. A busy timeline would otherwise interrupt screen readers again and again. */
const PAUSE_MS = 10_000

/**
 * Announces how many items wait above a list: the first ones at once, then at most one text in each pause, the newest.
 * `text`: empty if none wait.
 */
export function useArrivalAnnouncement(text: string): void {
  const spokenAt = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    if (text === '') return undefined
    const timer = setTimeout(
      () => {
        spokenAt.current = performance.now()
        announce(text)
      },
      spokenAt.current + PAUSE_MS - performance.now(),
    )
    return () => clearTimeout(timer)
  }, [text])
}
