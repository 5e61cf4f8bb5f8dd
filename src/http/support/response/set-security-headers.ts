import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Ctx } from '../../../domain/context.ts'
import { paths } from '../../pages/paths.ts'

/**
 * The opener policy of the files of third-party clients. It differs from that of every other response, so browsers
 * disconnect a window that a script of a client opens, and the script cannot read the pages of the session.
 */
export const CLIENT_OPENER_POLICY = 'same-origin'

/**
 * Security headers of all responses, unless the route sets others: browsers must not guess content types, run scripts,
 * embed the response on other sites, or send referrers. Pages have their own content security policy.
 */
const SECURITY_HEADERS = {
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'cross-origin-resource-policy': 'cross-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'SAMEORIGIN',
  'x-permitted-cross-domain-policies': 'none',
  // The XSS filter of old browsers could be abused to break pages.
  'x-xss-protection': '0',
}

/**
 * Where a user signs in and consents. A client on another origin may have opened these pages in a popup; each answer on
 * the way must leave the popup connected to the client's window, or the client never receives the code.
 */
const SIGN_IN_PATH = /^\/(?:oauth|auth)(?:\/|$)/
const POPUP_HEADERS = { 'cross-origin-opener-policy': 'unsafe-none' }

/** Browsers use only HTTPS for this host, for a year. */
const HSTS_HEADER = { 'strict-transport-security': 'max-age=31536000' }

/** Sets the security headers on all responses. */
export function setSecurityHeaders(app: FastifyInstance, { config }: Ctx): void {
  const headers = config.origin.startsWith('https:') ? { ...SECURITY_HEADERS, ...HSTS_HEADER } : SECURITY_HEADERS
  const signInHeaders = { ...headers, ...POPUP_HEADERS }
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(isSignInPath(request) ? signInHeaders : headers)
    done()
  })
}

function isSignInPath(request: FastifyRequest): boolean {
  // The registered path of the route: `/%61uth/…` leads to the same route as `/auth/…`.
  const path = request.routeOptions.url ?? request.url.split('?', 1)[0]!
  return SIGN_IN_PATH.test(path) && path !== paths.settings
}
