import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    /** `isNear`: the server stops soon or is stopping, so load balancers and clients should use others. */
    readonly shutdown: { isNear: boolean }
  }
}

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
