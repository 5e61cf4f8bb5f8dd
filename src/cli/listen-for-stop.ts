/** Signals within this time count as one: npm forwards a Ctrl-C that the terminal also sends to this process. */
const DUPLICATE_SIGNAL_MS = 500

/** How often a server that npm started checks whether npm is still running. */
const PARENT_CHECK_MS = 1_000

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The requests to stop this process. */
export interface StopRequests {
  /** Resolves at the first request: finish running work, then stop. */
  readonly first: Promise<void>
  /** Resolves at the second request: stop immediately. A third one ends the process. */
  readonly second: Promise<void>
  readonly isStopping: boolean
  /**
   * Delays the effect of a later SIGTERM, which calls `onDelay`: it counts as the first request only after
   * `delaySeconds`, or when another signal arrives. Other signals have their effect at once.
   */
  delaySigterm(options: { delaySeconds: number; onDelay(): void }): void
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
  let startDelay: (() => NodeJS.Timeout) | null = null
  let delay: NodeJS.Timeout | null = null
  const stop = (): void => {
    if (delay) clearTimeout(delay)
    count += 1
    if (count === 1) first.resolve()
    else if (count === 2) second.resolve()
    else process.exit(1)
  }
  const request = (signal?: NodeJS.Signals): void => {
    if (performance.now() - lastMs < DUPLICATE_SIGNAL_MS) return
    lastMs = performance.now()
    if (signal === 'SIGTERM' && startDelay && !delay && count === 0) delay = startDelay()
    else stop()
  }
  for (const signal of SIGNALS) process.on(signal, request)
  // A closed terminal or pipe must not cause an error during the shutdown.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  if (followsParent) followParent(request)
  return {
    first: first.promise,
    second: second.promise,
    get isStopping() {
      return count > 0
    },
    delaySigterm({ delaySeconds, onDelay }) {
      if (delaySeconds === 0) return
      startDelay = () => {
        onDelay()
        return setTimeout(stop, delaySeconds * 1_000)
      }
    },
  }
}

/** Requests a stop when the parent process ends: npm forwards only SIGINT and SIGTERM, so this process would remain. */
function followParent(request: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    request()
  }, PARENT_CHECK_MS)
  timer.unref()
}
