import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { Ctx } from './domain/context.ts'
import type { Emit, EventName, Events } from './domain/events.ts'
import { effects } from './effects.ts'
import { createRemote } from './federation/remote/port.ts'
import { bundles, jobLater, jobNames, jobsAgain, jobsOf, queueOf } from './jobs.ts'
import type { Config } from './platform/config.ts'
import { createDb, createPool, isTransient } from './platform/db/connect.ts'
import type { Connection, Db } from './platform/db/connect.ts'
import { closeDataFolder } from './platform/data-folder.ts'
import { createFetcher } from './platform/fetch.ts'
import { createLookup, lookupBySystem } from './platform/fetch/lookup.ts'
import type { Lookup } from './platform/fetch/lookup.ts'
import { Postponed } from './platform/jobs/postponed.ts'
import { countJobs, enqueueJobs } from './platform/jobs/queue.ts'
import type { JobSpec } from './platform/jobs/queue.ts'
import { QUEUES } from './platform/jobs/queues.ts'
import type { QueueName } from './platform/jobs/queues.ts'
import type { Bundles, Handlers } from './platform/jobs/tasks.ts'
import type { Worker, WorkerOptions } from './platform/jobs/worker.ts'
import type { Log } from './platform/log.ts'
import type { Metrics } from './platform/metrics.ts'
import { joinProcesses } from './platform/join-processes.ts'
import { openSecrets } from './platform/secrets.ts'
import { createSmtp } from './platform/smtp.ts'
import { openStorage } from './platform/storage/open.ts'
import { openTranslator } from './platform/translation/open.ts'
import { setTimeout as wait } from 'node:timers/promises'
import type { Streaming } from './streaming/hub.ts'

/** Work that met another transaction is done again this many times before the caller hears of it. */
const WRITE_TRIES = 6

/** Longest pause before another try. Pauses differ, so that those who met do not meet again. */
const WRITE_PAUSE_MS = 40

/** Everything that is open while a process runs, built in one place and closed in the opposite order. */
export interface App {
  readonly ctx: Ctx
  readonly pool: pg.Pool
  readonly connection: Connection
  close(): Promise<void>
}

/**
 * The composition root: gives the floors their tools. `now` is the clock of the program, `extraCa` (PEM) whom its requests
 * trust beside the usual, and `lookup` who finds hosts for them; tests may set all three.
 */
export async function openApp(
  config: Config,
  {
    connection,
    log,
    now = () => new Date(),
    extraCa,
    lookup,
  }: { connection: Connection; log: Log; now?: () => Date; extraCa?: string; lookup?: Lookup },
): Promise<App> {
  let closing = false
  const pool = createPool(connection, {
    max: config.databasePoolSize,
    onError: (err) => closing || log.warn({ err }, 'database connection lost'),
  })
  const db = createDb(pool)
  const open = await closeDataFolder(config.dataDir)
  if (open.length > 0)
    log.warn({ paths: open }, 'Other users may read these paths; their permissions could not be changed')
  const secrets = await openSecrets(config.dataDir)
  const { bus, limiter, part } = await joinProcesses(config, { connection, pool, log })
  const smtp = config.smtp && createSmtp(config.smtp, { from: config.mailFrom, domain: config.webDomain })
  const storage = openStorage(config)
  const reach = {
    allowedPrivate: config.allowedPrivateAddresses,
    testHosts: config.testHosts,
    extraCa,
    userAgent: `Linnet/${config.version} (+${config.origin}/)`,
  }
  const fetcher = createFetcher({
    ...reach,
    lookup: lookup ?? createLookup({ servers: config.testDns }),
    places: config.networkConcurrency,
  })
  // Its address is in the settings, perhaps by a name that only this machine knows.
  const translation =
    config.translation && openTranslator(config.translation, { ...reach, lookup: lookup ?? lookupBySystem })
  const translator = translation?.translator ?? null
  const write = createWrite({ db, config, now })
  const tools = { db, write, now, storage, smtp, bus, limiter, fetcher, translator, config, secrets, log }
  const ctx: Ctx = { ...tools, remote: createRemote(() => ctx) }
  return {
    ctx,
    pool,
    connection,
    async close() {
      closing = true
      await fetcher.close()
      await translation?.fetcher.close()
      await part()
      smtp?.close()
      await pool.end()
    },
  }
}

