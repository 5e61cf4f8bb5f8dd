/** Numbers that look random and are the same for the same seed. */
export interface Random {
  readonly seed: number
  /** From 0 up to, but without, 1. */
  next(): number
  /** A whole number from `min` to `max`. */
  between(min: number, max: number): number
  pick<T>(list: readonly T[]): T
  /** Several different ones, in random order; all when there are fewer. */
  some<T>(list: readonly T[], count: number): T[]
}

/** Mulberry32: 32 bits of state, good enough for tests and made-up worlds. */
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
      const taken: T[] = []
      while (taken.length < count && rest.length > 0) taken.push(...rest.splice(between(0, rest.length - 1), 1))
      return taken
    },
  }
}

/** The seed that the environment names under `FAULT_SEED`, or a new one. */
export function chooseSeed(): number {
  const given = process.env['FAULT_SEED']
  return given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given)
}
