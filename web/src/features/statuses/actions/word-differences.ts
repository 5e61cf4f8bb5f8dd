/** A part of two texts: in both, only in the newer one, or only in the older one. */
export interface Difference {
  type: 'same' | 'added' | 'removed'
  text: string
}

/** Above this product of lengths, a comparison would block the page. */
const MAX_COMPARISONS = 4_000_000

/** Returns the words by which a text differs from an older one. */
export function compareWords(older: string, newer: string): Difference[] {
  const [a, b] = [splitWords(older), splitWords(newer)]
  let start = 0
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start += 1
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1
  return join([
    ...a.slice(0, start).map((text) => ({ type: 'same' as const, text })),
    ...compare(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...a.slice(a.length - end).map((text) => ({ type: 'same' as const, text })),
  ])
}

const splitWords = (text: string): string[] => text.split(/(\s+)/).filter((word) => word !== '')

/** Compares two lists of words by their longest common subsequence. */
function compare(a: readonly string[], b: readonly string[]): Difference[] {
  const removed = (text: string): Difference => ({ type: 'removed', text })
  const added = (text: string): Difference => ({ type: 'added', text })
  if (a.length * b.length > MAX_COMPARISONS) return [...a.map(removed), ...b.map(added)]
  const width = b.length + 1
  // lengths[i * width + j]: the length of the longest common subsequence of a[i…] and b[j…]
  const lengths = new Uint32Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] =
        a[i] === b[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!)
  const differences: Difference[] = []
  let [i, j] = [0, 0]
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      differences.push({ type: 'same', text: a[i]! })
      i += 1
      j += 1
    } else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) differences.push(removed(a[i++]!))
    else differences.push(added(b[j++]!))
  }
  return [...differences, ...a.slice(i).map(removed), ...b.slice(j).map(added)]
}

/** Joins neighbours of the same type. */
function join(differences: readonly Difference[]): Difference[] {
  const joined: Difference[] = []
  for (const { type, text } of differences) {
    const last = joined.at(-1)
    if (last?.type === type) last.text += text
    else joined.push({ type, text })
  }
  return joined
}
