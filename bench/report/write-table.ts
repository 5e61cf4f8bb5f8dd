import { median } from './median.ts'
import type { Fact, Goal, Sample } from '../measure/row.ts'

/** The samples of a row and of its limits. */
export interface Measured {
  name: string
  samples: Sample[]
  goals: readonly Goal[]
  /** The limits; shares are relative to the first one. */
  limits: { title: string; samples: Sample[] }[]
}

/** Below this processor time per item, the limit does not involve the server. */
const MIN_SERVER_US = 1

const HEAD = [
  '',
  'per second',
  'p50 ms',
  'p99 ms',
  'server µs',
  'database µs',
  'share of limit',
  'by processor',
  'goal',
]

type Figure = Exclude<keyof Sample, 'failures'>

function figureOf(samples: readonly Sample[], key: Figure): number | null {
  const values = samples.map((sample) => sample[key]).filter((value) => value !== undefined)
  return values.length > 0 ? median(values) : null
}

/** Returns the rate of a row relative to its first limit, per second and per processor time of the server. */
function sharesOf({ samples, limits: [limit] }: Measured): { share: number | null; cpuShare: number | null } {
  const ratio = (a: number | null, b: number | null) => (a === null || b === null || b === 0 ? null : a / b)
  const of = (key: Figure) => [figureOf(samples, key), limit ? figureOf(limit.samples, key) : null] as const
  const [rate, mostRate] = of('rate')
  const [cost, leastCost] = of('serverUs')
  // A limit of the database has no relation to the processor time of the server.
  const isOfServer = leastCost !== null && leastCost > MIN_SERVER_US
  return { share: ratio(rate, mostRate), cpuShare: isOfServer ? ratio(leastCost, cost) : null }
}

const percent = (value: number | null) => (value === null ? '' : `${(value * 100).toFixed(1)} %`)

function writeGoal(goal: Goal, measured: Measured): string {
  const { of, atLeast, atMost } = goal
  const isShare = of === 'share' || of === 'cpuShare'
  const value = isShare ? sharesOf(measured)[of] : figureOf(measured.samples, of)
  const write = (limit: number) => (isShare ? `${limit * 100} %` : `${of} ${limit} ms`)
  const isMet = value !== null && value >= (atLeast ?? -Infinity) && value <= (atMost ?? Infinity)
  const text = atLeast === undefined ? `≤ ${write(atMost!)}` : `≥ ${write(atLeast)}`
  return `${text} ${isMet ? '✓' : '✗'}`
}

/** Writes the table of medians over the windows, in Markdown that is also readable in a terminal. */
export function writeTable(measured: readonly Measured[]): string {
  const cellsOf = (samples: readonly Sample[]) => {
    const write = (key: Figure, digits: number) => figureOf(samples, key)?.toFixed(digits) ?? ''
    return [write('rate', 0), write('p50', 1), write('p99', 1), write('serverUs', 0), write('databaseUs', 0)]
  }
  const lines = measured.flatMap((one) => {
    const { share, cpuShare } = sharesOf(one)
    const goals = one.goals.map((goal) => writeGoal(goal, one)).join(', ')
    return [
      [one.name, ...cellsOf(one.samples), percent(share), percent(cpuShare), goals],
      ...one.limits.map(({ title, samples }) => [`· ${title}`, ...cellsOf(samples), '', '', '']),
    ]
  })
  const widths = HEAD.map((title, column) => Math.max(title.length, ...lines.map((line) => line[column]!.length)))
  const write = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join(' | ')} |`
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  return [write(HEAD), write(rule), ...lines.map(write)].join('\n')
}

export function writeFacts(facts: readonly Fact[]): string {
  return facts.map(({ name, value }) => `- ${name}: ${value}`).join('\n')
}
