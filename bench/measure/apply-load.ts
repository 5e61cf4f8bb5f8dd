import type { LoadCommand, Report, LoadWork } from '../load/work.ts'
import type { Outcome } from '../load/measurement-window.ts'
import type { Sample } from './row.ts'
import type { ServerAndDatabase, BenchStage } from '../setup/open-stage.ts'

export const CONNECTIONS = 16

type Options = Partial<Omit<LoadCommand, 'work'>> & {
  /** Reads the measured processor time; default: that of the server and the database. */
  readCpu?: () => ServerAndDatabase
  onBegin?: () => void
}

/** Runs work in the load process, and returns the results of its window. */
export async function applyLoad(
  stage: Pick<BenchStage, 'load' | 'pace' | 'readCpu'>,
  work: LoadWork,
  { readCpu = stage.readCpu, onBegin, ...rest }: Options = {},
): Promise<Sample & Outcome> {
  const { load, pace } = stage
  const { warmUpMs, windowMs } = pace
  const began = load.receive<Report>()
  load.send({ connections: CONNECTIONS, warmUpMs, windowMs, ...rest, work } satisfies LoadCommand)
  await began
  const before = readCpu()
  onBegin?.()
  const report = await load.receive<Report>()
  const after = readCpu()
  if (!('outcome' in report)) throw new Error('The load process began twice')
  return { ...report.outcome, ...cpuCostPerItem({ before, after, count: report.outcome.count }) }
}

/** Returns the processor time per item in microseconds. */
export function cpuCostPerItem({
  before,
  after,
  count,
}: {
  before: ServerAndDatabase
  after: ServerAndDatabase
  count: number
}): {
  serverUs: number
  databaseUs: number
} {
  return {
    serverUs: ((after.server - before.server) * 1000) / count,
    databaseUs: ((after.database - before.database) * 1000) / count,
  }
}
