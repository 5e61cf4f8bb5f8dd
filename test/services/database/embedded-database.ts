import type { TestContext } from 'node:test'
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import type { ChildProcess, SpawnOptions } from 'node:child_process'
import { rmSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import pg from 'pg'
import { startEmbeddedDatabase } from '../../../src/platform/db/embedded/embedded-database.ts'
import type { EmbeddedDatabase, HostEnvironment } from '../../../src/platform/db/embedded/embedded-database.ts'
import { readPostmasterFile } from '../../../src/platform/db/embedded/stop-orphaned-server.ts'

export const silentLog = { debug() {}, info() {}, warn() {}, error() {} }

const cleanups = new WeakMap<TestContext, (() => unknown)[]>()

/** Registers a clean-up for the end of the test; clean-ups run in reverse order. */
export function cleanUpAfter(t: TestContext, work: () => unknown): void {
  const works = cleanups.get(t)
  if (works) return void works.unshift(work)
  const first = [work]
  cleanups.set(t, first)
  t.after(async () => {
    for (const cleanUp of first) await cleanUp()
  })
}

export async function makeFolder(t: TestContext, mode = 0o711): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'embedded-')))
  await chmod(folder, mode)
  cleanUpAfter(t, () => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A data folder with an initialised database, so that most tests need no first start. */
let usedDataFolder: Promise<string> | undefined
let usedFolder: string | null = null

async function createUsedDataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'embedded-'))
  usedFolder = folder
  await (await startEmbeddedDatabase({ dataDir: folder, log: silentLog })).stop()
  return folder
}

// Test files in one process share the folder, and `after` would run at the end of the first of them.
process.once('exit', () => usedFolder !== null && rmSync(usedFolder, { recursive: true }))

/** Copies an initialised database into a data folder. */
export async function copyUsedDataFolder(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true })
  // Unlike Node's `cp`, this command preserves the owners.
  await promisify(execFile)('cp', ['-a', join(await (usedDataFolder ??= createUsedDataFolder()), 'postgres'), dataDir])
  return dataDir
}

/** Starts the database until the end of the test. */
export async function startForTest(
  t: TestContext,
  dataDir: string,
  environment?: HostEnvironment,
): Promise<EmbeddedDatabase> {
  const database = await startEmbeddedDatabase({ dataDir, log: silentLog }, environment)
  cleanUpAfter(t, () => database.stop())
  return database
}

export async function query({ connection }: EmbeddedDatabase, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

/** A process that runs the code of a test. */
export interface OtherProcess {
  process: ChildProcess
  /** The lines of its output. */
  lines: AsyncIterator<string, undefined>
}

type Run = (program: string, args: string[], options: SpawnOptions) => ChildProcess

/**
 * Runs code in another process, where `options` are those for this data folder. The process runs until it is killed.
 */
export function startOtherProcess(t: TestContext, dataDir: string, body: string, run: Run = spawn): OtherProcess {
  const source = `
    import pg from ${JSON.stringify(import.meta.resolve('pg'))}
    import { openEmbeddedDatabase, startEmbeddedDatabase } from ${JSON.stringify(import.meta.resolve('../../../src/platform/db/embedded/embedded-database.ts'))}
    const log = { debug() {}, info() {}, warn() {}, error: console.error }
    const options = { dataDir: ${JSON.stringify(dataDir)}, log }
    process.stdin.resume()
    ${body}`
  const other = run(process.execPath, ['--input-type=module', '--eval', source], { stdio: ['pipe', 'pipe', 'inherit'] })
  cleanUpAfter(t, () => other.kill('SIGKILL'))
  assert.ok(other.stdout)
  return { process: other, lines: createInterface({ input: other.stdout })[Symbol.asyncIterator]() }
}

/** Returns the process id of PostgreSQL. */
export async function pidOfServer(dataDir: string): Promise<number> {
  const file = await readPostmasterFile(join(dataDir, 'postgres/cluster'))
  assert.ok(file)
  return file.pid
}
