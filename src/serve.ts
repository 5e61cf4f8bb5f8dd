import type { FastifyInstance } from 'fastify'
import { createHealth, createWeb, startEffects } from './app.ts'
import type { App } from './app.ts'
import { Halt } from './cli/failure.ts'
import { listenForStop } from './cli/stop-signals.ts'
import type { StopRequests } from './cli/stop-signals.ts'
import { describeStart } from './cli/welcome.ts'
import { ownerSetupToken } from './domain/accounts/create-owner.ts'
import { settleAddress } from './domain/instance/address.ts'
import { paths } from './http/pages/paths.ts'
import { within } from './lib/within.ts'
import { openLinnet } from './open.ts'
import { isStartedByNpm } from './platform/config.ts'
import { silenceLog } from './platform/log.ts'
import { formatClock } from './platform/text-log.ts'
import { startClock } from './schedule.ts'

/** A process may play one part only, when several share the work. */
export type Part = 'web' | 'worker' | 'streaming'

/** Requests and jobs that run may end by themselves for so long; then the process goes. */
const STOP_SECONDS = 25

/** What answers nothing more after the rest has ended: closing connections takes no longer. */
const CLOSE_SECONDS = 4

/**
 * Connections that the system may hold for us until we take them: after a restart all who listen come back at once, and
 * whom it turns away tries again only after a second, then after three. The system may have a lower limit of its own.
 */
const BACKLOG = 4_096

/** Ends one thing that was started. */
type Stop = () => Promise<unknown>

/** Starts the server, or one part of it, and stops it at a signal. `onReady` is called once it answers. */
export async function serve({
  only = null,
  onReady,
}: { only?: Part | null; onReady?: () => void } = {}): Promise<void> {
  const requests = listenForStop({ followsParent: isStartedByNpm() })
  void requests.first.then(() => report('Stopping'))
  void requests.second.then(() => report('Stopping at once; the next start runs unfinished jobs again'))
  const opening = openLinnet({ opener: only === null ? 'server' : 'part', onProgress: report })
  const opened = await Promise.race([opening, requests.second])
  // A database that was just started stops when this process ends.
  if (!opened) process.exit(1)
  const { app, close, abandon } = opened
  const { log } = app.ctx
  process.on('uncaughtExceptionMonitor', (err) => log.error({ err }, 'uncaught exception'))
  const stops: Stop[] = []
  try {
    if (!requests.isStopping) await Promise.race([start(app, { only, stops, requests }), requests.second])
    if (!requests.isStopping) onReady?.()
    await requests.first
  } finally {
    const stopped = within(STOP_SECONDS, Promise.all(stops.map(async (stop) => stop())))
    const finished = stopped.catch((err: unknown) => log.warn({ err }, 'unfinished work was interrupted at shutdown'))
    const isPatient = await Promise.race([finished.then(() => true), requests.second.then(() => false)])
    // What is cut off fails in many places, and none of it is news.
    if (!isPatient) silenceLog(log)
    await within(CLOSE_SECONDS, isPatient ? close() : abandon()).catch((err: unknown) =>
      log.warn({ err }, 'the database was not closed cleanly'),
    )
    if (!isPatient) process.exitCode = 1
  }
}

/** Starts what belongs to the part, and says so. `stops` gets the way to end each thing as soon as it has begun. */
async function start(
  app: App,
  { only, stops, requests }: { only: Part | null; stops: Stop[]; requests: StopRequests },
): Promise<void> {
  const { ctx } = app
  await ctx.write(settleAddress)
  const listening = only === 'worker' ? await serveHealth(app, stops) : await serveWeb(app, { only, stops })
  ctx.log.info({}, `Listening on ${listening}`)
  if (only === null || only === 'worker') {
    const worker = await startEffects(app)
    const clock = startClock(ctx)
    stops.push(
      () => worker.stop(),
      () => clock.stop(),
    )
  }
  const token = only === null || only === 'web' ? await ownerSetupToken(ctx) : null
  const ownerLink = token === null ? null : `${ctx.config.origin}${paths.setup}?token=${token}`
  const mailPage = `${ctx.config.origin}${paths.mail}`
  if (requests.isStopping) return
  console.log(describeStart(ctx.config, { part: only, seconds: process.uptime(), listening, ownerLink, mailPage }))
}

async function serveWeb(app: App, { only, stops }: { only: Part | null; stops: Stop[] }): Promise<string> {
  const { config } = app.ctx
  const { server, streaming } = await createWeb(app, only === 'streaming' ? { only } : {}).catch(explainTls)
  stops.push(
    () => server.close(),
    () => streaming.close(),
  )
  return listen(server, { host: config.bind, port: config.port })
}

/** A worker has no address for others. */
async function serveHealth(app: App, stops: Stop[]): Promise<string> {
  const server = await createHealth(app)
  stops.push(() => server.close())
  return listen(server, { host: '127.0.0.1', port: app.ctx.config.port })
}

async function listen(server: FastifyInstance, { host, port }: { host: string; port: number }): Promise<string> {
  try {
    return await server.listen({ host, port, backlog: BACKLOG })
  } catch (err) {
    const { code } = err as { code?: string }
    const place = `port ${port} of ${host}`
    if (code === 'EADDRINUSE') throw new Halt(`Another program listens on ${place}; stop it or change PORT`)
    if (code === 'EACCES') throw new Halt(`This user may not listen on ${place}; set PORT to 1024 or above`)
    if (code === 'EADDRNOTAVAIL')
      throw new Halt(`This machine does not have the address ${host}; set BIND to a local address`)
    throw err
  }
}

function explainTls(err: unknown): never {
  const { code, message } = err as { code?: string; message?: string }
  if (!code?.startsWith('ERR_OSSL') && !code?.startsWith('ERR_SSL')) throw err
  throw new Halt(`TLS_CERT_FILE and TLS_KEY_FILE are not usable: ${message}`, { cause: err })
}

/** Prints a short line: on a terminal with the time of day, like the log. */
function report(text: string): void {
  console.log(process.stdout.isTTY ? `${formatClock(new Date())} ${text}` : text)
}
