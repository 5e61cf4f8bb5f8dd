/** What the files of a shared process share, closed after its last file. Null in a process of one file. */
let closings: (() => Promise<void>)[] | null = null

export function beginSharedProcess(): void {
  closings = []
}

/** Calls a function after the last file of this process. Returns false if the process is not shared. */
export function closeAtEndOfProcess(close: () => Promise<void>): boolean {
  closings?.push(close)
  return closings !== null
}

export async function endSharedProcess(): Promise<void> {
  for (const close of closings ?? []) await close()
}
