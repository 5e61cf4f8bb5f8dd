import { readRetryAfter } from '../../lib/retry-after.ts'
import { FetchFailed, FetchRefused } from '../../platform/fetch/refusals.ts'
import { breakerAfter, BUSY_PAUSE_MS, pauseAfter } from './pauses.ts'

/** What came of one attempt. */
export interface Verdict {
  outcome:
    | 'delivered'
    /** For good: another attempt would meet the same answer. */
    | 'refused'
    /** The host does not take our signature, perhaps only because it can't ask for our key just now. */
    | 'denied'
    /** The host is well and wants to be left alone for a while. */
    | 'busy'
    /** The host answered that something is wrong with itself. */
    | 'failed'
    /** No answer. */
    | 'unreachable'
    /** It did not leave: something is wrong on our side. */
    | 'unsent'
  /** The status code; null without an answer. */
  status: number | null
  error: string | null
  /** Not before; null: the host does not say. */
  until: Date | null
}

/** For these codes of the 400s another attempt may do better. */
const PASSING = new Set([401, 408, 425, 429])

/** Judges an answer by its status and its headers. */
export function judgeAnswer(
  { status, headers }: { status: number; headers: Readonly<Record<string, string>> },
  { now }: { now: Date },
): Verdict {
  const until = status === 429 || status === 503 ? readRetryAfter(headers['retry-after'], { now }) : null
  return { outcome: outcomeOf(status), status, error: null, until }
}

function outcomeOf(status: number): Verdict['outcome'] {
  if (status >= 200 && status < 300) return 'delivered'
  if (status === 401) return 'denied'
  if (status === 429) return 'busy'
  if ((status >= 400 && status < 500 && !PASSING.has(status)) || status === 501) return 'refused'
  // Redirects, too: a post is not sent to another place than was agreed.
  return 'failed'
}

/** Judges what was thrown where an answer should have been. */
export function judgeError(err: unknown): Verdict {
  const error = (err instanceof Error ? err.message : String(err)).slice(0, 300)
  return { outcome: outcomeOfError(err), status: null, error, until: null }
}

function outcomeOfError(err: unknown): Verdict['outcome'] {
  if (err instanceof FetchRefused) return 'refused'
  return err instanceof FetchFailed ? 'unreachable' : 'unsent'
}

/** How a host does: how often in a row it failed, and until when nothing is sent to it. */
export interface Health {
  failures: number
  restsUntil: Date | null
}

/** How a host does after one more attempt. */
export function healthAfter(before: Health, { outcome, until }: Verdict, { now }: { now: Date }): Health {
  const { failures } = before
  const after = (pauseMs: number) => until ?? (pauseMs > 0 ? new Date(now.getTime() + pauseMs) : null)
  switch (outcome) {
    case 'delivered':
    case 'refused':
    case 'denied':
      return { failures: 0, restsUntil: null }
    case 'unsent':
      return before
    case 'busy':
      return { failures, restsUntil: after(BUSY_PAUSE_MS) }
    case 'failed':
      return { failures: failures + 1, restsUntil: after(breakerAfter(failures + 1)) }
    case 'unreachable':
      return { failures: failures + 1, restsUntil: after(pauseAfter(failures + 1)) }
  }
}
