import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Ctx } from '../../../domain/context.ts'
import { createClientIpReader } from '../../../lib/http/client-ip-of.ts'
import { IpNetworkMap, parseIpNetwork } from '../../../lib/http/ip-network.ts'
import { PRIVATE_RANGES } from '../../../platform/fetch/private-ranges.ts'
import type { Log } from '../../../platform/log/log.ts'

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
export function addClientIp(app: FastifyInstance, { config, log }: Pick<Ctx, 'config' | 'log'>): void {
  const clientIpOf = createClientIpReader(config.trustedProxies, { onIgnored: createProxyReport(log) })
  app.decorateRequest('storedClientIp', null)
  app.decorateRequest('clientIp', {
    getter(this: FastifyRequest) {
      return (this.storedClientIp ??= clientIpOf(this.raw))
    },
  })
}

/**
 * Returns a function that logs the first peer with a private address whose `X-Forwarded-For` is ignored: it is probably a
 * reverse proxy on another machine or in another container. Any client on the Internet can send the header.
 */
function createProxyReport(log: Log): (peer: string) => void {
  const privateRanges = new IpNetworkMap<true>()
  for (const range of PRIVATE_RANGES) privateRanges.set(parseIpNetwork(range)!, true)
  let isReported = false
  return (peer) => {
    if (isReported || privateRanges.find(peer).length === 0) return
    isReported = true
    log.warn(
      { peer },
      'The header X-Forwarded-For is ignored, because TRUSTED_PROXY_IP does not contain the address of this peer. If it is a reverse proxy, all its visitors share one rate limit',
    )
  }
}
