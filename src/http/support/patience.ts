import type { FastifyInstance } from 'fastify'
import { hasBody } from './has-body.ts'

/** How slow a sender may be. */
export interface Patience {
  /** A body that has come by then may have come at any pace. */
  graceMs: number
  /** From then on it must have come at this pace on the average: 32 kbit/s is the slowest of telephones. */
  bytesPerSecond: number
}

const PATIENCE: Patience = { graceMs: 60_000, bytesPerSecond: 4 * 1024 }

/** Headers must be complete by then. */
const HEADERS_MS = 60_000

/** Whole requests, also large uploads over slow lines. */
const REQUEST_MS = 15 * 60_000

/** Looks are this many times as frequent as the grace is long. */
const LOOKS_PER_GRACE = 12

/** Cuts off, with 408, whoever drips a request so slowly that only holding the connection can be the purpose. */
export function limitPatience(app: FastifyInstance, { graceMs, bytesPerSecond }: Patience = PATIENCE): void {
  app.server.headersTimeout = HEADERS_MS
  app.server.requestTimeout = REQUEST_MS
  const looks = new Set<NodeJS.Timeout>()
  const end = () => looks.forEach((look) => clearInterval(look))
  // While connections are still open, whoever drips must not hold the end up. A server that never listened has none.
  app.server.once('close', end)
  app.addHook('onClose', async () => app.server.listening || end())
  app.addHook('preParsing', ({ raw }, _reply, payload, done) => {
    if (raw.complete || !hasBody(raw)) return done(null, payload)
    const { socket } = raw
    const start = { at: performance.now(), bytes: socket.bytesRead }
    const look = setInterval(() => {
      const elapsedMs = performance.now() - start.at
      if (elapsedMs < graceMs || socket.bytesRead - start.bytes >= (bytesPerSecond * elapsedMs) / 1000) return
      stop()
      // What Node itself does to a request that took too long: the answer to that is written in one place.
      app.server.emit('clientError', Object.assign(new Error('Too slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
    }, graceMs / LOOKS_PER_GRACE)
    const stop = () => {
      clearInterval(look)
      looks.delete(look)
    }
    looks.add(look.unref())
    raw.once('end', stop).once('close', stop)
    done(null, payload)
  })
}
