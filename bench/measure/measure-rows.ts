import type { Fact, Row, Sample } from './row.ts'
import type { BenchStage, Memory } from '../setup/open-stage.ts'
import type { Measured } from '../report/write-table.ts'

/** The maximum memory, without PostgreSQL's shared memory, before the first request and after all rows. */
const IDLE_GOAL_MB = 180
const LOADED_GOAL_MB = 300

export interface Failure {
  name: string
  reason: string
}

/**
 * Runs all rows and their limits in turn, for the number of rounds of the pace, so that changes of the machine affect
 * all rows equally. A row that fails is omitted in later rounds.
 */
export async function measureRows(
  stage: BenchStage,
  rows: readonly Row[],
): Promise<{ measured: Measured[]; facts: Fact[]; failures: Failure[] }> {
  const { rounds } = stage.pace
  const samples = new Map<string, Sample[]>()
  const failures: Failure[] = []
  const isWorking = ({ name }: Row) => !failures.some((failure) => failure.name === name)
  const recordFailure = async (row: Row, work: () => Promise<void>) => {
    try {
      await work()
    } catch (err) {
      const reason = err instanceof Error ? err.message : String(err)
      failures.push({ name: row.name, reason })
      console.error(`FAILED ${row.name}: ${reason}`)
    }
  }
  const recordSample = (key: string, sample: Sample) => {
    samples.set(key, [...(samples.get(key) ?? []), sample])
    console.error(`  ${key.padEnd(64)} ${describe(sample)}`)
  }

  for (const row of rows) await recordFailure(row, async () => row.prepare?.(stage))
  for (let round = 1; round <= rounds; round += 1) {
    for (const [n, row] of rows.entries()) {
      if (!isWorking(row)) continue
      console.error(`round ${round} of ${rounds}, row ${n + 1} of ${rows.length}: ${row.name}`)
      await recordFailure(row, async () => {
        const sample = await row.measure(stage)
        if (sample.failures > 0) throw new Error(`${sample.failures} unexpected responses or missing events`)
        recordSample(row.name, sample)
        for (const limit of row.limits ?? []) recordSample(keyOf(row, limit.title), await limit.measure(stage, sample))
      })
    }
  }
  const working = rows.filter(isWorking)
  const measured = working.map(({ name, goals = [], limits = [], ...row }) => ({
    name,
    goals,
    samples: samples.get(name) ?? [],
    limits: limits.map(({ title }) => ({ title, samples: samples.get(keyOf({ name, ...row }, title)) ?? [] })),
  }))
  const facts = [
    { name: 'memory, idle (PSS)', value: describeMemory(stage.idleMemory, IDLE_GOAL_MB) },
    { name: 'memory, after the load (PSS)', value: describeMemory(stage.readMemory(), LOADED_GOAL_MB) },
    ...working.flatMap((row) => row.facts?.() ?? []),
  ]
  return { measured, facts, failures }
}

const keyOf = ({ name }: Pick<Row, 'name'>, limit: string) => `${name} · ${limit}`

function describe({ rate, p50 = 0, p99 = 0 }: Sample): string {
  return rate === undefined
    ? `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`
    : `${rate.toFixed(0).padStart(7)} per second`
}

/** The shared memory is not part of the goal, because it mainly is a copy of the dataset. */
function describeMemory({ server, database, shared }: Memory, goal: number): string {
  const own = database - shared
  const parts = `node ${server.toFixed(0)}, PostgreSQL ${own.toFixed(0)}`
  return `${(server + own).toFixed(0)} MB (${parts}; goal ≤ ${goal} MB), and ${shared.toFixed(0)} MB shared by PostgreSQL's processes`
}