/** A transaction that takes along what follows from it: the jobs of its events commit with it, or not at all. */
function createWrite({ db, config, now }: { db: Db; config: Config; now: () => Date }): Ctx['write'] {
  return async (work) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await db.transaction(async (trx) => {
          const jobs: JobSpec[] = []
          const moment = now()
          const emit: Emit = <Name extends EventName>(name: Name, payload: Events[Name], at?: Date) => {
            // The queue goes by the database's clock, which may show another time than ours.
            jobs.push(...jobsOf(name, payload, at && at.getTime() - moment.getTime()))
          }
          const result = await work({ db: trx, now: moment, config, emit })
          await enqueueJobs(trx, jobs)
          return result
        })
      } catch (err) {
        if (attempt >= WRITE_TRIES || !isTransient(err)) throw err
        await wait(Math.random() * WRITE_PAUSE_MS * attempt)
      }
    }
  }
}

/** Starts working off jobs with the effects of the switchboard. */
export async function startEffects(app: App): Promise<Worker> {
  const [{ startWorker }, { createQueuePool }] = await Promise.all([
    import('./platform/jobs/worker.ts'),
    import('./platform/jobs/queue-pool.ts'),
  ])
  const { ctx, connection } = app
  const { log } = ctx
  const handlers: Record<QueueName, Handlers> = { prompt: {}, network: {}, lengthy: {} }
  for (const [name, effect] of Object.values(effects).flatMap((row) => Object.entries(row))) {
    const run = async (payload: unknown) => {
      try {
        await (effect as (ctx: Ctx, payload: unknown) => Promise<void>)(ctx, payload)
      } catch (err) {
        if (!(err instanceof Postponed)) throw err
        log.debug({ effect: name, err }, 'effect postponed')
        await enqueueJobs(ctx.db, [jobLater(name, payload, err.delayMs)])
      }
    }
    handlers[queueOf(name)][name] ??= run
    // Whatever version wrote it: before there were several queues, every job waited in this one.
    handlers.prompt[name] ??= run
  }
  const { workerConcurrency, networkConcurrency } = ctx.config
  const together: Bundles = {
    handlersOf: bundles,
    again: async (names, payload) => enqueueJobs(ctx.db, jobsAgain(names, payload)),
  }
  let stopping = false
  const pool = createQueuePool(connection, {
    workers: QUEUES.length,
    // The end of the pool does not wait for its connections, and the database may stop before they have gone.
    onError: (err) => stopping || log.warn({ err }, 'queue connection lost'),
  })
  const start = (queue: QueueName, options: Pick<WorkerOptions, 'concurrency' | 'bundles' | 'keyed'>) =>
    startWorker(connection, { queue, handlers: handlers[queue], pool, log, ...options })
  const workers = await Promise.all([
    start('prompt', { concurrency: workerConcurrency, bundles: together }),
    start('network', { concurrency: networkConcurrency, keyed: true }),
    start('lengthy', { concurrency: 1 }),
  ])
  return {
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()))
      stopping = true
      await pool.end()
    },
  }
}

/** The path of a socket's or a stream's address, and of what supervisors ask. */
const STREAMING = /^\/(api\/v1\/streaming(\/|$)|health$|livez$|readyz$|metrics$)/

/**
 * Builds the web server with the sockets of the streams, not listening yet. `streaming` alone knows no other address.
 * Loaded when it is asked for, so that commands start without it.
 */
export async function createWeb(
  app: App,
  { only }: { only?: 'streaming' } = {},
): Promise<{ server: FastifyInstance; streaming: Streaming }> {
  const [{ createServer }, { federationRoutes }, { startStreaming }, { redirectStreams }] = await Promise.all([
    import('./http/server.ts'),
    import('./federation/routes.ts'),
    import('./streaming/hub.ts'),
    import('./streaming/redirect.ts'),
  ])
  const server = await createServer(app.ctx, {
    metrics: await measureApp(app),
    ...(only && { offers: (path: string) => STREAMING.test(path) }),
  })
  await server.register(async (scope) => federationRoutes(scope, app.ctx))
  // A process for streams alone is what the other address leads to.
  if (!only) redirectStreams(server, { config: app.ctx.config })
  const streaming = await startStreaming(app.ctx, { server })
  return { server, streaming }
}

/** Builds the small server of a process without a web server, for supervisors and Prometheus only. */
export async function createHealth(app: App): Promise<FastifyInstance> {
  const { createHealthServer } = await import('./http/health-server.ts')
  return createHealthServer(app.ctx, { metrics: await measureApp(app) })
}

async function measureApp({ ctx, pool }: App): Promise<Metrics> {
  const { createMetrics } = await import('./platform/metrics.ts')
  return createMetrics({ pool, countJobs: () => countJobs(ctx.db, { known: jobNames }) })
}
