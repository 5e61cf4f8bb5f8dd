/** Differences that still count as a typing error: one in a short name, a third of the characters of a long one. */
const MISTYPED_SHARE = 1 / 3

/**
 * Returns the name that a mistyped word most likely means, or null when none resembles it. Capital letters and the
 * difference between `-` and `_` do not count; of equally near names the first is taken.
 */
export function findNearestName(word: string, names: Iterable<string>): string | null {
  let nearest: { name: string; distance: number } | null = null
  for (const name of names) {
    const distance = countEdits(fold(word), fold(name))
    const allowed = Math.max(1, Math.floor(Math.max(word.length, name.length) * MISTYPED_SHARE))
    if (distance <= allowed && (nearest === null || distance < nearest.distance)) nearest = { name, distance }
  }
  return nearest?.name ?? null
}

function fold(name: string): string {
  return name.toLowerCase().replaceAll('_', '-')
}

/**
 * Counts the characters to insert, delete, replace or swap with their neighbour until one text is the other
 * (the optimal string alignment distance).
 */
function countEdits(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = last[column - 1]! + (from[row - 1] === to[column - 1] ? 0 : 1)
      const isSwapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      const swapped = isSwapped ? beforeLast[column - 2]! + 1 : Number.POSITIVE_INFINITY
      current.push(Math.min(replaced, swapped, last[column]! + 1, current[column - 1]! + 1))
    }
    beforeLast = last
    last = current
  }
  return last[to.length]!
}
