/** A stretch of text that is in both versions, only in the later one, or only in the earlier one. */
export type Piece = { kind: 'same' | 'added' | 'removed'; text: string }

/** Texts that differ in more words than this are told as altogether different: finding out costs the square of it. */
const MAX_CHANGES = 600

const words = new Intl.Segmenter(undefined, { granularity: 'word' })

/**
 * What changed from one text to the other, word by word, as pieces in their order: `same` and `removed` together are
 * `before`, `same` and `added` are `after`. Of neighbours what was removed comes first, and blanks between changes count
 * as changed.
 */
export function differencesOf(before: string, after: string): Piece[] {
  const [old, fresh] = [cut(before), cut(after)]
  let start = 0
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1
  let end = 0
  const rest = Math.min(old.length, fresh.length) - start
  while (end < rest && old[old.length - 1 - end] === fresh[fresh.length - 1 - end]) end += 1
  const middle = compare(old.slice(start, old.length - end), fresh.slice(start, fresh.length - end))
  return gather([
    ...old.slice(0, start).map((text): Piece => ({ kind: 'same', text })),
    ...middle,
    ...old.slice(old.length - end).map((text): Piece => ({ kind: 'same', text })),
  ])
}

function cut(text: string): string[] {
  return Array.from(words.segment(text), ({ segment }) => segment)
}

/** The shortest way from one list to the other, by Myers' greedy search. */
function compare(old: readonly string[], fresh: readonly string[]): Piece[] {
  const most = Math.min(old.length + fresh.length, MAX_CHANGES)
  /** How far into `old` each diagonal reaches; one for every number of changes, to find the way back. */
  const reached: Int32Array[] = []
  let reach = new Int32Array(2 * most + 3)
  const middle = most + 1
  for (let changes = 0; changes <= most; changes += 1) {
    reached.push(reach.slice())
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      let x = comesFromAbove(reach, { middle, diagonal, changes })
        ? reach[middle + diagonal + 1]!
        : reach[middle + diagonal - 1]! + 1
      while (x < old.length && x - diagonal < fresh.length && old[x] === fresh[x - diagonal]) x += 1
      reach[middle + diagonal] = x
      if (x >= old.length && x - diagonal >= fresh.length) return walkBack(old, fresh, { reached, middle })
    }
  }
  return [
    ...old.map((text): Piece => ({ kind: 'removed', text })),
    ...fresh.map((text): Piece => ({ kind: 'added', text })),
  ]
}

/** Whether the furthest way to a diagonal goes by an addition. */
function comesFromAbove(
  reach: Int32Array,
  { middle, diagonal, changes }: { middle: number; diagonal: number; changes: number },
): boolean {
  if (diagonal === -changes) return true
  return diagonal !== changes && reach[middle + diagonal - 1]! < reach[middle + diagonal + 1]!
}

function walkBack(
  old: readonly string[],
  fresh: readonly string[],
  { reached, middle }: { reached: readonly Int32Array[]; middle: number },
): Piece[] {
  const pieces: Piece[] = []
  let [x, y] = [old.length, fresh.length]
  for (let changes = reached.length - 1; x > 0 || y > 0; changes -= 1) {
    const reach = reached[changes]!
    const diagonal = x - y
    const added = comesFromAbove(reach, { middle, diagonal, changes })
    const from = changes === 0 ? 0 : reach[middle + diagonal + (added ? 1 : -1)]!
    const fromY = changes === 0 ? 0 : from - diagonal - (added ? 1 : -1)
    while (x > from && y > fromY) {
      pieces.push({ kind: 'same', text: old[x - 1]! })
      x -= 1
      y -= 1
    }
    if (changes === 0) break
    pieces.push(added ? { kind: 'added', text: fresh[y - 1]! } : { kind: 'removed', text: old[x - 1]! })
    x = from
    y = fromY
  }
  return pieces.toReversed()
}

/** Joins neighbours, takes blanks between changes for changed, and puts what was removed before what was added. */
function gather(pieces: readonly Piece[]): Piece[] {
  const done: Piece[] = []
  let removed = ''
  let added = ''
  let blanks = ''
  const flush = () => {
    if (removed !== '') done.push({ kind: 'removed', text: removed })
    if (added !== '') done.push({ kind: 'added', text: added })
    const last = done.at(-1)
    if (blanks !== '' && last?.kind === 'same') last.text += blanks
    else if (blanks !== '') done.push({ kind: 'same', text: blanks })
    removed = added = blanks = ''
  }
  for (const { kind, text } of pieces) {
    const isChanging = removed !== '' || added !== ''
    if (kind === 'same' && isChanging && text.trim() === '') blanks += text
    else if (kind === 'same') {
      flush()
      const last = done.at(-1)
      if (last?.kind === 'same') last.text += text
      else done.push({ kind: 'same', text })
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
  return done
}
