const FIRST_MS = 2
const LONGEST_MS = 50
const GROWTH = 1.3

/**
 * Returns a function for a loop that polls: each call waits a little longer, because frequent queries take the processor
 * from the work that the loop waits for.
 */
export function createPause(): () => Promise<void> {
  let ms = FIRST_MS
  return async () => {
    await new Promise((resolve) => setTimeout(resolve, ms))
    ms = Math.min(ms * GROWTH, LONGEST_MS)
  }
}
