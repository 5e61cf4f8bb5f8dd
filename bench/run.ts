import { execFileSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { cpus, release, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { CommandError, runOrReport } from '../src/cli/command-error.ts'
import { CONNECTIONS } from './measure/apply-load.ts'
import { prepareDataset } from './setup/prepare-dataset.ts'
import { updatePerformanceDocument } from './document.ts'
import { explainPages } from './measure/explain-pages.ts'
import { measureRows } from './measure/measure-rows.ts'
import { PACES } from './measure/pace.ts'
import { listRows } from './rows.ts'
import type { Row } from './measure/row.ts'
import { openStage } from './setup/open-stage.ts'
import type { BenchStage } from './setup/open-stage.ts'
import { measureStarts } from './starts.ts'
import { runPeer } from './peer/run-peer.ts'
import { compareResults, writeComparison } from './report/compare-results.ts'
import type { StoredResults } from './report/compare-results.ts'
import { writeFacts, writeTable } from './report/write-table.ts'

const ROOT = join(import.meta.dirname, '..')
const RESULTS = join(import.meta.dirname, 'results')
const PORT = Number(process.env['PORT'] ?? 3990)

const STANDARD = { accounts: 5_000, statuses: 200_000, feeds: 1_000, seed: 1 }
const LARGE = { accounts: 200_000, statuses: 5_000_000, feeds: 1_000, seed: 1 }

async function bench(): Promise<void> {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean' },
      large: { type: 'boolean' },
      explain: { type: 'boolean' },
      document: { type: 'boolean' },
      only: { type: 'string', default: '' },
      accounts: { type: 'string' },
      statuses: { type: 'string' },
      peer: { type: 'string' },
      compare: { type: 'string' },
    },
  })
  const earlier = values.compare === undefined ? null : await readResults(values.compare)
  const pace = PACES[values.quick ? 'quick' : 'full']
  const only = new RegExp(values.only, 'i')
  if (values.peer !== undefined) return console.log(await runPeer(values.peer, { pace, port: PORT, only }))
  const { accounts, statuses } = values
  const dataset = { ...(values.large ? LARGE : STANDARD), ...readSizes({ accounts, statuses }) }
  const folder = values.large ? 'data-bench-large' : accounts || statuses ? 'data-bench-sized' : 'data-bench'
  const dataDir = resolve(process.env['DATA_DIR'] ?? join(ROOT, folder))
  const started = new Date()
  const env = { DATA_DIR: dataDir, PORT: String(PORT), LOG_LEVEL: 'warn' }
  const accountIds = await prepareDataset(env, dataset)
  if (values.explain) return explainPages(env, { accountIds })
  const stage = await openStage({ dataDir, port: PORT, pace, accountIds })
  const rows = listRows().filter(({ name }) => only.test(name))
  const { measured, facts, failures } = await measure(stage, rows)
  if (values.only === '') facts.push(...(await measureStarts(PORT)))

  const machine = describeMachine()
  const commit = describeCommit()
  await mkdir(RESULTS, { recursive: true })
  const file = join(RESULTS, `${started.toISOString().replaceAll(':', '-').slice(0, 19)}.json`)
  const result = { started, commit, machine, dataset, connections: CONNECTIONS, pace, measured, facts, failures }
  await writeFile(file, JSON.stringify(result, null, 1))
  const { processor, cores, node } = machine
  const report = [
    `${started.toISOString().slice(0, 10)}, commit ${commit}, ${cores} cores of ${processor}, Node ${node}. ` +
      `${dataset.accounts} accounts, ${dataset.statuses} statuses; ${CONNECTIONS} connections, ` +
      `median of ${pace.rounds} windows of ${pace.windowMs / 1000} s.`,
    writeTable(measured),
    writeFacts(facts),
  ].join('\n\n')
  console.log(`\n${report}\n\nAll samples: ${file}`)
  for (const { name, reason } of failures) console.log(`FAILED ${name}: ${reason}`)
  if (failures.length > 0) process.exitCode = 1
  else if (values.document) await updatePerformanceDocument(report, { part: values.large ? 'large' : 'standard' })
  if (!earlier) return
  const compared = compareResults(measured, { earlier: earlier.measured })
  console.log(`\n${writeComparison(compared, earlier)}`)
  if (compared.some(({ isWorse }) => isWorse)) process.exitCode = 1
}

/** Reads the stored results of a run. @throws CommandError */
async function readResults(file: string): Promise<StoredResults> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as StoredResults
  } catch (err) {
    throw new CommandError(`${file} has no results: ${(err as Error).message}`)
  }
}

/** Returns the sizes of the dataset that were given. @throws CommandError for anything but positive integers */
function readSizes(sizes: Record<'accounts' | 'statuses', string | undefined>): Partial<typeof STANDARD> {
  const given = Object.entries(sizes).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Number(value)] as const],
  )
  const invalid = given.find(([, value]) => !(Number.isSafeInteger(value) && value > 0))
  if (invalid) throw new CommandError(`--${invalid[0]} must be a positive integer`)
  return Object.fromEntries(given)
}

async function measure(stage: BenchStage, rows: readonly Row[]): ReturnType<typeof measureRows> {
  try {
    return await measureRows(stage, rows)
  } finally {
    await stage.close()
  }
}

function describeMachine() {
  return {
    processor: cpus()[0]?.model,
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    node: process.version,
  }
}

/** Returns the current commit, with a plus if the code has changes, or `(none)` outside a repository. */
function describeCommit(): string {
  try {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }).trim()
    const changed = git('status', '--porcelain', '--', 'src', 'migrations')
    return `${git('rev-parse', '--short', 'HEAD')}${changed === '' ? '' : '+'}`
  } catch {
    return '(none)'
  }
}

await runOrReport(bench)
process.exit()
