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
import { startEmbedded } from '../src/platform/db/embedded.ts'
import type { EmbeddedDatabase, Surroundings } from '../src/platform/db/embedded.ts'
import { readPostmasterFile } from '../src/platform/db/embedded/orphan.ts'

export const quiet = { debug() {}, info() {}, warn() {}, error() {} }

const undoings = new WeakMap<TestContext, (() => unknown)[]>()

/** Has something undone after the test, the last thing first. */
export function undo(t: TestContext, work: () => unknown): void {
  const works = undoings.get(t)
  if (works) return void works.unshift(work)
  const first = [work]
  undoings.set(t, first)
  t.after(async () => {
    for (const each of first) await each()
  })
}

export async function makeFolder(t: TestContext, mode = 0o711): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'embedded-')))
  await chmod(folder, mode)
  undo(t, () => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A data folder that was used once, so that most tests need not wait for a first start. */
let used: Promise<string> | undefined
let usedFolder: string | null = null

async function makeUsed(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'embedded-'))
  usedFolder = folder
  await (await startEmbedded({ dataDir: folder, log: quiet })).stop()
  return folder
}

// Files that share a process share it, too, and `after` belongs to the first of them.
process.once('exit', () => usedFolder !== null && rmSync(usedFolder, { recursive: true }))

/** Puts a database that was used before into a data folder. */
export async function fill(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true })
  // Unlike Node's own, this copying keeps the owners.
  await promisify(execFile)('cp', ['-a', join(await (used ??= makeUsed()), 'postgres'), dataDir])
  return dataDir
}

/** Starts the database until the end of the test. */
export async function start(t: TestContext, dataDir: string, surroundings?: Surroundings): Promise<EmbeddedDatabase> {
  const database = await startEmbedded({ dataDir, log: quiet }, surroundings)
  undo(t, () => database.stop())
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

/** Another process. */
export interface Other {
  process: ChildProcess
  /** What it prints, line by line. */
  lines: AsyncIterator<string, undefined>
}

type Run = (program: string, args: string[], options: SpawnOptions) => ChildProcess

/** Runs statements in another process, which can use `options` with this data folder. It ends when it is killed. */
export function startOther(t: TestContext, dataDir: string, body: string, run: Run = spawn): Other {
  const source = `
    import pg from ${JSON.stringify(import.meta.resolve('pg'))}
    import { openEmbedded, startEmbedded } from ${JSON.stringify(import.meta.resolve('../src/platform/db/embedded.ts'))}
    const log = { debug() {}, info() {}, warn() {}, error: console.error }
    const options = { dataDir: ${JSON.stringify(dataDir)}, log }
    process.stdin.resume()
    ${body}`
  const other = run(process.execPath, ['--input-type=module', '--eval', source], { stdio: ['pipe', 'pipe', 'inherit'] })
  undo(t, () => other.kill('SIGKILL'))
  assert.ok(other.stdout)
  return { process: other, lines: createInterface({ input: other.stdout })[Symbol.asyncIterator]() }
}

/** The process id of PostgreSQL. */
export async function pidOfServer(dataDir: string): Promise<number> {
  const file = await readPostmasterFile(join(dataDir, 'postgres/cluster'))
  assert.ok(file)
  return file.pid
}
