import { firstStatusIdAt } from '../../../lib/ids.ts'
import type { Tx } from '../../context.ts'

/** A remote status published within this time gets the next id of the sequence, like a local status. */
const RECENT_MS = 1_000

/** How many ids in the past are tried. Each one is drawn from a period four times as long as the period before. */
const MAX_ATTEMPTS = 6

const SLOTS_PER_MS = 2 ** 16

/**
 * Yields ids to try for a remote status or reblog published at `at`; null stands for the next id of the sequence. Ids
 * in the past are drawn at random, because no sequence exists for remote statuses of the same millisecond. If an id is
 * taken, the next one may belong to a slightly later time.
 */
export function* candidateIds(
  tx: Pick<Tx, 'now'>,
  { at, random }: { at: Date; random: (max: number) => number },
): Generator<string | null> {
  if (at.getTime() < tx.now.getTime() - RECENT_MS) {
    const first = BigInt(firstStatusIdAt(at))
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1)
      yield (first + BigInt(random(SLOTS_PER_MS * 4 ** attempt))).toString()
  }
  yield null
}
