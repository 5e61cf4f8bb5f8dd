import { Readable } from 'node:stream'

/** What of an unwanted body is read to keep its connection, and for how long. */
const DISCARD_BYTES = 64 * 1024
const DISCARD_MS = 1000

/** A body of undici. */
interface Dumpable {
  dump(options: { limit: number; signal: AbortSignal }): Promise<unknown>
}

/** Reads what is cheap to read of a body that nobody wants, so that its connection can serve again. */
export function discard({ body }: { body: Dumpable }): Readable {
  body.dump({ limit: DISCARD_BYTES, signal: AbortSignal.timeout(DISCARD_MS) }).catch(() => {})
  return Readable.from([])
}
