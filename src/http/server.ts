import { readFileSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import cookie from '@fastify/cookie'
import cors from '@fastify/cors'
import Fastify from 'fastify'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../domain/context.ts'
import { NotFoundError } from '../lib/errors.ts'
import type { Metrics } from '../platform/metrics.ts'
import { measureRequests } from './measure-requests.ts'
import { describeApi } from './openapi/describe-api.ts'
import { shareSchemas } from './openapi/share-schemas.ts'
import { prepareShutdown } from './prepare-shutdown.ts'
import { routes } from './routes.ts'
import { acceptConstraint } from './support/request/accept-constraint.ts'
import { addClientIp } from './support/request/client-ip.ts'
import { routePolicyOf, authorizeRoutes } from './support/auth/authorize-routes.ts'
import { parseBodies, MAX_BODY_BYTES } from './support/request/parse-bodies.ts'
import { answerHead } from './support/response/answer-head.ts'
import { closeAfterEarlyResponses } from './support/response/close-after-early-responses.ts'
import { sendClientError } from './support/response/send-client-error.ts'
import { coerce } from './support/request/coerce.ts'
import { mergeSlashes } from '../lib/http/merge-slashes.ts'
import { setDeprecationHeaders } from './support/response/deprecation.ts'
import { handleErrors, handleBadPath } from './support/response/handle-errors.ts'
import { setSecurityHeaders } from './support/response/set-security-headers.ts'
import { parsePairs } from './support/request/parse-pairs.ts'
import { checkPathParams } from './support/request/path-params.ts'
import { setSlowRequestTimeout } from './support/request/set-slow-request-timeout.ts'
import type { RoutePolicy } from './support/auth/route-policy.ts'

/**
 * Only WebSocket upgrades are accepted. A request that offers another one (Java clients offer h2c) is answered as
 * HTTP/1.1.
 */
const UPGRADE_OPTIONS = {
  shouldUpgradeCallback: ({ headers }: IncomingMessage) => headers.upgrade?.toLowerCase() === 'websocket',
}

/** Paths that scripts of other sites may read by CORS: none of them shows a form or reads a cookie. */
const CORS_PATHS =
  /^\/((api|\.well-known|nodeinfo|system|media_proxy|oauth\/(token|revoke|userinfo))(?=[/?]|$)|(@|users\/|ap\/users\/)[^/?]+\/?(?=[?]|$))/

const CORS_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

const EXPOSED_HEADERS = [
  'Link',
  'X-RateLimit-Reset',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-Request-Id',
  'Mastodon-Async-Refresh',
]

/**
 * Creates the web server: registers the hooks that every request passes, in their order, and the routes. `servesRoute`
 * selects routes by the path under which they are registered, for a process that serves only some of them; others
 * respond with 404.
 */
export async function createServer(
  ctx: Ctx,
  { metrics, servesRoute }: { metrics?: Metrics; servesRoute?: (path: string) => boolean } = {},
): Promise<FastifyInstance> {
  const { tls } = ctx.config
  const options = {
    bodyLimit: MAX_BODY_BYTES,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    genReqId: () => randomUUID(),
    logger: false as const,
    exposeHeadRoutes: false,
    // No limit of time for each plugin and route, which would be a timer for each.
    pluginTimeout: 0,
    forceCloseConnections: 'idle' as const,
    // Requests that arrive during shutdown are answered: most proxies pass a 503 on instead of asking another server.
    return503OnClosing: false,
    clientErrorHandler: sendClientError,
    rewriteUrl: mergeSlashes,
    frameworkErrors: handleBadPath(ctx),
    schemaController: { bucket: shareSchemas() },
    // Clients of Mastodon send trailing slashes, which Rails ignores.
    routerOptions: {
      constraints: acceptConstraint,
      querystringParser: parsePairs,
      maxParamLength: 500,
      ignoreTrailingSlash: true,
    },
  }
  const app = tls
    ? (Fastify({
        ...options,
        https: { cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile), ...UPGRADE_OPTIONS },
      }) as unknown as FastifyInstance)
    : Fastify({ ...options, http: UPGRADE_OPTIONS })

  answerHead(app)
  addClientIp(app, ctx)
  measureRequests(app, { metrics })
  setSlowRequestTimeout(app)
  if (servesRoute) {
    app.addHook('onRequest', async ({ method, routeOptions, url }) => {
      // All preflight requests have one route, whose path is a wildcard.
      const path = method === 'OPTIONS' ? url.replace(/\?.*/, '') : (routeOptions.url ?? '')
      if (!servesRoute(path)) throw new NotFoundError()
    })
  }
  app.decorateRequest('allowances', null)
  app.setValidatorCompiler(({ schema, httpPart }) => (data: unknown) => {
    try {
      return {
        value: httpPart === 'params' ? checkPathParams(schema, data) : coerce(schema, data ?? {}),
      }
    } catch (err) {
      return { error: err as Error }
    }
  })

  await app.register(cors, {
    hook: 'onRequest',
    delegator: (request, done) =>
      done(
        null,
        CORS_PATHS.test(request.url)
          ? { origin: '*', exposedHeaders: EXPOSED_HEADERS, maxAge: 86_400, methods: CORS_METHODS }
          : { origin: false },
      ),
  })
  setSecurityHeaders(app, ctx)
  await app.register(cookie)
  handleErrors(app, ctx)
  await parseBodies(app, ctx)
  setCacheHeaders(app)
  setDeprecationHeaders(app)
  prepareShutdown(app)
  closeAfterEarlyResponses(app)
  authorizeRoutes(app, ctx)
  await describeApi(app, ctx)
  await app.register(async (api) => routes(api, ctx))
  return app
}

/** Permits shared caching only if the route policy says so, and never for responses to authenticated requests. */
function setCacheHeaders(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.header('x-request-id', request.id)
    const access = routePolicyOf(request)
    if (request.hasQueryBody) reply.header('cache-control', 'private, no-store')
    else if (access && access.cache !== 'file' && !reply.hasHeader('cache-control')) {
      setCacheHeader(access, { request, reply })
    }
    done()
  })
}

function setCacheHeader(
  access: RoutePolicy,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): void {
  const isPage = access.caller === 'page'
  const anonymous = isPage ? request.viewer === null && !reply.hasHeader('set-cookie') : request.bearer === null
  const isComplete = reply.statusCode === 200 || reply.statusCode === 304
  const isCacheable = isComplete && (access.cache === 'steady' || anonymous)
  if (access.cache === 'brief') {
    const varyHeader = access.byLanguage ? 'Accept-Language, Authorization, Origin' : 'Authorization, Origin'
    reply.header('vary', isPage ? 'Accept, Accept-Language, Cookie' : varyHeader)
    // Without stale-if-error: while this server is down, caches must not go on showing what its users have deleted.
    reply.header('cache-control', isCacheable ? 'public, max-age=15, stale-while-revalidate=30' : 'private, no-store')
  } else {
    reply.header(
      'cache-control',
      access.cache === 'steady' && isCacheable ? 'public, max-age=300' : 'private, no-store',
    )
  }
}
