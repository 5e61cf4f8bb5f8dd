import type { Sample } from '../measure/row.ts'
import { median } from '../report/median.ts'

interface Comparison {
  name: string
  /** The samples of each server. */
  samples: Sample[][]
}

interface ServerFacts {
  name: string
  /** Milliseconds: with a new data folder, and again. */
  starts: [number, number]
  /** Memory in MB (PSS). */
  idle: number
  after: number
}

/** Writes the medians of two servers, and the ratios of the first to the second, in Markdown. */
export function writePeerTable(comparisons: readonly Comparison[], facts: readonly ServerFacts[]): string {
  const lines = comparisons.map(({ name, samples }) => {
    const [own, peer] = samples.map((list) => ({
      rate: figureOf(list, 'rate'),
      p99: figureOf(list, 'p99'),
      cpu: figureOf(list, 'serverUs'),
    }))
    const write = (one: typeof own) =>
      `${one!.rate.toFixed(0)}/s, p99 ${one!.p99.toFixed(1)} ms, ${one!.cpu.toFixed(0)} µs`
    const byRate = (own!.rate / peer!.rate).toFixed(2)
    const byProcessor = (peer!.cpu / own!.cpu).toFixed(2)
    return `| ${name} | ${write(own)} | ${write(peer)} | ${byRate} | ${byProcessor} |`
  })
  return [
    `| | ${facts.map(({ name }) => name).join(' | ')} | × by rate | × by processor |`,
    '|---|---|---|---|---|',
    ...lines,
    '',
    ...facts.map(({ name, starts: [first, second], idle, after }) => {
      const start = `start with a new data folder ${(first / 1000).toFixed(2)} s, and again ${(second / 1000).toFixed(2)} s`
      return `- ${name}: ${start}; memory (PSS) ${idle.toFixed(0)} MB idle, ${after.toFixed(0)} MB after the load`
    }),
  ].join('\n')
}

function figureOf(samples: readonly Sample[], key: 'rate' | 'p99' | 'serverUs'): number {
  return median(samples.map((sample) => sample[key] ?? Number.NaN))
}
