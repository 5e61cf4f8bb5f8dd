import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Ctx } from '../../../domain/context.ts'
import { createClientIpReader } from '../../../lib/http/client-ip-of.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The IP address of the client, behind the trusted proxies; '' if it is unknown. `request.ip` is the address of the
     * connection, which is that of the proxy.
     */
    readonly clientIp: string
    storedClientIp: string | null
  }
}

/** Adds `clientIp` to requests. Streaming reads the address of a WebSocket's client by the same function. */
export function addClientIp(app: FastifyInstance, { config }: Pick<Ctx, 'config'>): void {
  const clientIpOf = createClientIpReader(config.trustedProxies)
  app.decorateRequest('storedClientIp', null)
  app.decorateRequest('clientIp', {
    getter(this: FastifyRequest) {
      return (this.storedClientIp ??= clientIpOf(this.raw))
    },
  })
}
