import { Readable } from 'node:stream'

/** How much of a discarded body is read so that its connection can be reused, and for how long. */
const DISCARD_BYTES = 64 * 1024
const DISCARD_MS = 1000

/** A body of undici. */
interface DiscardableBody {
  dump(options: { limit: number; signal: AbortSignal }): Promise<unknown>
}

/** Discards a body. Reads a small rest of it, so that its connection can be reused. */
export function discardBody({ body }: { body: DiscardableBody }): Readable {
  body.dump({ limit: DISCARD_BYTES, signal: AbortSignal.timeout(DISCARD_MS) }).catch(() => {})
  return Readable.from([])
}
