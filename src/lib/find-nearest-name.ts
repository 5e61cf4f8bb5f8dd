/** Maximum share of differing characters of a typing error. One difference is always allowed. */
const MISTYPED_SHARE = 1 / 3

/**
 * Returns the name that is most similar to a mistyped word, or null if none is. Ignores case and the difference between
 * `-` and `_`. Of equally similar names, returns the first.
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
 * Returns the optimal string alignment distance: how many characters must be inserted, deleted, replaced or swapped
 * with their neighbour.
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
