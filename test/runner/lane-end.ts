/** What the files of a lane share, and close when the lane has run its last file. Null outside lanes. */
let closings: (() => Promise<void>)[] | null = null

export function beginLane(): void {
  closings = []
}

/** Calls a function after the last file of the lane. Returns false if this process is no lane. */
export function closeAtEndOfLane(close: () => Promise<void>): boolean {
  closings?.push(close)
  return closings !== null
}

export async function endLane(): Promise<void> {
  for (const close of closings ?? []) await close()
}
