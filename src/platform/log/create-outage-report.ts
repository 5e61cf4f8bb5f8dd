import type { Log } from './log.ts'

/** During an outage, a busy server logs so many equal failures per second that one line reports them all. */
const REPORT_INTERVAL_MS = 10_000

/** Returns a function that logs a failure: as a warning at most once in ten seconds, otherwise at the level `debug`. */
export function createOutageReport(log: Log, text: string): (fields: { err: Error } & Record<string, unknown>) => void {
  let reportedAt = Number.NEGATIVE_INFINITY
  return (fields) => {
    const isReported = performance.now() - reportedAt < REPORT_INTERVAL_MS
    log[isReported ? 'debug' : 'warn'](fields, text)
    if (!isReported) reportedAt = performance.now()
  }
}
