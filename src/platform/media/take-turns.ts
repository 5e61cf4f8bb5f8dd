/** Runs `work` as soon as `places` are free for it; first come, first served, so that large work is never starved. */
export type Turn = <T>(need: { places: number }, work: () => Promise<T>) => Promise<T>

/** At most `places` are taken at any time. Work that needs more than there are waits until all are free. */
export function takeTurns({ places }: { places: number }): Turn {
  let free = places
  const waiting: { needs: number; begin: () => void }[] = []

  function admit() {
    while (waiting.length > 0 && waiting[0]!.needs <= free) {
      const next = waiting.shift()!
      free -= next.needs
      next.begin()
    }
  }

  return async (need, work) => {
    const needs = Math.min(need.places, places)
    await new Promise<void>((begin) => {
      waiting.push({ needs, begin })
      admit()
    })
    try {
      return await work()
    } finally {
      free += needs
      admit()
    }
  }
}
