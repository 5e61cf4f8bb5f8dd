import { useEffect, useState } from 'react'
import { waitForFirstPosts } from './open-timeline.ts'

let areShown = false

/** Returns whether the page that was opened first has had time to show its posts, and renders again when it has. */
export function useFirstPosts(): boolean {
  const [isShown, setIsShown] = useState(areShown)
  useEffect(() => {
    if (areShown) return undefined
    let isMounted = true
    void waitForFirstPosts().then(() => {
      areShown = true
      if (isMounted) setIsShown(true)
    })
    return () => {
      isMounted = false
    }
  }, [])
  return isShown
}
