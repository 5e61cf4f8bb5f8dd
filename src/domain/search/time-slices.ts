/**
 * Ids of statuses are times. So the stretch of time in which one lies is the beginning of its id, and is entered as if it
 * were a word: searched with such a word, the index looks into that stretch alone. There are stretches of five lengths,
 * each eight times as long as the one before: 70 minutes, 9 hours, 3 days, 25 days, 199 days.
 */
const SHIFTS = [38n, 41n, 44n, 47n, 50n] as const

/** A longer stretch is looked into when so many of the shorter ones had too little. */
const STRETCHES = 8

/** The words for all the stretches in which a status lies. */
export function slicesOf(statusId: string): string[] {
  return SHIFTS.map((shift, level) => nameOf(level, BigInt(statusId) >> shift))
}

/**
 * The stretches from one id down to another, both included, newest first, short ones first: what is in many statuses is
 * found in the first of them, and what is in few in less than two hundred altogether.
 */
export function slicesBetween(lowest: string, highest: string): string[] {
  const names: string[] = []
  const end = BigInt(lowest)
  let top = BigInt(highest)
  for (const [level, shift] of SHIFTS.entries()) {
    const isLast = level === SHIFTS.length - 1
    for (let taken = 0; top >= end; taken += 1) {
      const place = top >> shift
      // The next longer ones begin where a longer one ends.
      if (!isLast && taken >= STRETCHES && place % 8n === 7n) break
      names.push(nameOf(level, place))
      top = (place << shift) - 1n
    }
  }
  return names
}

function nameOf(level: number, place: bigint): string {
  return `/${level}:${place.toString(36)}`
}
