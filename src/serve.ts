import type { FastifyInstance } from 'fastify'
import { createHealthOnlyServer, createWebServer } from './app.ts'
import type { OpenedApp } from './app.ts'
import { CommandError } from './cli/command-error.ts'
import { findSettingWarnings } from './cli/find-setting-warnings.ts'
import { listenForStop } from './cli/listen-for-stop.ts'
import type { StopRequests } from './cli/listen-for-stop.ts'
import { describeStart } from './cli/output/describe-start.ts'
import { ownerSetupToken } from './domain/accounts/registration/create-owner.ts'
import { checkServerAddress, recordServerAddress } from './domain/instance/server-address.ts'
import { paths } from './http/pages/paths.ts'
import { stopListening } from './http/prepare-shutdown.ts'
import { withTimeout } from './lib/async/with-timeout.ts'
import { openLinnet } from './open.ts'
import { isStartedByNpm } from './platform/config/config.ts'
import { silenceLog } from './platform/log/log.ts'
import { formatClock } from './platform/log/format-log-record.ts'
import { startSchedule } from './schedule.ts'
import { startWorkers } from './workers.ts'

/** A process may have a single role if several processes share the work. */
export type ProcessRole = 'web' | 'worker' | 'streaming'

/** How long running requests and jobs may take after a request to stop, before the process exits. */
const SHUTDOWN_TIMEOUT_SECONDS = 25

/** Time limit for closing connections and the database. */
const CLOSE_TIMEOUT_SECONDS = 4

/**
 * How many connections the system may queue: after a restart, all streaming clients reconnect at the same time, and the
 * system of a rejected client retries only after a second, then after three. The system may have a lower limit.
 */
const LISTEN_BACKLOG = 4_096

/** Stops one part of the server. */
type StopFunction = () => Promise<unknown>

/** Starts the server or one of its roles, and stops it at a signal. Calls `onReady` when it serves requests. */
export async function serve({
  only: role = null,
  onReady,
}: { only?: ProcessRole | null; onReady?: () => void } = {}): Promise<void> {
  const stopRequests = listenForStop({ followsParent: isStartedByNpm() })
  void stopRequests.first.then(() => printProgress('Stopping'))
  void stopRequests.second.then(() => printProgress('Stopping at once; the next start runs unfinished jobs again'))
  const openedPromise = openLinnet({ opener: role === null ? 'server' : 'role', onProgress: printProgress })
  const opened = await Promise.race([openedPromise, stopRequests.second])
  // A database that this process started stops when it exits.
  if (!opened) process.exit(1)
  const { app, close, stopDatabaseNow } = opened
  const { log } = app.ctx
  process.on('uncaughtExceptionMonitor', (err) => log.error({ err }, 'Uncaught exception'))
  const stopFunctions: StopFunction[] = []
  try {
    if (!stopRequests.isStopping)
      await Promise.race([startRole(app, { role, stopFunctions, stopRequests }), stopRequests.second])
    if (!stopRequests.isStopping) onReady?.()
    releaseStartMemory()
    await stopRequests.first
  } finally {
    const stopped = withTimeout(SHUTDOWN_TIMEOUT_SECONDS, Promise.all(stopFunctions.map(async (stop) => stop())))
    const stoppedOrLogged = stopped.catch((err: unknown) =>
      log.warn({ err }, 'Unfinished work was interrupted at shutdown'),
    )
    const isGraceful = await Promise.race([stoppedOrLogged.then(() => true), stopRequests.second.then(() => false)])
    // Interrupted work would log many meaningless errors.
    if (!isGraceful) silenceLog(log)
    await withTimeout(CLOSE_TIMEOUT_SECONDS, isGraceful ? close() : stopDatabaseNow()).catch((err: unknown) =>
      log.warn({ err }, 'The database was not closed cleanly'),
    )
    if (!isGraceful) process.exitCode = 1
  }
}

/**
 * Returns the memory that only the start needed to the system: 30 MB, in 40 ms. V8 would keep it until the server has
 * been busy and idle again. Does nothing if Node was started without `--expose-gc`.
 */
function releaseStartMemory(): void {
  globalThis.gc?.({ type: 'major', flavor: 'last-resort' })
}

