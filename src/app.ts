import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { Ctx } from './domain/context.ts'
import type { Emit, EventName, Events } from './domain/events.ts'
import { openRead } from './domain/open-read.ts'
import { createRemote } from './federation/remote/create-remote.ts'
import { jobNames, jobsOf } from './jobs.ts'
import { cacheLimitOf } from './platform/cache-limit.ts'
import type { Config } from './platform/config/config.ts'
import { createDb, createPool, isDatabaseUnreachable, isRetryableConflict } from './platform/db/connection.ts'
import type { Connection, Db } from './platform/db/connection.ts'
import { openDatabaseClock } from './platform/db/database-clock.ts'
import { limitCaches } from './platform/db/invalidations.ts'
import { openReplica } from './platform/db/replica.ts'
import type { Replica } from './platform/db/replica.ts'
import { restrictDataFolder } from './platform/data-folder/restrict-data-folder.ts'
import { createFetcher } from './platform/fetch/fetcher.ts'
import { createMailHostFinder } from './platform/fetch/create-mail-host-finder.ts'
import type { FindMailHosts } from './platform/fetch/create-mail-host-finder.ts'
import { createLookup, lookupWithSystemResolver } from './platform/fetch/create-lookup.ts'
import type { Lookup } from './platform/fetch/create-lookup.ts'
import { countJobs, enqueueJobs } from './platform/jobs/job-queue.ts'
import type { JobSpec } from './platform/jobs/job-queue.ts'
import { createJobSignals } from './platform/jobs/job-signals.ts'
import type { JobSignals } from './platform/jobs/job-signals.ts'
import { createOutageReport } from './platform/log/create-outage-report.ts'
import type { Log } from './platform/log/log.ts'
import type { Metrics } from './platform/metrics.ts'
import { connectProcesses } from './platform/connect-processes.ts'
import { openSecrets } from './platform/secrets.ts'
import type { GenerateRsaKeyPair } from './platform/secrets.ts'
import { createSmtp } from './platform/smtp.ts'
import { openProviders } from './platform/single-sign-on/open-providers.ts'
import { openStorage } from './platform/storage/open-storage.ts'
import { openTranslator } from './platform/translation/open-translator.ts'
import { setTimeout as wait } from 'node:timers/promises'
import type { Streaming } from './streaming/start-streaming.ts'

/** Attempts of a transaction that fails because of a serialization conflict or a deadlock. */
const MAX_WRITE_ATTEMPTS = 6

/** Maximum delay before the second attempt. Delays are random, so that the transactions do not collide again. */
const MAX_RETRY_DELAY_MS = 40

/** All open resources of a process. */
export interface OpenedApp {
  readonly ctx: Ctx
  readonly pool: pg.Pool
  readonly connection: Connection
  readonly jobSignals: JobSignals
  close(): Promise<void>
}

/**
 * The composition root: creates the context with all tools. Tests may replace `now` (the clock, by default that of the
 * database), `systemNow` (the system clock), `extraCa` (additional trusted PEM certificates of requests), `lookup` (the
 * name resolution of requests) and `findMailHosts`.
 */
export async function openApp(
  config: Config,
  {
    connection,
    log,
    now: fixedNow,
    systemNow,
    extraCa,
    lookup,
    findMailHosts = createMailHostFinder({ servers: config.testDns }),
    generateRsaKeyPair,
  }: {
    connection: Connection
    log: Log
    now?: () => Date
    systemNow?: () => number
    extraCa?: string
    lookup?: Lookup
    findMailHosts?: FindMailHosts
    generateRsaKeyPair?: GenerateRsaKeyPair
  },
): Promise<OpenedApp> {
  let closing = false
  const reportLoss = createOutageReport(log, 'A database connection was lost')
  const pool = createPool(connection, {
    max: config.databasePoolSize,
    onError: (err) => closing || reportLoss({ err }),
  })
  const db = createDb(pool)
  limitCaches(db, cacheLimitOf(config))
  const { now, stop: stopClock } = fixedNow
    ? { now: fixedNow, stop() {} }
    : await openDatabaseClock(db, { log, systemNow })
  const exposedPaths = await restrictDataFolder(config.dataDir)
  if (exposedPaths.length > 0)
    log.warn({ paths: exposedPaths }, 'Other users may read these paths; their permissions could not be changed')
  const secrets = await openSecrets(config.dataDir, { generateRsaKeyPair })
  const {
    bus,
    rateLimiter,
    disconnect: disconnectProcesses,
  } = await connectProcesses(config, { connection, pool, log })
  const { mailFrom: from, mailReplyTo: replyTo, webDomain: domain, networkConcurrency: maxConcurrent } = config
  const smtp = config.smtp && createSmtp(config.smtp, { from, replyTo, domain, maxConcurrent })
  const storage = openStorage(config)
  const fetchOptions = {
    allowedPrivate: config.allowedPrivateAddresses,
    testHosts: config.testHosts,
    extraCa,
    userAgent: `Linnet/${config.version} (+${config.origin}/)`,
  }
  const fetcher = createFetcher({
    ...fetchOptions,
    lookup: lookup ?? createLookup({ servers: config.testDns }),
    maxConcurrent: config.networkConcurrency,
  })
  // The settings may contain a host name that only this machine can resolve.
  const translation =
    config.translation &&
    openTranslator(config.translation, { ...fetchOptions, lookup: lookup ?? lookupWithSystemResolver })
  const translator = translation?.translator ?? null
  const providers = openProviders(config.singleSignOn, {
    ...fetchOptions,
    lookup: lookup ?? lookupWithSystemResolver,
  })
  const { externalLogins } = providers
  const jobSignals = createJobSignals(bus)
  const write = createWrite({ db, config, now, jobSignals })
  const read: Ctx['read'] = async function read(this: Ctx, query, input) {
    return query(await openRead({ db: this.db, config: this.config }), input)
  }
  const replica =
    config.replicaDatabaseUrl === null
      ? null
      : openReplica({ connectionString: config.replicaDatabaseUrl }, { primary: db, max: config.databasePoolSize, log })
  if (replica) limitCaches(replica.db, cacheLimitOf(config))
  const tools = {
    readStale: createReadStale({ db, config, replica }),
    storage,
    smtp,
    bus,
    rateLimiter,
    fetcher,
    translator,
    externalLogins,
    findMailHosts,
    secrets,
    jobNames,
    log,
  }
  const ctx: Ctx = { db, config, write, read, now, ...tools, remote: createRemote(() => ctx) }
  return {
    ctx,
    pool,
    connection,
    jobSignals,
    async close() {
      closing = true
      stopClock()
      jobSignals.close()
      await fetcher.close()
      await translation?.fetcher.close()
      await providers.close()
      await disconnectProcesses()
      smtp?.close()
      await replica?.close()
      await pool.end()
    },
  }
}

