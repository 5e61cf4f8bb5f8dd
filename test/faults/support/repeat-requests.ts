import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'

/** The number of responses by status code. */
export type StatusCounts = Record<number, number>

export interface RepeatedRequest {
  path: string
  token?: string
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
}

/** The pause between two requests, so that reading does not displace the writes of the test. */
const PAUSE_MS = 15

/** The time limit of a request: longer than a request waits for a database connection. */
export const ANSWER_MS = 30_000

/**
 * Repeats these requests, one after the other, until `stop`, and counts the responses. A missing response is a failure,
 * and so is a server error unless it is a 503 with `Retry-After`.
 */
export function repeatRequests(
  origin: string,
  requests: readonly RepeatedRequest[],
): { counts: StatusCounts; done: Promise<void>; stop(): void } {
  const counts: StatusCounts = {}
  let stopped = false
  const send = async ({ path, token, method = 'GET', headers = {}, body }: RepeatedRequest): Promise<void> => {
    const response = await fetch(origin + path, {
      method,
      headers: { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS),
      ...(body !== undefined && { body }),
    })
    await response.arrayBuffer()
    const { status } = response
    counts[status] = (counts[status] ?? 0) + 1
    assert.ok(status < 500 || status === 503, `${method} ${path} answered ${status}`)
    if (status === 503) assert.match(response.headers.get('retry-after') ?? '', /^[1-9]\d*$/, `${path}: Retry-After`)
  }
  const run = async (): Promise<void> => {
    for (let n = 0; !stopped; n += 1) {
      await send(requests[n % requests.length]!)
      await wait(PAUSE_MS)
    }
  }
  return {
    counts,
    done: run(),
    stop() {
      stopped = true
    },
  }
}
