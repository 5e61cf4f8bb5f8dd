import { KeywordIndex } from './keyword-index.ts'
import { edgeBefore, patternOf } from './mark-words.ts'

/** A filter with what it looks for. */
export interface FilterRules {
  /** Null = for good. */
  expiresAt: Date | null
  /** In the order in which they were added. */
  keywords: readonly { keyword: string; whole_word: boolean }[]
  statusIds: readonly string[]
}

/** A filter that a status runs into. */
interface FilterMatch {
  /** Its place among the filters that were compiled. */
  place: number
  /** The keyword that comes first in the text, as it was typed. */
  keyword: string | null
  /** The status was filtered by itself. */
  byStatus: boolean
}

/** All the filters of one person, ready to be asked. */
export interface CompiledFilters {
  /** What they take of memory, about. */
  bytes: number
  /**
   * Those that a status runs into at a moment, in their order. `text`: all that is read of the status, as `markTexts`
   * writes it.
   */
  match(status: { id: string; text: string; at: Date }): FilterMatch[]
}

/** A keyword of the filter at `place`; `order` tells which of all was added before which. */
interface Wanted {
  place: number
  keyword: string
  order: number
}

const BYTES_OF_PERSON = 1_000
const BYTES_OF_ID = 64
const BYTES_OF_RULE = 200

/** Makes the filters of a person ready. What they look for is plain text: nothing that is typed is ever a pattern. */
export function compileFilters(filters: readonly FilterRules[]): CompiledFilters {
  const wanted = new Map<string, Wanted[]>()
  let order = 0
  filters.forEach(({ keywords }, place) => {
    for (const { keyword, whole_word: wholeWord } of keywords) {
      const pattern = patternOf({ keyword, wholeWord })
      const sharing = wanted.get(pattern) ?? []
      sharing.push({ place, keyword, order: (order += 1) })
      wanted.set(pattern, sharing)
    }
  })
  const patterns = [...wanted.keys()].toSorted()
  const index = new KeywordIndex(patterns)
  const statuses = new Map<string, number[]>()
  filters.forEach(({ statusIds }, place) => {
    for (const id of statusIds) statuses.set(id, [...(statuses.get(id) ?? []), place])
  })

  const findKeywords = (text: string): Map<number, string> => {
    const first = new Map<number, Wanted & { start: number }>()
    const ends = index.findEnds(text)
    patterns.forEach((pattern, n) => {
      const end = ends[n]!
      if (end < 0) return
      const start = end - pattern.length + edgeBefore(pattern)
      for (const one of wanted.get(pattern) ?? []) {
        const best = first.get(one.place)
        const earlier = !best || start < best.start || (start === best.start && one.order < best.order)
        if (earlier) first.set(one.place, { ...one, start })
      }
    })
    return new Map([...first].map(([place, { keyword }]) => [place, keyword]))
  }

  return {
    bytes: BYTES_OF_PERSON + index.bytes + statuses.size * BYTES_OF_ID + (filters.length + wanted.size) * BYTES_OF_RULE,
    match({ id, text, at }) {
      const found = patterns.length === 0 ? new Map<number, string>() : findKeywords(text)
      const byStatus = new Set(statuses.get(id))
      return [...new Set([...found.keys(), ...byStatus])]
        .toSorted((a, b) => a - b)
        .filter((place) => lasts(filters[place]!, at))
        .map((place) => ({ place, keyword: found.get(place) ?? null, byStatus: byStatus.has(place) }))
    },
  }
}

function lasts({ expiresAt }: FilterRules, at: Date): boolean {
  return expiresAt === null || expiresAt > at
}
