import type { FastifyInstance } from 'fastify'
import type { Config } from '../platform/config/config.ts'

const STREAMING_PATH = /^\/api\/v1\/streaming(?=[/?]|$)/

/**
 * Redirects streaming requests to the streaming host if it differs from the web host. The redirect always names the
 * configured host, whatever the request contains.
 */
export function redirectStreams(app: FastifyInstance, { config }: { config: Config }): void {
  const { protocol, host: webHost } = new URL(config.origin)
  const { host } = new URL(config.streamingUrl)
  if (host === webHost) return
  app.addHook('onRequest', async (request, reply) => {
    if (!STREAMING_PATH.test(request.url) || hostWithoutDefaultPort(request.host, protocol) === host) return
    return reply.redirect(`${protocol}//${host}${request.url}`, 301)
  })
}

/** Returns the host without the default port of the protocol. */
function hostWithoutDefaultPort(name: string, protocol: string): string {
  const address = `${protocol}//${name}`
  return URL.canParse(address) ? new URL(address).host : name
}
