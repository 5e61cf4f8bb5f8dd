import type { Order, Report, Work } from './load/work.ts'
import type { Outcome } from './load/window.ts'
import type { Sample } from './row.ts'
import type { Both, Stage } from './stage.ts'

export const CONNECTIONS = 16

type Options = Partial<Omit<Order, 'work'>> & {
  /** Whose processor time counts; the server's, unless said. */
  readCpu?: () => Both
  onBegin?: () => void
}

/** Has the load process do some work, and returns what came of its window. */
export async function applyLoad(
  stage: Stage,
  work: Work,
  { readCpu = stage.readCpu, onBegin, ...rest }: Options = {},
): Promise<Sample & Outcome> {
  const { load, pace } = stage
  const { warmUpMs, windowMs } = pace
  const began = load.hear<Report>()
  load.tell({ connections: CONNECTIONS, warmUpMs, windowMs, ...rest, work } satisfies Order)
  await began
  const before = readCpu()
  onBegin?.()
  const report = await load.hear<Report>()
  const after = readCpu()
  if (!('outcome' in report)) throw new Error('The load process began twice')
  return { ...report.outcome, ...costOf({ before, after, count: report.outcome.count }) }
}

/** Microseconds for each of so many. */
export function costOf({ before, after, count }: { before: Both; after: Both; count: number }): {
  serverUs: number
  databaseUs: number
} {
  return {
    serverUs: ((after.server - before.server) * 1000) / count,
    databaseUs: ((after.database - before.database) * 1000) / count,
  }
}
