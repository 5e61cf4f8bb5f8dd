/** A pseudorandom generator with a seed. */
export interface Random {
  readonly seed: number
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number
  /** Returns an integer from `min` to `max`, both inclusive. */
  between(min: number, max: number): number
  pick<T>(list: readonly T[]): T
  /** Returns `count` different items in random order, or all if there are fewer. */
  some<T>(list: readonly T[], count: number): T[]
}

/** Creates a Mulberry32 generator, with 32 bits of state, which is sufficient for tests and generated data. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    seed,
    next,
    between,
    pick: <T>(list: readonly T[]) => list[between(0, list.length - 1)] as T,
    some<T>(list: readonly T[], count: number) {
      const rest = [...list]
      const chosen: T[] = []
      while (chosen.length < count && rest.length > 0) chosen.push(...rest.splice(between(0, rest.length - 1), 1))
      return chosen
    },
  }
}

/** Returns the seed of the environment variable `FAULT_SEED`, or a new one. */
export function chooseSeed(): number {
  const given = process.env['FAULT_SEED']
  return given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given)
}
