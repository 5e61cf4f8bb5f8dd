import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'

/** Answers, counted by status. */
export type Counts = Record<number, number>

export interface Visit {
  path: string
  token?: string
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
}

/** Pause between two requests of a visitor, so that reading does not displace the writes of the test. */
const PAUSE_MS = 15

/** A request that has no answer by then never gets one: longer than a request waits for a connection to the database. */
export const ANSWER_MS = 30_000

/**
 * Requests each of these addresses again and again until `stop`, and counts the answers.
 * A server error is a failure unless it is a 503 with `Retry-After`; so is a missing answer.
 */
export function visitRepeatedly(
  origin: string,
  visits: readonly Visit[],
): { counts: Counts; done: Promise<void>; stop(): void } {
  const counts: Counts = {}
  let stopped = false
  const visit = async ({ path, token, method = 'GET', headers = {}, body }: Visit): Promise<void> => {
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
      await visit(visits[n % visits.length]!)
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
