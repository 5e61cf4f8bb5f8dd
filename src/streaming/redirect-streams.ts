import type { FastifyInstance } from 'fastify'
import type { Config } from '../platform/config/config.ts'

const STREAMING_PATH = /^\/api\/v1\/streaming(?=[/?]|$)/

/** Returns the URL to which a request for a path at a host is redirected; null if it is answered here. */
export type StreamRedirect = (request: { url: string; host: string }) => string | null

/**
 * Returns the redirect of streaming requests and WebSocket handshakes to the streaming host; null if that is the web
 * host. The redirect always names the configured host, whatever the request contains.
 */
export function createStreamRedirect({
  origin,
  streamingUrl,
}: Pick<Config, 'origin' | 'streamingUrl'>): StreamRedirect | null {
  const { protocol, host: webHost } = new URL(origin)
  const { host: streamingHost } = new URL(streamingUrl)
  if (streamingHost === webHost) return null
  return ({ url, host }) =>
    !STREAMING_PATH.test(url) || hostWithoutDefaultPort(host, protocol) === streamingHost
      ? null
      : `${protocol}//${streamingHost}${url}`
}

/** Redirects the streaming requests of a server. `acceptWebSockets` redirects the handshakes. */
export function redirectStreams(app: FastifyInstance, { redirect }: { redirect: StreamRedirect }): void {
  app.addHook('onRequest', async (request, reply) => {
    const location = redirect(request)
    if (location !== null) return reply.redirect(location, 301)
  })
}

/** Returns the host without the default port of the protocol. */
function hostWithoutDefaultPort(name: string, protocol: string): string {
  const address = `${protocol}//${name}`
  return URL.canParse(address) ? new URL(address).host : name
}
