/** Runs `work` as soon as `slots` are free for it, in the order of the calls, so that large work is never starved. */
export type RunLimited = <T>(need: { slots: number }, work: () => Promise<T>) => Promise<T>

/** Returns a function that uses at most `slots` at any time. Work that needs more than `slots` gets all of them. */
export function createConcurrencyLimiter({ slots }: { slots: number }): RunLimited {
  let freeSlots = slots
  const pending: { needs: number; begin: () => void }[] = []

  function startPending() {
    while (pending.length > 0 && pending[0]!.needs <= freeSlots) {
      const next = pending.shift()!
      freeSlots -= next.needs
      next.begin()
    }
  }

  return async (need, work) => {
    const needs = Math.min(need.slots, slots)
    await new Promise<void>((begin) => {
      pending.push({ needs, begin })
      startPending()
    })
    try {
      return await work()
    } finally {
      freeSlots += needs
      startPending()
    }
  }
}
