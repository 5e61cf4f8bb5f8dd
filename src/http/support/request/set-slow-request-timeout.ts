import type { FastifyInstance } from 'fastify'
import { routePolicyOf } from '../auth/authorize-routes.ts'
import { awaitsBody } from './has-body.ts'

/** How slowly a client may send a body. */
export interface SlowRequestLimits {
  /** Within this time, a body may be sent at any rate. */
  graceMs: number
  /**
   * After the grace time, the minimum average rate. The default, 32 kbit/s, is that of the slowest mobile connections.
   */
  minBytesPerSecond: number
  /** The maximum time until the body is complete, including large uploads over slow connections. */
  maxMs: number
  /** The same for uploads of archives, which may have several gigabytes. */
  maxArchiveMs: number
}

const SLOW_REQUEST_LIMITS: SlowRequestLimits = {
  graceMs: 60_000,
  minBytesPerSecond: 4 * 1024,
  maxMs: 15 * 60_000,
  maxArchiveMs: 6 * 3_600_000,
}

/** The maximum time until the headers are complete. */
const HEADERS_TIMEOUT_MS = 60_000

/** The rate is checked so many times during the grace time, and at the same interval after it. */
const CHECKS_PER_GRACE = 12

/**
 * Ends requests with 408 whose body arrives more slowly than the limits permit, as in a Slowloris attack, or takes too
 * long.
 */
export function setSlowRequestTimeout(
  app: FastifyInstance,
  { graceMs, minBytesPerSecond, maxMs, maxArchiveMs }: SlowRequestLimits = SLOW_REQUEST_LIMITS,
): void {
  app.server.headersTimeout = HEADERS_TIMEOUT_MS
  // Node has one limit for all routes.
  app.server.requestTimeout = maxArchiveMs
  const timers = new Set<NodeJS.Timeout>()
  const clearTimers = () => timers.forEach((timer) => clearInterval(timer))
  // The timers must run until the last connection is closed, since a slow request would delay the shutdown. A server
  // that never listened emits no `close`.
  app.server.once('close', clearTimers)
  app.addHook('onClose', async () => app.server.listening || clearTimers())
  // Before any other hook, which may respond without reading the body.
  app.addHook('onRequest', (request, _reply, done) => {
    const { raw } = request
    const { socket } = raw
    if (!awaitsBody(raw)) return done()
    const limitMs = routePolicyOf(request)?.files === 'archive' ? maxArchiveMs : maxMs
    const start = { at: performance.now(), bytes: socket.bytesRead }
    const timer = setInterval(() => {
      const elapsedMs = performance.now() - start.at
      const isFastEnough = socket.bytesRead - start.bytes >= (minBytesPerSecond * elapsedMs) / 1000
      if (elapsedMs < limitMs && (elapsedMs < graceMs || isFastEnough)) return
      stopTimer()
      // Node emits the same error for its own request timeout, so `sendClientError` handles both.
      app.server.emit('clientError', Object.assign(new Error('Too slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
    }, graceMs / CHECKS_PER_GRACE)
    const stopTimer = () => {
      clearInterval(timer)
      timers.delete(timer)
    }
    timers.add(timer.unref())
    raw.once('end', stopTimer).once('close', stopTimer)
    done()
  })
}
