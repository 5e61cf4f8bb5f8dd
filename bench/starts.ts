import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from './report/median.ts'
import type { Fact } from './measure/row.ts'
import { startServer } from './setup/start-server.ts'

const STARTS = 3

/** Measures the duration of a start with a new and with an existing embedded database. */
export async function measureStarts(port: number): Promise<Fact[]> {
  const first: number[] = []
  const second: number[] = []
  for (let n = 0; n < STARTS; n += 1) {
    const dataDir = await mkdtemp(join(tmpdir(), 'linnet-bench-'))
    const env = { DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'warn' }
    for (const list of [first, second]) {
      const server = await startServer(env)
      list.push(server.ms)
      await server.stop()
    }
    await rm(dataDir, { recursive: true })
  }
  const seconds = (list: number[]) => `${(median(list) / 1000).toFixed(2)} s`
  return [
    { name: 'start, new data folder', value: seconds(first) },
    { name: 'start, installed', value: `${seconds(second)} (goal ≤ 2 s)` },
  ]
}
