import { Readable } from 'node:stream'

/** How much of a discarded body is read so that its connection can be reused, and for how long. */
const DISCARD_BYTES = 64 * 1024
const DISCARD_MS = 1000

/** A body of undici. */
export interface DiscardableBody {
  dump(options: { limit: number; signal?: AbortSignal }): Promise<unknown>
}

/**
 * Discards a body. Reads a small rest of it, so that its connection can be reused. `isEmpty`: the headers announce no
 * body, so that it needs no time limit.
 */
export function discardBody(body: DiscardableBody, { isEmpty = false } = {}): Readable {
  const limits = isEmpty ? {} : { signal: AbortSignal.timeout(DISCARD_MS) }
  body.dump({ limit: DISCARD_BYTES, ...limits }).catch(() => {})
  return new Readable({
    read() {
      this.push(null)
    },
  })
}
