import { Server } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    /** `isNear`: the server stops soon or is stopping, so load balancers and clients should use others. */
    readonly shutdown: {
      isNear: boolean
      /** Resolves when the server refuses connections. Until then, responses wait. Null if this is not imminent. */
      refusal: Promise<void> | null
    }
  }
}

/** How long the first request of a new connection may take: reverse proxies send it at once. */
const FIRST_REQUEST_MS = 100

/** If clients open no connection for so long, and the event loop is free, none waits to be accepted. */
const QUIET_MS = 5

/** The maximum duration of a turn of a free event loop. */
const FREE_TURN_MS = 1

/** The maximum time for which a busy server waits for that. */
const MAX_QUEUE_MS = 2_000

/**
 * Before and during shutdown, `/readyz` fails, and every response closes its connection: connections that clients keep
 * open would delay the shutdown, and a request may be lost that arrives on one just when it is closed.
 */
export function prepareShutdown(app: FastifyInstance): void {
  const shutdown: FastifyInstance['shutdown'] = { isNear: false, refusal: null }
  app.decorate('shutdown', shutdown)
  app.addHook('preClose', (done) => {
    shutdown.isNear = true
    done()
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (shutdown.isNear) reply.header('connection', 'close')
    if (shutdown.refusal) void shutdown.refusal.then(() => done())
    else done()
  })
}

/**
 * Refuses new connections of a server that listens, and resolves when it can be closed without losing requests. Closing
 * resets connections without a request, also those on which one is about to arrive; reverse proxies that do not check
 * `/readyz` open connections until the last moment, and do not repeat a POST whose connection was reset.
 */
export async function stopListening(
  app: FastifyInstance,
  { requestsArrived = waitForRequests }: { requestsArrived?: () => Promise<unknown> } = {},
): Promise<void> {
  const { shutdown, server } = app
  shutdown.isNear = true
  const { promise, resolve } = Promise.withResolvers<void>()
  shutdown.refusal = promise
  await acceptQueue(server)
  // The method of HTTP servers also closes the connections without a request.
  Server.prototype.close.call(server)
  shutdown.refusal = null
  resolve()
  await requestsArrived()
}

async function waitForRequests(): Promise<void> {
  await sleep(FIRST_REQUEST_MS)
  // Timers run before arrived data is read, so requests may wait that arrived while the event loop was busy.
  await nextTurn()
}

/**
 * Resolves when hardly any connection waits in the queue of the kernel, because closing the socket resets these: the
 * server accepts all of them once per turn of its event loop, and others arrive until the turn ends. Responses wait for
 * that, since reverse proxies open the connection of the next request after each
 * (docs/decisions/0167-connections-of-a-stopping-server.md).
 */
async function acceptQueue(server: Server): Promise<void> {
  let quietSince = 0
  const endQuiet = () => {
    quietSince = performance.now()
  }
  server.on('connection', endQuiet)
  // The current turn may have been long.
  await nextTurn()
  endQuiet()
  const end = performance.now() + MAX_QUEUE_MS
  let now = performance.now()
  let turnStart
  do {
    turnStart = now
    await nextTurn()
    now = performance.now()
  } while ((now - quietSince < QUIET_MS || now - turnStart > FREE_TURN_MS) && now < end)
  server.off('connection', endQuiet)
}
