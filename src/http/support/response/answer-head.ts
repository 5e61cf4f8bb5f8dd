import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'

/**
 * Lets each route for GET also answer HEAD (RFC 9110 §9.3.2): Node.js sends the header without the content. Fastify would
 * register another route for each of them, a third of all routes. A route with `exposeHeadRoute: false` does not answer
 * it.
 */
export function answerHead(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const methods = new Set([route.method].flat())
    if (methods.has('GET') && route.exposeHeadRoute !== false) route.method = [...methods.add('HEAD')]
  })
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (request.method !== 'HEAD' || !(payload instanceof Readable)) return done()
    payload.destroy()
    done(null, null)
  })
}
