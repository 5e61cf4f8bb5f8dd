import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Ctx } from '../../domain/context.ts'
import { paths } from '../pages/paths.ts'

/**
 * What browsers are told of every answer, unless its route says otherwise: that it is what it says it is, that nothing
 * in it runs, and that no other site may frame it or learn from it who was here. Pages have a policy of their own.
 */
const GUARDS = {
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'cross-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  // The filter of old browsers could be turned against a page.
  'x-xss-protection': '0',
}

/**
 * Where a user signs in and consents. A client on another origin may have opened these pages in a popup; each answer on the
 * way must leave the popup connected to the client's window, or the client never receives the code.
 */
const SIGN_IN_PATH = /^\/(?:oauth|auth)(?:\/|$)/
const POPUP = { 'cross-origin-opener-policy': 'unsafe-none' }

/** Under https, browsers come back by https only, for a year. */
const STRICT = { 'strict-transport-security': 'max-age=31536000' }

/** Puts these headers into every answer. */
export function guardAnswers(app: FastifyInstance, { config }: Ctx): void {
  const guards = config.origin.startsWith('https:') ? { ...GUARDS, ...STRICT } : GUARDS
  const guardsOfSignIn = { ...guards, ...POPUP }
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(isSignIn(request) ? guardsOfSignIn : guards)
    done()
  })
}

function isSignIn(request: FastifyRequest): boolean {
  // The route's own path: `/%61uth/…` leads to the same route as `/auth/…`.
  const path = request.routeOptions.url ?? request.url.split('?', 1)[0]!
  return SIGN_IN_PATH.test(path) && path !== paths.settings
}
