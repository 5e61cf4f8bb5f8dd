import { firstStatusIdAt } from '../../../lib/ids.ts'
import type { Tx } from '../../context.ts'

/** A remote status published within this time gets the next id of the sequence, like a local status. */
const RECENT_MS = 1_000

/**
 * The milliseconds from which ids in the past are drawn, one id after the other. The first two ids have the time of the
 * status: one of forty statuses of a millisecond has the id of another one in 1 % of cases, and hardly ever twice.
 */
const PERIODS_MS = [1, 1, 4, 16, 64, 256, 1_024]

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
    for (const period of PERIODS_MS) yield (first + BigInt(random(SLOTS_PER_MS * period))).toString()
  }
  yield null
}