/**
 * Returns a function that runs a transaction, writes the jobs of its events in it, and wakes workers after the commit.
 * Retries conflicts.
 */
function createWrite({
  db,
  config,
  now,
  jobSignals,
}: {
  db: Db
  config: Config
  now: () => Date
  jobSignals: JobSignals
}): Ctx['write'] {
  return async (work, options) => {
    for (let attempt = 1; ; attempt += 1) {
      const jobs: JobSpec[] = []
      try {
        const result = await db.transaction(
          async (trx) => {
            const transactionTime = now()
            const emit: Emit = <Name extends EventName>(name: Name, payload: Events[Name], at?: Date) => {
              // A delay instead of a time, because the queue uses the database's clock, which may differ from this one.
              jobs.push(...jobsOf(name, payload, at && at.getTime() - transactionTime.getTime()))
            }
            return work({ db: trx, now: transactionTime, config, emit })
          },
          { ...options, beforeCommit: async (trx) => enqueueJobs(trx, jobs) },
        )
        jobSignals.wake(jobs)
        return result
      } catch (err) {
        if (attempt >= MAX_WRITE_ATTEMPTS || !isRetryableConflict(err)) throw err
        await wait(Math.random() * MAX_RETRY_DELAY_MS * attempt)
      }
    }
  }
}

/** Returns a function that reads from the replica if it is recent, and from the primary otherwise. */
function createReadStale({
  db,
  config,
  replica,
}: {
  db: Db
  config: Config
  replica: Replica | null
}): Ctx['readStale'] {
  return async (query, input) => {
    if (replica !== null && (await replica.isRecent())) {
      try {
        return await query({ db: replica.db, config }, input)
      } catch (err) {
        // PostgreSQL also cancels a query that conflicts with what the replica replays.
        if (!isDatabaseUnreachable(err) && !isRetryableConflict(err)) throw err
      }
    }
    return query({ db, config }, input)
  }
}

/** Paths of the streaming API, health checks and metrics. */
const STREAMING_PATHS = /^\/(api\/v1\/streaming(\/|$)|health$|livez$|readyz$|metrics$)/

/**
 * Creates the web server with the streaming API, but does not listen. `only`: serves no other routes. The modules are
 * imported here, so that commands start without them.
 */
export async function createWebServer(
  app: OpenedApp,
  { only }: { only?: 'streaming' } = {},
): Promise<{ server: FastifyInstance; streaming: Streaming }> {
  const [{ createServer }, { registerFederationRoutes }, { startStreaming }, streamRedirects] = await Promise.all([
    import('./http/server.ts'),
    import('./federation/routes.ts'),
    import('./streaming/start-streaming.ts'),
    import('./streaming/redirect-streams.ts'),
  ])
  const server = await createServer(app.ctx, {
    metrics: await createAppMetrics(app),
    ...(only && { servesRoute: (path: string) => STREAMING_PATHS.test(path) }),
  })
  await server.register(async (scope) => registerFederationRoutes(scope, app.ctx))
  // With `only: 'streaming'`, this process is the target of the redirects.
  const redirect = only ? null : streamRedirects.createStreamRedirect(app.ctx.config)
  if (redirect) streamRedirects.redirectStreams(server, { redirect })
  const streaming = await startStreaming(app.ctx, { server, redirect })
  return { server, streaming }
}

/** Creates the server of a process without a web server, which has only health checks and metrics. */
export async function createHealthOnlyServer(app: OpenedApp): Promise<FastifyInstance> {
  const { createHealthServer } = await import('./http/health/create-health-server.ts')
  return createHealthServer(app.ctx, { metrics: await createAppMetrics(app) })
}

async function createAppMetrics({ ctx, pool }: OpenedApp): Promise<Metrics> {
  const { createMetrics } = await import('./platform/metrics.ts')
  return createMetrics({ pool, countJobs: () => countJobs(ctx.db, { known: jobNames }) })
}
