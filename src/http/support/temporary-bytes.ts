import { TooManyRequests, Unavailable } from '../../lib/errors.ts'

/** Bytes of uploads that lie in the temporary folder of this process at once, reserved before anything is written. */
export interface TemporaryBytes {
  /**
   * Reserves bytes for a request. Returns what releases them.
   * @throws TooManyRequests when this owner has reserved too much · Unavailable when all owners together have
   */
  reserve(input: { owner: string; bytes: number }): () => void
}

/** Counts in this process: each process writes its own temporary files. */
export function limitTemporaryBytes({ perOwner, total }: { perOwner: number; total: number }): TemporaryBytes {
  const byOwner = new Map<string, number>()
  let sum = 0
  const add = (owner: string, bytes: number) => {
    sum += bytes
    const left = (byOwner.get(owner) ?? 0) + bytes
    if (left > 0) byOwner.set(owner, left)
    else byOwner.delete(owner)
  }
  return {
    reserve({ owner, bytes }) {
      if ((byOwner.get(owner) ?? 0) + bytes > perOwner) throw new TooManyRequests()
      if (sum + bytes > total) throw new Unavailable()
      add(owner, bytes)
      let isReserved = true
      return () => {
        if (isReserved) add(owner, -bytes)
        isReserved = false
      }
    },
  }
}
