import { readFileSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import cookie from '@fastify/cookie'
import cors from '@fastify/cors'
import Fastify from 'fastify'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../domain/context.ts'
import { NotFound } from '../lib/errors.ts'
import type { Metrics } from '../platform/metrics.ts'
import { measureRequests } from './measure.ts'
import { describeApi } from './openapi.ts'
import { routes } from './routes.ts'
import { answerKinds } from './support/answer-kind.ts'
import { accessOf, authoriseRoutes } from './support/authorise.ts'
import { acceptBodies, MAX_BODY_BYTES } from './support/body.ts'
import { answerClientError } from './support/client-errors.ts'
import { coerce } from './support/coerce.ts'
import { tellDeprecated } from './support/deprecated.ts'
import { answerErrors, refuseBadPath } from './support/errors.ts'
import { guardAnswers } from './support/guard.ts'
import { parsePairs } from './support/nested.ts'
import { checkParams } from './support/params.ts'
import { limitPatience } from './support/patience.ts'
import type { Access } from './support/terms.ts'

/** Only a WebSocket leaves HTTP. What else a client offers (Java's offers h2c) is answered like any request. */
const UPGRADES = {
  shouldUpgradeCallback: ({ headers }: IncomingMessage) => headers.upgrade?.toLowerCase() === 'websocket',
}

/** Paths that programs on other sites may read: nothing that shows a form, and nothing that reads a cookie. */
const SHARED =
  /^\/((api|\.well-known|nodeinfo|system|media_proxy|oauth\/(token|revoke|userinfo))(?=[/?]|$)|(@|users\/)[^/?]+\/?(?=[?]|$))/

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

const EXPOSED = [
  'Link',
  'X-RateLimit-Reset',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-Request-Id',
  'Mastodon-Async-Refresh',
]

/**
 * Builds the web server: what every request passes through, in order, and the table of contents of the routes.
 * `offers` says which routes (by the path that they were registered under) answer, for a process that serves only some.
 */
export async function createServer(
  ctx: Ctx,
  { metrics, offers }: { metrics?: Metrics; offers?: (path: string) => boolean } = {},
): Promise<FastifyInstance> {
  const { tls } = ctx.config
  const options = {
    trustProxy: ctx.config.trustedProxies as string[],
    bodyLimit: MAX_BODY_BYTES,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    genReqId: () => randomUUID(),
    logger: false as const,
    forceCloseConnections: 'idle' as const,
    clientErrorHandler: answerClientError,
    frameworkErrors: refuseBadPath(ctx),
    // Clients of Mastodon send trailing slashes, which Rails ignores.
    routerOptions: {
      constraints: answerKinds,
      querystringParser: parsePairs,
      maxParamLength: 500,
      ignoreTrailingSlash: true,
    },
  }
  const app = tls
    ? (Fastify({
        ...options,
        https: { cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile), ...UPGRADES },
      }) as unknown as FastifyInstance)
    : Fastify({ ...options, http: UPGRADES })

  measureRequests(app, { metrics })
  limitPatience(app)
  if (offers) {
    app.addHook('onRequest', async (request) => {
      if (!offers(request.routeOptions.url ?? '')) throw new NotFound()
    })
  }
  app.decorateRequest('allowances', null)
  app.setValidatorCompiler(({ schema, httpPart }) => (data: unknown) => {
    try {
      return {
        value: httpPart === 'params' ? checkParams(schema, data) : coerce(schema, data ?? {}),
      }
    } catch (err) {
      return { error: err as Error }
    }
  })
  // Response schemas describe and are tested; writing JSON from them would be slower than JSON.stringify.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))

  await app.register(cors, {
    hook: 'onRequest',
    delegator: (request, done) =>
      done(
        null,
        SHARED.test(request.url)
          ? { origin: '*', exposedHeaders: EXPOSED, maxAge: 86_400, methods: METHODS }
          : { origin: false },
      ),
  })
  guardAnswers(app, ctx)
  await app.register(cookie)
  answerErrors(app, ctx)
  await acceptBodies(app, ctx)
  setCacheHeaders(app)
  tellDeprecated(app)
  endConnections(app)
  authoriseRoutes(app, ctx)
  await describeApi(app, ctx)
  await app.register(async (api) => routes(api, ctx))
  return app
}

/** Nothing is kept by a shared cache unless the route's row says so, and never an answer that was made for somebody. */
function setCacheHeaders(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.header('x-request-id', request.id)
    const access = accessOf(request)
    if (request.hasQueryBody) reply.header('cache-control', 'private, no-store')
    else if (access && access.cache !== 'file' && !reply.hasHeader('cache-control')) {
      setCacheHeader(access, { request, reply })
    }
    done()
  })
}

function setCacheHeader(access: Access, { request, reply }: { request: FastifyRequest; reply: FastifyReply }): void {
  const isPage = access.caller === 'page'
  const anonymous = isPage ? request.viewer === null && !reply.hasHeader('set-cookie') : request.bearer === null
  const whole = reply.statusCode === 200 || reply.statusCode === 304
  const shared = whole && (access.cache === 'steady' || anonymous)
  if (access.cache === 'brief') {
    const heeded = access.byLanguage ? 'Accept-Language, Authorization, Origin' : 'Authorization, Origin'
    reply.header('vary', isPage ? 'Accept, Accept-Language, Cookie' : heeded)
    // Without stale-if-error: while this server is down, caches must not go on showing what its users have deleted.
    reply.header('cache-control', shared ? 'public, max-age=15, stale-while-revalidate=30' : 'private, no-store')
  } else {
    reply.header('cache-control', access.cache === 'steady' && shared ? 'public, max-age=300' : 'private, no-store')
  }
}

/** While the server closes, each answer ends its connection: a client that keeps one open would hold up the end. */
function endConnections(app: FastifyInstance): void {
  let closing = false
  app.addHook('preClose', (done) => {
    closing = true
    done()
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) reply.header('connection', 'close')
    done()
  })
}
