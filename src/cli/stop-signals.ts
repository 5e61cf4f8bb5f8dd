/** Signals that come so soon after one another are one request: npm forwards a Ctrl-C that the terminal sends to all. */
const SAME_REQUEST_MS = 500

/** How often a server that npm has started checks whether npm is still there. */
const PARENT_CHECK_MS = 1_000

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The requests to stop that reach this process. */
export interface StopRequests {
  /** Resolves at the first one: finish what runs, then stop. */
  readonly first: Promise<void>
  /** Resolves at the second one: stop at once. A third one ends the process. */
  readonly second: Promise<void>
  readonly isStopping: boolean
}

/**
 * Listens for requests to stop: Ctrl-C, SIGTERM, and SIGHUP, which a closed terminal sends. `followsParent`: the end of
 * the parent process counts as a request, too.
 */
export function listenForStop({ followsParent }: { followsParent: boolean }): StopRequests {
  const first = Promise.withResolvers<void>()
  const second = Promise.withResolvers<void>()
  let count = 0
  let lastMs = Number.NEGATIVE_INFINITY
  const request = (): void => {
    if (performance.now() - lastMs < SAME_REQUEST_MS) return
    lastMs = performance.now()
    count += 1
    if (count === 1) first.resolve()
    else if (count === 2) second.resolve()
    else process.exit(1)
  }
  for (const signal of SIGNALS) process.on(signal, request)
  // A terminal that was closed, or a reader that has gone, is no reason to fail on the way out.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  if (followsParent) followParent(request)
  return {
    first: first.promise,
    second: second.promise,
    get isStopping() {
      return count > 0
    },
  }
}

/** npm passes on SIGINT and SIGTERM only: after any other end of npm, nobody could stop this process from there. */
function followParent(request: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    request()
  }, PARENT_CHECK_MS)
  timer.unref()
}
