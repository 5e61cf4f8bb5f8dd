import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'

/**
 * Lets each route for GET also answer HEAD (RFC 9110 §9.3.2): Node.js sends the header without the content. Fastify would
 * register another route for each of them, a third of all routes. A route with `exposeHeadRoute: false` does not answer
 * it.
 */
export function answerHead(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.method === 'GET' && route.exposeHeadRoute !== false) route.method = ['GET', 'HEAD']
  })
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (request.method !== 'HEAD' || !(payload instanceof Readable)) return done()
    payload.destroy()
    done(null, null)
  })
}
