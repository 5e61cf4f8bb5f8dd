import { KeywordIndex } from './keyword-index.ts'
import { leadingBoundaryLength, keywordPattern } from './normalize-text.ts'

/** The rules of one filter. */
export interface FilterRules {
  /** null means never. */
  expiresAt: Date | null
  /** In the order in which they were added. */
  keywords: readonly { keyword: string; whole_word: boolean }[]
  statusIds: readonly string[]
}

/** A filter that matches a status. */
interface FilterMatch {
  /** The index of the filter in the list of compiled filters. */
  index: number
  /** The keyword that matches first in the text, in the spelling of the filter; null if no keyword matches. */
  keyword: string | null
  /** Whether the filter contains the status itself. */
  byStatus: boolean
}

/** All filters of one account, compiled for matching. */
export interface CompiledFilters {
  /** The approximate memory usage, in bytes. */
  bytes: number
  /**
   * Returns the filters that match a status at the time `at`, in their order. `text` contains all texts of the status,
   * as returned by `normalizeTexts`.
   */
  match(status: { id: string; text: string; at: Date }): FilterMatch[]
}

/** A keyword of the filter at `filterIndex`. `order` is its position among the keywords of all filters. */
interface IndexedKeyword {
  filterIndex: number
  keyword: string
  order: number
}

const BASE_BYTES = 1_000
const BYTES_PER_ID = 64
const BYTES_PER_RULE = 200

/** Compiles the filters of an account. Keywords are plain text, never patterns. */
export function compileFilters(filters: readonly FilterRules[]): CompiledFilters {
  const keywordsByPattern = new Map<string, IndexedKeyword[]>()
  let order = 0
  filters.forEach(({ keywords }, filterIndex) => {
    for (const { keyword, whole_word: wholeWord } of keywords) {
      const pattern = keywordPattern({ keyword, wholeWord })
      const samePattern = keywordsByPattern.get(pattern) ?? []
      samePattern.push({ filterIndex, keyword, order: (order += 1) })
      keywordsByPattern.set(pattern, samePattern)
    }
  })
  const patterns = [...keywordsByPattern.keys()].toSorted()
  const index = new KeywordIndex(patterns)
  const statuses = new Map<string, number[]>()
  filters.forEach(({ statusIds }, filterIndex) => {
    for (const id of statusIds) statuses.set(id, [...(statuses.get(id) ?? []), filterIndex])
  })

  const findKeywords = (text: string): Map<number, string> => {
    const first = new Map<number, IndexedKeyword & { start: number }>()
    const ends = index.findEnds(text)
    patterns.forEach((pattern, n) => {
      const end = ends[n]!
      if (end < 0) return
      const start = end - pattern.length + leadingBoundaryLength(pattern)
      for (const candidate of keywordsByPattern.get(pattern) ?? []) {
        const best = first.get(candidate.filterIndex)
        const isEarlier = !best || start < best.start || (start === best.start && candidate.order < best.order)
        if (isEarlier) first.set(candidate.filterIndex, { ...candidate, start })
      }
    })
    return new Map([...first].map(([filterIndex, { keyword }]) => [filterIndex, keyword]))
  }

  return {
    bytes:
      BASE_BYTES +
      index.bytes +
      statuses.size * BYTES_PER_ID +
      (filters.length + keywordsByPattern.size) * BYTES_PER_RULE,
    match({ id, text, at }) {
      const found = patterns.length === 0 ? new Map<number, string>() : findKeywords(text)
      const byStatus = new Set(statuses.get(id))
      return [...new Set([...found.keys(), ...byStatus])]
        .toSorted((a, b) => a - b)
        .filter((filterIndex) => isActive(filters[filterIndex]!, at))
        .map((filterIndex) => ({
          index: filterIndex,
          keyword: found.get(filterIndex) ?? null,
          byStatus: byStatus.has(filterIndex),
        }))
    },
  }
}

function isActive({ expiresAt }: FilterRules, at: Date): boolean {
  return expiresAt === null || expiresAt > at
}
