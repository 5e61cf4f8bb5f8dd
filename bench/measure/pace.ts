/** The duration of windows and the number of rounds. */
export interface Pace {
  name: 'full' | 'quick'
  warmUpMs: number
  windowMs: number
  rounds: number
}

export const PACES: Record<Pace['name'], Pace> = {
  full: { name: 'full', warmUpMs: 2_000, windowMs: 10_000, rounds: 3 },
  quick: { name: 'quick', warmUpMs: 500, windowMs: 2_000, rounds: 3 },
}
