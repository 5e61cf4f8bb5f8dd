import { Server } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    /** `isNear`: the server stops soon or is stopping, so load balancers and clients should use others. */
    readonly shutdown: { isNear: boolean }
  }
}

/** How long the first request of a new connection may take: reverse proxies send it at once. */
const FIRST_REQUEST_MS = 100

/** The maximum time for which a server that is about to stop waits until clients open no connections. */
const QUEUE_MS = 2_000

/**
 * Before and during shutdown, `/readyz` fails, and every response closes its connection: connections that clients keep
 * open would delay the shutdown, and a request may be lost that arrives on one just when it is closed.
 */
export function prepareShutdown(app: FastifyInstance): void {
  const shutdown = { isNear: false }
  app.decorate('shutdown', shutdown)
  app.addHook('preClose', (done) => {
    shutdown.isNear = true
    done()
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (shutdown.isNear) reply.header('connection', 'close')
    done()
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
  app.shutdown.isNear = true
  await acceptQueue(app.server)
  // The method of HTTP servers also closes the connections without a request.
  Server.prototype.close.call(app.server)
  await requestsArrived()
}

async function waitForRequests(): Promise<void> {
  await sleep(FIRST_REQUEST_MS)
  // Timers run before arrived data is read, so requests may wait that arrived while the event loop was busy.
  await nextTurn()
}

/**
 * Resolves when no connection seems to wait in the queue of the kernel, because closing the socket resets these: a busy
 * server accepts connections only once per turn of its event loop.
 */
async function acceptQueue(server: Server): Promise<void> {
  let accepted = 0
  const count = () => {
    accepted += 1
  }
  server.on('connection', count)
  const end = performance.now() + QUEUE_MS
  // The current turn may have accepted connections already.
  await nextTurn()
  let before
  do {
    before = accepted
    await nextTurn()
  } while (accepted > before && performance.now() < end)
  server.off('connection', count)
}
