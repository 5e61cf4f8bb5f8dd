/** Returns the median; of an even number of values the upper one of the two in the middle, of no values 0. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
