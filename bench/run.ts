import { fork, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, release, tmpdir, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { attempt } from '../src/cli/failure.ts'
import { createDb, createPool } from '../src/platform/db/connect.ts'
import type { Db } from '../src/platform/db/connect.ts'
import { connectToRunningEmbedded } from '../src/platform/db/embedded.ts'
import { settle } from '../test/settle.ts'
import { prepareDataset } from './dataset.ts'
import { issueTokens } from './issue-tokens.ts'
import type { Order, Report, Work } from './load.ts'
import { cpuOf, findPostmaster, memoryOf } from './processes.ts'
import { rowsFor } from './rows.ts'
import type { Limit } from './rows.ts'
import { median, writeTable } from './table.ts'
import type { Fact, Measured, Sample } from './table.ts'

const ROOT = join(import.meta.dirname, '..')
const RESULTS = join(import.meta.dirname, 'results')
const PORT = Number(process.env['PORT'] ?? 3990)
const DATA_DIR = resolve(process.env['DATA_DIR'] ?? join(ROOT, 'data-bench'))
const DATASET = { accounts: 5_000, statuses: 200_000, feeds: 1_000, seed: 1 }
const TOKENS_EACH = 5
const CONNECTIONS = 16
const STARTS = 3
/** A server that nobody asks for so long is idle. */
const IDLE_MS = 10_000

interface Pace {
  warmUpMs: number
  windowMs: number
  rounds: number
}
const PACE: Pace = { warmUpMs: 2_000, windowMs: 10_000, rounds: 3 }
const QUICK: Pace = { warmUpMs: 500, windowMs: 2_000, rounds: 3 }

interface Server {
  child: ChildProcess
  /** Until it was ready. */
  ms: number
  stop(): Promise<void>
}

async function startServer(env: Record<string, string>): Promise<Server> {
  const start = performance.now()
  const child = spawn(process.execPath, [join(ROOT, 'src/main.ts'), 'serve'], {
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  while (!said.includes('is ready after')) {
    if (child.exitCode !== null) throw new Error(`The server did not start: ${said}`)
    await Promise.race([once(child.stdout, 'data'), once(child, 'close')])
  }
  return {
    child,
    ms: performance.now() - start,
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'close')
    },
  }
}

/** A process of its own, so that the load does not run where the server runs. */
async function applyLoad(
  load: ChildProcess,
  { order, readCpu }: { order: Order; readCpu: () => { server: number; database: number } },
): Promise<Sample> {
  const lost = new AbortController()
  const lose = () => lost.abort(new Error('The load process ended'))
  load.once('close', lose)
  const hear = async () => (await once(load, 'message', { signal: lost.signal })) as [Report]
  const began = hear()
  load.send(order)
  await began
  const before = readCpu()
  const [report] = await hear()
  load.off('close', lose)
  if (!('outcome' in report)) throw new Error('The load process began twice')
  const { outcome } = report
  const after = readCpu()
  const requests = (outcome.rate * order.windowMs) / 1000
  return {
    ...outcome,
    serverUs: ((after.server - before.server) * 1000) / requests,
    databaseUs: ((after.database - before.database) * 1000) / requests,
  }
}

async function measureStarts(): Promise<Fact[]> {
  const first: number[] = []
  const second: number[] = []
  for (let n = 0; n < STARTS; n += 1) {
    const dataDir = await mkdtemp(join(tmpdir(), 'linnet-bench-'))
    const env = { DATA_DIR: dataDir, PORT: String(PORT), LOG_LEVEL: 'warn' }
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

/** Runs every row and every limit in turn, as often as the pace says. */
async function measureRows({
  pace,
  only,
}: {
  pace: Pace
  only: RegExp
}): Promise<{ measured: Measured[]; facts: Fact[] }> {
  const env = { DATA_DIR, PORT: String(PORT), LOG_LEVEL: 'warn' }
  const accountIds = await prepareDataset(env, DATASET)
  const server = await startServer(env)
  try {
    return await measureServer(server, { pace, only, accountIds })
  } finally {
    await server.stop()
  }
}

async function measureServer(
  { child: { pid } }: Server,
  { pace, only, accountIds }: { pace: Pace; only: RegExp; accountIds: readonly string[] },
): Promise<{ measured: Measured[]; facts: Fact[] }> {
  const database = (await connectToRunningEmbedded({ dataDir: DATA_DIR }))!
  const pool = createPool(database.connection, { max: 2, onError: console.error })
  const db = createDb(pool)
  const load = fork(join(import.meta.dirname, 'load.ts'))
  const postmaster = findPostmaster(DATA_DIR)
  const readMemory = () => ({ server: memoryOf(pid!), database: memoryOf(postmaster, { withChildren: true }) })
  try {
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS))
    const idle = readMemory()
    const tokens = await issueTokens(db, { accountIds, each: TOKENS_EACH })
    await pool.query(
      'create table bench_commits (id bigint generated always as identity primary key, text text not null)',
    )
    const rows = rowsFor({ tokens, accountIds, origin: `http://localhost:${PORT}` }).filter(({ name }) =>
      only.test(name),
    )
    const samples = new Map<string, Sample[]>()
    const note = (name: string, sample: Sample) => {
      samples.set(name, [...(samples.get(name) ?? []), sample])
      console.error(`${name.padEnd(28)} ${sample.rate.toFixed(0).padStart(7)} per second`)
    }
    const orderOf = (work: Work): Order => ({ ...pace, work, connections: CONNECTIONS })
    const drained: number[] = []
    const readCpu = () => ({ server: cpuOf(pid!), database: cpuOf(postmaster, { withChildren: true }) })
    for (let round = 0; round < pace.rounds; round += 1) {
      for (const { name, requests, limits } of rows) {
        const sample = await applyLoad(load, { order: orderOf({ ...requests, port: PORT }), readCpu })
        note(name, sample)
        if (requests.posts) drained.push(await waitForEffects(db))
        for (const limit of limits) {
          const most =
            limit === 'commits'
              ? await applyLoad(load, { order: orderOf({ connection: database.connection }), readCpu })
              : await measureConstant(load, { way: limit, bytes: sample.bytes, pace })
          note(limitName(limit, name), most)
        }
      }
    }
    const after = readMemory()
    const tell = ({ server: node, database: postgres }: typeof idle) =>
      `${(node + postgres).toFixed(0)} MB (node ${node.toFixed(0)}, PostgreSQL ${postgres.toFixed(0)})`
    const rateOf = (name: string) => median((samples.get(name) ?? []).map((sample) => sample.rate))
    const measured = rows.flatMap(({ name, limits, goal }): Measured[] => {
      const names = limits.map((limit) => limitName(limit, name))
      const share = rateOf(name) / rateOf(names[0] ?? '')
      return [
        { name, samples: samples.get(name)!, share, goal },
        ...names.map((one) => ({ name: one, samples: samples.get(one)! })),
      ]
    })
    return {
      measured,
      facts: [
        { name: 'memory, idle (PSS)', value: `${tell(idle)} (goal ≤ 200 MB)` },
        { name: 'memory, after the load (PSS)', value: `${tell(after)} (goal ≤ 350 MB)` },
        ...(drained.length > 0
          ? [{ name: 'effects left after POST status', value: `done after ${median(drained).toFixed(1)} s` }]
          : []),
      ],
    }
  } finally {
    load.kill()
    await pool.end()
    await database.stop()
  }
}

const LIMITS = {
  http: 'always the same bytes, node:http',
  fastify: 'always the same bytes, Fastify',
  commits: 'commits of one row',
}

function limitName(limit: Limit, row: string): string {
  return `  ${LIMITS[limit]} (${row})`
}

/** How long the effects go on after the last post, in seconds. */
async function waitForEffects(db: Db): Promise<number> {
  const start = performance.now()
  while (
    !(await settle({ db }).then(
      () => true,
      () => false,
    ))
  );
  return (performance.now() - start) / 1000
}

async function measureConstant(
  load: ChildProcess,
  { way, bytes, pace }: { way: Exclude<Limit, 'commits'>; bytes: number; pace: Pace },
): Promise<Sample> {
  const port = PORT + 1
  const child = fork(join(import.meta.dirname, 'constant.ts'), [way, String(port), String(bytes)])
  await once(child, 'message')
  try {
    const work: Work = { method: 'GET', port, paths: ['/'] }
    const readCpu = () => ({ server: cpuOf(child.pid!), database: 0 })
    // What does nothing is soon warm, and steady.
    const short = { ...pace, windowMs: pace.windowMs / 2 }
    return await applyLoad(load, { order: { ...short, work, connections: CONNECTIONS }, readCpu })
  } finally {
    child.kill()
    await once(child, 'close')
  }
}

async function bench(): Promise<void> {
  const { values } = parseArgs({ options: { quick: { type: 'boolean' }, only: { type: 'string', default: '' } } })
  const pace = values.quick ? QUICK : PACE
  const started = new Date()
  const { measured, facts } = await measureRows({ pace, only: new RegExp(values.only, 'i') })
  if (values.only === '') facts.push(...(await measureStarts()))
  const machine = {
    processor: cpus()[0]?.model,
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    node: process.version,
  }
  await mkdir(RESULTS, { recursive: true })
  const file = join(RESULTS, `${started.toISOString().replaceAll(':', '-').slice(0, 19)}.json`)
  const result = { started, machine, dataset: DATASET, connections: CONNECTIONS, pace, measured, facts }
  await writeFile(file, JSON.stringify(result, null, 1))
  const { processor, cores, node } = machine
  console.log(
    `\n${cores} cores of ${processor}, Node ${node}; ${CONNECTIONS} connections, median of ${pace.rounds} windows of ${pace.windowMs / 1000} s\n`,
  )
  console.log(writeTable(measured, facts))
  console.log(`\nAll samples: ${file}`)
}

await attempt(bench)
process.exit()
