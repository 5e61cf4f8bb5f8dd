import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Command } from 'commander'
import { openApp, startEffects } from '../src/app.ts'
import { attempt, Halt } from '../src/cli/failure.ts'
import { prepareDatabase } from '../src/open.ts'
import { readConfig } from '../src/platform/config.ts'
import type { Config } from '../src/platform/config.ts'
import { createDataFolder } from '../src/platform/create-data-folder.ts'
import { serve } from '../src/serve.ts'
import { fillWorld } from './demo-world/fill-world.ts'
import type { Login } from './demo-world/fill-world.ts'
import { createClock } from './demo-world/turn-back.ts'
import { SCHEMAS } from '../src/platform/jobs/queues.ts'
import { showProgress } from '../src/cli/show-progress.ts'
import { addBuilderTo } from '../test/query-builder.ts'

/** Marks a data folder as a demonstration's, and keeps the logins; without them it was never finished. */
interface Note {
  logins: Login[] | null
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const SMALL = { databasePoolSize: 4, workerConcurrency: 2 }

const onProgress = (text: string): void => console.error(text)

async function demonstrate({ fresh = false }: { fresh?: boolean }): Promise<void> {
  process.env['DATA_DIR'] ??= resolve(import.meta.dirname, '..', 'data-demo')
  process.env['REGISTRATIONS_MODE'] ??= 'open'
  process.env['LOG_LEVEL'] ??= 'warn'
  const config = readConfig()
  if (config.databaseUrl !== null) throw new Halt('The demonstration has a database of its own: unset DATABASE_URL')
  const known = await readLogins(config)
  const logins = (fresh ? null : known) ?? (await fill(config))
  await serve({ onReady: () => console.log(describe(config, logins)) })
}

/** @throws Halt when the folder is somebody's real one */
async function readLogins({ dataDir }: Config): Promise<Login[] | null> {
  const note = await readFile(noteFile(dataDir), 'utf8').catch(() => null)
  if (note !== null) return (JSON.parse(note) as Note).logins
  if (existsSync(dataDir)) throw new Halt(`${dataDir} is not a demonstration's folder: name another in DATA_DIR`)
  return null
}

function noteFile(dataDir: string): string {
  return join(dataDir, 'demo.json')
}

async function fill(config: Config): Promise<Login[]> {
  const { dataDir } = config
  const isOld = existsSync(noteFile(dataDir))
  await createDataFolder(dataDir)
  await writeNote(dataDir, { logins: null })
  if (isOld) await empty(config)
  const start = performance.now()
  const clock = createClock(new Date())
  const { connection, log, close } = await prepareDatabase(config, { opener: 'tool', onProgress })
  // What is half full is thrown away the next time.
  const giveUp = () => void close().finally(() => process.exit(1))
  for (const signal of SIGNALS) process.on(signal, giveUp)
  try {
    // Each connection plans each statement for itself: for work this short, few connections are faster.
    const app = await openApp({ ...config, ...SMALL }, { connection, log, now: clock.now, lookup: findNobody })
    const worker = await startEffects(app)
    const logins = await fillWorld(addBuilderTo(app.ctx), { clock, onProgress: showProgress() })
    await worker.stop()
    await app.close()
    await writeNote(dataDir, { logins })
    console.error(`Filled a world in ${((performance.now() - start) / 1000).toFixed(0)} s`)
    return logins
  } finally {
    for (const signal of SIGNALS) process.off(signal, giveUp)
    await close()
  }
}

async function writeNote(dataDir: string, note: Note): Promise<void> {
  await writeFile(noteFile(dataDir), JSON.stringify(note), { mode: 0o600 })
}

/** Takes away what an earlier demonstration left. */
async function empty(config: Config): Promise<void> {
  const { connection, log, close } = await prepareDatabase(config, { opener: 'tool', onProgress })
  try {
    const app = await openApp(config, { connection, log })
    for (const schema of ['public', ...Object.values(SCHEMAS)]) await app.pool.query(`drop schema ${schema} cascade`)
    await app.pool.query('create schema public')
    await app.close()
  } finally {
    await close()
  }
  await rm(join(config.dataDir, 'media'), { recursive: true, force: true })
}

/** A world is filled without asking the Internet for anything: no host name is resolved. */
async function findNobody(name: string): Promise<never> {
  throw Object.assign(new Error(`${name} is not looked up for the demonstration`), { code: 'ENOTFOUND' })
}

function describe({ origin, dataDir }: Config, logins: readonly Login[]): string {
  const lines = logins.map(({ role, email, password }) => `  ${role.padEnd(6)} ${email.padEnd(18)} ${password}`)
  return [`\nA world of made-up people, in ${dataDir}. Log in at ${origin}/auth/sign_in as`, '', ...lines, ''].join(
    '\n',
  )
}

await new Command('demo')
  .description('start a server that is full of made-up people; Ctrl-C stops it')
  .option('--fresh', 'make everything anew')
  .action(async (options: { fresh?: boolean }) => {
    await attempt(() => demonstrate(options))
    process.exit()
  })
  .parseAsync()
