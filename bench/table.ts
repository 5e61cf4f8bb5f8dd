import type { Outcome } from './load.ts'

/** What one window gave. */
export interface Sample extends Outcome {
  /** Microseconds of processor time for each request. */
  serverUs: number
  databaseUs: number
}

export interface Measured {
  name: string
  samples: Sample[]
  /** Of what was measured as the limit in the same run. */
  share?: number | undefined
  goal?: number | undefined
}

export interface Fact {
  name: string
  value: string
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

const HEAD = [
  '',
  'per second',
  'p50 ms',
  'p99 ms',
  'server µs',
  'database µs',
  'share of limit',
  'goal',
  'failures',
  'bytes',
]

/** The table as text: medians over the windows. */
export function writeTable(measured: readonly Measured[], facts: readonly Fact[]): string {
  const lines = measured.map(({ name, samples, share, goal }) => {
    const of = (key: keyof Sample) => median(samples.map((sample) => sample[key]))
    const percent = (value: number | undefined) => (value === undefined ? '' : `${(value * 100).toFixed(1)} %`)
    return [
      name.replace(/^(  .*) \(.*\)$/, '$1'),
      of('rate').toFixed(0),
      of('p50').toFixed(1),
      of('p99').toFixed(1),
      of('serverUs').toFixed(0),
      of('databaseUs').toFixed(0),
      percent(share),
      goal === undefined ? '' : `≥ ${percent(goal)}`,
      String(samples.reduce((sum, { failures }) => sum + failures, 0)),
      String(of('bytes')),
    ]
  })
  const widths = HEAD.map((title, column) => Math.max(title.length, ...lines.map((line) => line[column]!.length)))
  const write = (cells: readonly string[]) =>
    cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join('  ')
  const width = Math.max(...facts.map(({ name }) => name.length))
  return [
    write(HEAD),
    write(widths.map((length) => '─'.repeat(length))),
    ...lines.map(write),
    '',
    ...facts.map(({ name, value }) => `${name.padEnd(width)}  ${value}`),
  ].join('\n')
}
