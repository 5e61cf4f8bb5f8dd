import { parseRetryAfter } from '../../lib/http/parse-retry-after.ts'
import { FetchFailedError, FetchRefusedError } from '../../platform/fetch/fetch-errors.ts'
import { circuitBreakerBackoff, RATE_LIMITED_BACKOFF_MS, retryBackoff } from './backoff.ts'

/** The result of one delivery attempt. */
export interface DeliveryResult {
  outcome:
    | 'delivered'
    /** Permanently: another attempt would get the same response. */
    | 'rejected'
    /** The host does not accept the signature, perhaps only because it can't fetch the key at the moment. */
    | 'denied'
    /** The host works but limits the rate of requests. */
    | 'busy'
    /** The host responded with an error of its own. */
    | 'failed'
    /** No response. */
    | 'no response'
    /** The request was not sent because of an error on this server. */
    | 'unsent'
  /** The HTTP status; null without a response. */
  status: number | null
  error: string | null
  /** The earliest time for the next attempt; null if the host names none. */
  retryAfter: Date | null
}

/** The 4xx statuses after which another attempt may succeed. */
const RETRYABLE_STATUSES = new Set([401, 408, 425, 429])

/** Classifies a response by its status and its headers. */
export function resultOfResponse(
  { status, headers }: { status: number; headers: Readonly<Record<string, string>> },
  { now }: { now: Date },
): DeliveryResult {
  const until = status === 429 || status === 503 ? parseRetryAfter(headers['retry-after'], { now }) : null
  return { outcome: outcomeOfStatus(status), status, error: null, retryAfter: until }
}

function outcomeOfStatus(status: number): DeliveryResult['outcome'] {
  if (status >= 200 && status < 300) return 'delivered'
  if (status === 401) return 'denied'
  if (status === 429) return 'busy'
  if ((status >= 400 && status < 500 && !RETRYABLE_STATUSES.has(status)) || status === 501) return 'rejected'
  // Redirects, too: an activity is only sent to the inbox URL that the actor published.
  return 'failed'
}

/** Classifies an error that was thrown instead of a response. */
export function resultOfError(err: unknown): DeliveryResult {
  const error = (err instanceof Error ? err.message : String(err)).slice(0, 300)
  return { outcome: outcomeOfError(err), status: null, error, retryAfter: null }
}

function outcomeOfError(err: unknown): DeliveryResult['outcome'] {
  if (err instanceof FetchRefusedError) return 'rejected'
  return err instanceof FetchFailedError ? 'no response' : 'unsent'
}

/** The health of a host: its consecutive failures, and the end of its backoff, until which nothing is sent to it. */
export interface HostHealth {
  failures: number
  backoffUntil: Date | null
}

/** Returns the health of a host after one more attempt. */
export function updateHealth(
  before: HostHealth,
  { outcome, retryAfter }: DeliveryResult,
  { now }: { now: Date },
): HostHealth {
  const { failures } = before
  const retryTime = (backoffMs: number) => retryAfter ?? (backoffMs > 0 ? new Date(now.getTime() + backoffMs) : null)
  switch (outcome) {
    case 'delivered':
    case 'rejected':
    case 'denied':
      return { failures: 0, backoffUntil: null }
    case 'unsent':
      return before
    case 'busy':
      return { failures, backoffUntil: retryTime(RATE_LIMITED_BACKOFF_MS) }
    case 'failed':
      return { failures: failures + 1, backoffUntil: retryTime(circuitBreakerBackoff(failures + 1)) }
    case 'no response':
      return { failures: failures + 1, backoffUntil: retryTime(retryBackoff(failures + 1)) }
  }
}
