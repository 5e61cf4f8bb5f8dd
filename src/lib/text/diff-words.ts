/** A part of the text that is in both versions, only in the later one, or only in the earlier one. */
export type DiffPart = { kind: 'same' | 'added' | 'removed'; text: string }

/** Texts with more changes are treated as completely different: the time grows with the square of the changes. */
const MAX_CHANGES = 600

const words = new Intl.Segmenter(undefined, { granularity: 'word' })

/**
 * Returns the differences of two texts by words, in order: `same` and `removed` together are `before`, `same` and
 * `added` are `after`. Of adjacent parts, `removed` comes first. White space between changes counts as changed.
 */
export function diffWords(before: string, after: string): DiffPart[] {
  const [old, current] = [splitWords(before), splitWords(after)]
  let start = 0
  while (start < old.length && start < current.length && old[start] === current[start]) start += 1
  let end = 0
  const rest = Math.min(old.length, current.length) - start
  while (end < rest && old[old.length - 1 - end] === current[current.length - 1 - end]) end += 1
  const middle = diffMyers(old.slice(start, old.length - end), current.slice(start, current.length - end))
  return mergeParts([
    ...old.slice(0, start).map((text): DiffPart => ({ kind: 'same', text })),
    ...middle,
    ...old.slice(old.length - end).map((text): DiffPart => ({ kind: 'same', text })),
  ])
}

function splitWords(text: string): string[] {
  return Array.from(words.segment(text), ({ segment }) => segment)
}

/** Returns the shortest edit script between two lists (Myers' greedy algorithm). */
function diffMyers(old: readonly string[], current: readonly string[]): DiffPart[] {
  const maxChanges = Math.min(old.length + current.length, MAX_CHANGES)
  /** How far into `old` each diagonal reaches, for each number of changes, for the backtracking. */
  const reached: Int32Array[] = []
  let reach = new Int32Array(2 * maxChanges + 3)
  const middle = maxChanges + 1
  for (let changes = 0; changes <= maxChanges; changes += 1) {
    reached.push(reach.slice())
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      let x = isAddition(reach, { middle, diagonal, changes })
        ? reach[middle + diagonal + 1]!
        : reach[middle + diagonal - 1]! + 1
      while (x < old.length && x - diagonal < current.length && old[x] === current[x - diagonal]) x += 1
      reach[middle + diagonal] = x
      if (x >= old.length && x - diagonal >= current.length) return backtrack(old, current, { reached, middle })
    }
  }
  return [
    ...old.map((text): DiffPart => ({ kind: 'removed', text })),
    ...current.map((text): DiffPart => ({ kind: 'added', text })),
  ]
}

/** Returns whether the furthest path to a diagonal ends with an addition. */
function isAddition(
  reach: Int32Array,
  { middle, diagonal, changes }: { middle: number; diagonal: number; changes: number },
): boolean {
  if (diagonal === -changes) return true
  return diagonal !== changes && reach[middle + diagonal - 1]! < reach[middle + diagonal + 1]!
}

function backtrack(
  old: readonly string[],
  current: readonly string[],
  { reached, middle }: { reached: readonly Int32Array[]; middle: number },
): DiffPart[] {
  const parts: DiffPart[] = []
  let [x, y] = [old.length, current.length]
  for (let changes = reached.length - 1; x > 0 || y > 0; changes -= 1) {
    const reach = reached[changes]!
    const diagonal = x - y
    const added = isAddition(reach, { middle, diagonal, changes })
    const from = changes === 0 ? 0 : reach[middle + diagonal + (added ? 1 : -1)]!
    const fromY = changes === 0 ? 0 : from - diagonal - (added ? 1 : -1)
    while (x > from && y > fromY) {
      parts.push({ kind: 'same', text: old[x - 1]! })
      x -= 1
      y -= 1
    }
    if (changes === 0) break
    parts.push(added ? { kind: 'added', text: current[y - 1]! } : { kind: 'removed', text: old[x - 1]! })
    x = from
    y = fromY
  }
  return parts.toReversed()
}

/** Joins adjacent parts, treats white space between changes as changed, and puts removed parts before added ones. */
function mergeParts(parts: readonly DiffPart[]): DiffPart[] {
  const merged: DiffPart[] = []
  let removed = ''
  let added = ''
  let blanks = ''
  const flush = () => {
    if (removed !== '') merged.push({ kind: 'removed', text: removed })
    if (added !== '') merged.push({ kind: 'added', text: added })
    const last = merged.at(-1)
    if (blanks !== '' && last?.kind === 'same') last.text += blanks
    else if (blanks !== '') merged.push({ kind: 'same', text: blanks })
    removed = added = blanks = ''
  }
  for (const { kind, text } of parts) {
    const isChanging = removed !== '' || added !== ''
    if (kind === 'same' && isChanging && text.trim() === '') blanks += text
    else if (kind === 'same') {
      flush()
      const last = merged.at(-1)
      if (last?.kind === 'same') last.text += text
      else merged.push({ kind: 'same', text })
    } else {
      if (removed !== '') removed += blanks
      if (added !== '') added += blanks
      if (blanks !== '' && removed === '') removed = blanks
      if (blanks !== '' && added === '') added = blanks
      blanks = ''
      if (kind === 'removed') removed += text
      else added += text
    }
  }
  flush()
  return merged
}
