import type { Measured } from './write-table.ts'
import { median } from './median.ts'

/** A row is worse if it takes this much more processor time than in the earlier run. */
const TOLERANCE = 1.1

/** The stored results of a run. */
export interface StoredResults {
  commit: string
  measured: Pick<Measured, 'name' | 'samples'>[]
}

/** The processor time of a row per item in both runs, in microseconds. */
export interface ComparedRow {
  name: string
  before: number
  after: number
  isWorse: boolean
}

/**
 * Compares the processor time (server and database) of the rows that both runs have. Rates are not compared, because
 * they depend on what else the machine does.
 */
export function compareResults(
  measured: StoredResults['measured'],
  { earlier }: { earlier: StoredResults['measured'] },
): ComparedRow[] {
  return measured.flatMap(({ name, samples }) => {
    const before = costOf(earlier.find((row) => row.name === name)?.samples ?? [])
    const after = costOf(samples)
    return before === null || after === null ? [] : [{ name, before, after, isWorse: after > before * TOLERANCE }]
  })
}

function costOf(samples: Measured['samples']): number | null {
  const costs = samples.flatMap(({ serverUs, databaseUs = 0 }) =>
    serverUs === undefined ? [] : [serverUs + databaseUs],
  )
  return costs.length === 0 ? null : median(costs)
}

/** Writes a line per row, such as `worse  POST status  1200 → 1400 µs (+17 %)`. */
export function writeComparison(rows: readonly ComparedRow[], { commit }: { commit: string }): string {
  const lines = rows.map(({ name, before, after, isWorse }) => {
    const change = Math.round((after / before - 1) * 100)
    const sign = change > 0 ? '+' : ''
    return `${isWorse ? 'worse ' : 'ok    '} ${name.padEnd(56)} ${before.toFixed(0)} → ${after.toFixed(0)} µs (${sign}${change} %)`
  })
  return [`Processor time per item, compared with commit ${commit}:`, ...lines].join('\n')
}
