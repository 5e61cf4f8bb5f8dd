/** Limits how many tasks run at the same time. Other tasks wait and start in the order of their calls. */
export class Semaphore {
  readonly #waiting: (() => void)[] = []
  #free: number

  constructor({ permits }: { permits: number }) {
    this.#free = permits
  }

  /** The number of waiting tasks. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** Whether a task would start immediately. */
  get isFree(): boolean {
    return this.#free > 0
  }

  /** Starts all waiting tasks at once, beyond the limit. For tasks that then have nothing to do. */
  admitWaiting(): void {
    const admitted = this.#waiting.splice(0)
    this.#free -= admitted.length
    for (const begin of admitted) begin()
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((begin) => this.#waiting.push(begin))
    try {
      return await work()
    } finally {
      // The permit passes directly to the next waiting task, so that a new call cannot use it as well.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free += 1
    }
  }
}
