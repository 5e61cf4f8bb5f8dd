import type { FastifyInstance } from 'fastify'
import type { Config } from '../platform/config.ts'

const PATH = /^\/api\/v1\/streaming(?=[/?]|$)/

/**
 * Where streams have a host of their own, leads there whoever asks another host for them. Only that host is ever named,
 * whatever the request says.
 */
export function redirectStreams(app: FastifyInstance, { config }: { config: Config }): void {
  const { protocol, host: own } = new URL(config.origin)
  const { host } = new URL(config.streamingUrl)
  if (host === own) return
  app.addHook('onRequest', async (request, reply) => {
    if (!PATH.test(request.url) || hostOf(request.host, protocol) === host) return
    return reply.redirect(`${protocol}//${host}${request.url}`, 301)
  })
}

/** Without a port that goes without saying. */
function hostOf(name: string, protocol: string): string {
  const address = `${protocol}//${name}`
  return URL.canParse(address) ? new URL(address).host : name
}
