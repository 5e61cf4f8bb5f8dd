import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Command } from 'commander'
import { openApp } from '../src/app.ts'
import { startWorkers } from '../src/workers.ts'
import { runOrReport, CommandError } from '../src/cli/command-error.ts'
import { prepareDatabase } from '../src/open.ts'
import { readConfig } from '../src/platform/config/config.ts'
import type { Config } from '../src/platform/config/config.ts'
import { createDataFolder } from '../src/platform/data-folder/create-data-folder.ts'
import { silenceLog } from '../src/platform/log/log.ts'
import { serve } from '../src/serve.ts'
import { createDemoData } from './demo-data/create-demo-data.ts'
import type { DemoLogin } from './demo-data/create-demo-data.ts'
import { createClock } from './demo-data/with-backdated-ids.ts'
import { showProgress } from '../src/cli/output/show-progress.ts'
import { addBuilderTo } from '../test/query-builder.ts'

/** Marks a data folder as that of the demo, and stores the log-ins; they are null until the demo data is complete. */
interface DemoMarker {
  logins: DemoLogin[] | null
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const REDUCED_CONCURRENCY = { databasePoolSize: 4, workerConcurrency: 2 }

const onProgress = (text: string): void => console.error(text)

async function runDemo({ fresh = false }: { fresh?: boolean }): Promise<void> {
  process.env['DATA_DIR'] ??= resolve(import.meta.dirname, '..', 'data-demo')
  process.env['REGISTRATIONS_MODE'] ??= 'open'
  process.env['LOG_LEVEL'] ??= 'warn'
  const config = readConfig()
  if (config.databaseUrl !== null) throw new CommandError('The demo uses its own database: unset DATABASE_URL')
  const known = await readLogins(config)
  const logins = (fresh ? null : known) ?? (await createDemo(config))
  await serve({ onReady: () => console.log(describe(config, logins)) })
}

/** Reads the log-ins of an existing demo. @throws CommandError if the folder is not that of a demo */
async function readLogins({ dataDir }: Config): Promise<DemoLogin[] | null> {
  const marker = await readFile(markerFile(dataDir), 'utf8').catch(() => null)
  if (marker !== null) return (JSON.parse(marker) as DemoMarker).logins
  if (existsSync(dataDir))
    throw new CommandError(`${dataDir} is not the data folder of a demo: set DATA_DIR to another folder`)
  return null
}

function markerFile(dataDir: string): string {
  return join(dataDir, 'demo.json')
}

async function createDemo(config: Config): Promise<DemoLogin[]> {
  const { dataDir } = config
  const isOld = existsSync(markerFile(dataDir))
  await createDataFolder(dataDir)
  await writeMarker(dataDir, { logins: null })
  if (isOld) await deleteDemo(config)
  const start = performance.now()
  const clock = createClock(new Date())
  const { connection, log, close } = await prepareDatabase(config, { opener: 'tool', onProgress })
  // The next run deletes incomplete demo data.
  const abort = () => {
    // The jobs that are still running fail.
    silenceLog(log)
    void close().finally(() => process.exit(1))
  }
  for (const signal of SIGNALS) process.on(signal, abort)
  try {
    // Each connection plans each statement itself, so few connections are faster for such a short run.
    const app = await openApp(
      { ...config, ...REDUCED_CONCURRENCY },
      { connection, log, now: clock.now, lookup: rejectLookup },
    )
    const worker = await startWorkers(app)
    const logins = await createDemoData(addBuilderTo(app.ctx), { clock, onProgress: showProgress() })
    await worker.stop()
    await app.close()
    await writeMarker(dataDir, { logins })
    console.error(`Created the demo data in ${((performance.now() - start) / 1000).toFixed(0)} s`)
    return logins
  } finally {
    for (const signal of SIGNALS) process.off(signal, abort)
    await close()
  }
}

async function writeMarker(dataDir: string, marker: DemoMarker): Promise<void> {
  await writeFile(markerFile(dataDir), JSON.stringify(marker), { mode: 0o600 })
}

/** Deletes the data of an earlier demo. */
async function deleteDemo(config: Config): Promise<void> {
  const { connection, log, close } = await prepareDatabase(config, { opener: 'tool', onProgress })
  try {
    const app = await openApp(config, { connection, log })
    await app.pool.query('drop schema public cascade')
    await app.pool.query('create schema public')
    await app.close()
  } finally {
    await close()
  }
  await rm(join(config.dataDir, 'media'), { recursive: true, force: true })
}

/** Resolves no host name, so that creating the demo data sends no requests to the internet. */
async function rejectLookup(name: string): Promise<never> {
  throw Object.assign(new Error(`${name} is not resolved for the demo`), { code: 'ENOTFOUND' })
}

function describe({ origin, dataDir }: Config, logins: readonly DemoLogin[]): string {
  const lines = logins.map(({ role, email, password }) => `  ${role.padEnd(6)} ${email.padEnd(18)} ${password}`)
  return [`\nDemo data is in ${dataDir}. Log in at ${origin}/auth/sign_in as`, '', ...lines, ''].join('\n')
}

await new Command('demo')
  .description('run a server with generated accounts and posts; Ctrl-C stops it')
  .option('--fresh', 'delete the data of the demo first')
  .action(async (options: { fresh?: boolean }) => {
    await runOrReport(() => runDemo(options))
    process.exit()
  })
  .parseAsync()
