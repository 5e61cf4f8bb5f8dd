/**
 * Ids of statuses contain their time. The high bits of an id identify its time slice, which is indexed like a word: if
 * a search requires that word, PostgreSQL only reads the entries of the slice. There are five levels of slices, each
 * eight times as long as the one before: 70 minutes, 9 hours, 3 days, 25 days, 199 days.
 */
const SHIFTS = [38n, 41n, 44n, 47n, 50n] as const

/** The number of slices of one level that are searched before those of the next level. */
const SLICES_PER_LEVEL = 8

/** Returns the words of all time slices that contain a status. */
export function slicesOf(statusId: string): string[] {
  return SHIFTS.map((shift, level) => sliceName(level, BigInt(statusId) >> shift))
}

/**
 * Returns the slices from the highest id down to the lowest, inclusively, newest first and short ones first. A search
 * for frequent words finds enough statuses in the first slices; a search for rare words reads fewer than 200 slices.
 */
export function timeSlicesBetween(lowest: string, highest: string): string[] {
  const names: string[] = []
  const end = BigInt(lowest)
  let top = BigInt(highest)
  for (const [level, shift] of SHIFTS.entries()) {
    const isLast = level === SHIFTS.length - 1
    for (let count = 0; top >= end; count += 1) {
      const place = top >> shift
      // Slices of the next level can only begin at the end of such a slice.
      if (!isLast && count >= SLICES_PER_LEVEL && place % 8n === 7n) break
      names.push(sliceName(level, place))
      top = (place << shift) - 1n
    }
  }
  return names
}

function sliceName(level: number, place: bigint): string {
  return `/${level}:${place.toString(36)}`
}
