import { statusIdAt } from '../../lib/ids.ts'
import type { Tx } from '../context.ts'

/** What happened so lately gets the next id, as if it had happened here now. */
const LATELY_MS = 1_000

/** How many ids of the past are tried. Each time they may lie in four times as many milliseconds as before. */
const TRIES = 6

const SLOTS_PER_MS = 2 ** 16

/**
 * Ids to try for what happened elsewhere, at that moment: null stands for the next id. They are drawn at random, since
 * those who happen at the same moment elsewhere are not counted together; where a moment is crowded, soon after it.
 */
export function* pastIds(
  tx: Pick<Tx, 'now'>,
  { at, random }: { at: Date; random: (max: number) => number },
): Generator<string | null> {
  if (at.getTime() < tx.now.getTime() - LATELY_MS) {
    const first = BigInt(statusIdAt(at))
    for (let tried = 0; tried < TRIES; tried += 1) yield (first + BigInt(random(SLOTS_PER_MS * 4 ** tried))).toString()
  }
  yield null
}
