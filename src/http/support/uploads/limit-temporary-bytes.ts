import { TooManyRequestsError, ServiceUnavailableError } from '../../../lib/errors.ts'

/** Limits the bytes of uploads that this process stores temporarily. Requests reserve bytes before they write. */
export interface TemporaryByteLimiter {
  /**
   * Reserves bytes for a request. Returns a function that releases them.
   * @throws TooManyRequestsError if this owner has reserved too much; ServiceUnavailableError if all owners together
   * have
   */
  reserve(input: { owner: string; bytes: number }): () => void
}

/** Creates a limiter that counts in memory, since every process writes its own temporary files. */
export function limitTemporaryBytes({ perOwner, total }: { perOwner: number; total: number }): TemporaryByteLimiter {
  const byOwner = new Map<string, number>()
  let sum = 0
  const add = (owner: string, bytes: number) => {
    sum += bytes
    const reserved = (byOwner.get(owner) ?? 0) + bytes
    if (reserved > 0) byOwner.set(owner, reserved)
    else byOwner.delete(owner)
  }
  return {
    reserve({ owner, bytes }) {
      if ((byOwner.get(owner) ?? 0) + bytes > perOwner) throw new TooManyRequestsError()
      if (sum + bytes > total) throw new ServiceUnavailableError()
      add(owner, bytes)
      let isReserved = true
      return () => {
        if (isReserved) add(owner, -bytes)
        isReserved = false
      }
    },
  }
}
