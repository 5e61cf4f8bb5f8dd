/** Lets so many do something at a time. The others wait, and are let in by the order in which they came. */
export class Gate {
  readonly #waiting: (() => void)[] = []
  #free: number

  constructor({ places }: { places: number }) {
    this.#free = places
  }

  /** How many wait just now. */
  get waiting(): number {
    return this.#waiting.length
  }

  async pass<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((begin) => this.#waiting.push(begin))
    try {
      return await work()
    } finally {
      // Whoever waits gets this very place, so nobody who comes meanwhile can take it as well.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free += 1
    }
  }
}
