/** Pairs of what was told and to whom that are remembered: the newest, for much longer than a job takes to run again. */
const KEPT = 100_000

/**
 * What this process has told lately. Whoever takes over a job from a process that died in the middle of it can't know
 * what was said by then, and says all of it again.
 */
export class Told {
  readonly #listeners = new Map<string, Set<string>>()
  readonly #kept: number
  #size = 0

  constructor({ kept = KEPT }: { kept?: number } = {}) {
    this.#kept = kept
  }

  /** Of these listeners, those who were not told of this yet. From now on they were. */
  keepNew(what: string, listeners: readonly string[]): string[] {
    const told = this.#listeners.get(what) ?? new Set()
    const others = [...new Set(listeners).difference(told)]
    for (const one of others) told.add(one)
    this.#listeners.set(what, told)
    this.#size += others.length
    for (const [oldest, { size }] of this.#listeners) {
      if (this.#size <= this.#kept || oldest === what) break
      this.#listeners.delete(oldest)
      this.#size -= size
    }
    return others
  }
}
