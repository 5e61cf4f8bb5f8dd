import type { Log } from './log.ts'

/** Reports an operation that is repeated in short intervals. */
export interface FailureReport {
  failed(err: unknown): void
  succeeded(): void
}

/**
 * Of consecutive failures, logs only the first one as a warning: an outage of an hour would fill the log with them.
 * `recovery`: the line for the first success after failures.
 */
export function reportFirstFailure(
  log: Log,
  text: string,
  { recovery = null }: { recovery?: string | null } = {},
): FailureReport {
  let isFailing = false
  return {
    failed(err) {
      log[isFailing ? 'debug' : 'warn']({ err }, text)
      isFailing = true
    },
    succeeded() {
      if (isFailing && recovery !== null) log.info({}, recovery)
      isFailing = false
    },
  }
}