/** Starts a role and prints that it is ready. Adds a function to `stopFunctions` for each part that was started. */
async function startRole(
  app: OpenedApp,
  {
    role,
    stopFunctions,
    stopRequests,
  }: { role: ProcessRole | null; stopFunctions: StopFunction[]; stopRequests: StopRequests },
): Promise<void> {
  const { ctx } = app
  await checkServerAddress(ctx)
  const listenAddress =
    role === 'worker'
      ? await serveHealth(app, stopFunctions)
      : await serveWeb(app, { role, stopFunctions, stopRequests })
  await ctx.write(recordServerAddress)
  ctx.log.info({}, `Listening on ${listenAddress}`)
  const runsJobs = role === null || role === 'worker'
  const servesPages = role === null || role === 'web'
  if (runsJobs) {
    const worker = await startWorkers(app)
    const schedule = startSchedule(ctx)
    stopFunctions.push(
      () => worker.stop(),
      () => schedule.stop(),
    )
  }
  const token = servesPages ? await ownerSetupToken(ctx) : null
  const ownerLink = token === null ? null : `${ctx.config.origin}${paths.setup}?token=${token}`
  const mailPage = `${ctx.config.origin}${paths.mail}`
  if (stopRequests.isStopping) return
  // The start does not wait for it.
  void findSettingWarnings(ctx, { runsJobs, servesPages }).then(
    (warnings) => {
      // A Ctrl-C can also end the programs that the check runs.
      if (!stopRequests.isStopping) warnings.forEach((warning) => ctx.log.warn({}, warning))
    },
    (err: unknown) => ctx.log.debug({ err }, 'The settings could not be checked'),
  )
  console.log(describeStart(ctx.config, { role, seconds: process.uptime(), listenAddress, ownerLink, mailPage }))
}

async function serveWeb(
  app: OpenedApp,
  {
    role,
    stopFunctions,
    stopRequests,
  }: { role: ProcessRole | null; stopFunctions: StopFunction[]; stopRequests: StopRequests },
): Promise<string> {
  const { config } = app.ctx
  const { server, streaming } = await createWebServer(app, role === 'streaming' ? { only: role } : {}).catch(
    throwTlsError,
  )
  stopFunctions.push(async () => {
    await stopListening(server)
    await Promise.all([server.close(), streaming.close()])
  })
  const listenAddress = await listen(server, { host: config.bind, port: config.port })
  stopRequests.delaySigterm({
    delaySeconds: config.shutdownDelaySeconds,
    onDelay() {
      printProgress(`Stopping in ${config.shutdownDelaySeconds} s`)
      server.shutdown.isNear = true
    },
  })
  return listenAddress
}

/** Starts the server of a worker for health checks and metrics, which is reachable only from this machine. */
async function serveHealth(app: OpenedApp, stopFunctions: StopFunction[]): Promise<string> {
  const server = await createHealthOnlyServer(app)
  stopFunctions.push(() => server.close())
  return listen(server, { host: '127.0.0.1', port: app.ctx.config.port })
}

async function listen(server: FastifyInstance, { host, port }: { host: string; port: number }): Promise<string> {
  try {
    return await server.listen({ host, port, backlog: LISTEN_BACKLOG })
  } catch (err) {
    const { code } = err as { code?: string }
    const address = `port ${port} of ${host}`
    if (code === 'EADDRINUSE') throw new CommandError(`Another program listens on ${address}; stop it or change PORT`)
    if (code === 'EACCES') throw new CommandError(`This user may not listen on ${address}; set PORT to 1024 or above`)
    if (code === 'EADDRNOTAVAIL')
      throw new CommandError(`This machine does not have the address ${host}; set BIND to a local address`)
    throw err
  }
}

function throwTlsError(err: unknown): never {
  const { code, message } = err as { code?: string; message?: string }
  if (!code?.startsWith('ERR_OSSL') && !code?.startsWith('ERR_SSL')) throw err
  throw new CommandError(`TLS_CERT_FILE and TLS_KEY_FILE are not usable: ${message}`, { cause: err })
}

/** Prints a short line, on a terminal with the time of day like the log. */
function printProgress(text: string): void {
  console.log(process.stdout.isTTY ? `${formatClock(new Date())} ${text}` : text)
}
