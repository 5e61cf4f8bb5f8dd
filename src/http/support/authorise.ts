import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findBearer, findSessionViewer } from '../../domain/auth/viewer.ts'
import type { Bearer, Viewer } from '../../domain/auth/viewer.ts'
import type { Ctx } from '../../domain/context.ts'
import { Forbidden, NotFound, Refusal, Unauthorized, Unprocessable } from '../../lib/errors.ts'
import { coversScope } from '../../lib/scopes.ts'
import { ACCESS } from '../access.ts'
import { signInPath } from '../pages/paths.ts'
import type { Access } from './terms.ts'
import { answersOf } from './answer-kind.ts'
import { countRequest } from './rate.ts'
import { openReadContext } from './read-context.ts'
import { hasCsrfToken, sessionIdOf } from './session.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The person who asks, or null. On a route of `user` use `viewerOf`. */
    viewer: Viewer | null
    bearer: Bearer | null
  }
  interface FastifyContextConfig {
    access?: Access
  }
}

const OWNER_ROLE = '3'

const STANDING_TEXTS = {
  unconfirmed: 'Your login is missing a confirmed e-mail address',
  pending: 'Your login is currently pending approval',
  suspended: 'Your login is currently disabled',
  disabled: 'Your login is currently disabled',
  moved: 'Your login is currently disabled',
} as const

/** By whom nothing is done, not even where the row says `any`. */
const SHUT_OUT: ReadonlySet<string> = new Set(['suspended', 'disabled', 'moved'])

/** The row of the table that a request's route has; undefined for a request that met no route. */
export function accessOf(request: FastifyRequest): Access | undefined {
  return request.routeOptions.config.access
}

/** The person who asks, on a route that only people reach. */
export function viewerOf(request: FastifyRequest): Viewer {
  if (!request.viewer) throw new Unprocessable('This method requires an authenticated user')
  return request.viewer
}

/** The token of the person who asks, on a route that people reach by token. */
export function tokenIdOf(request: FastifyRequest): string {
  const { tokenId } = viewerOf(request)
  if (tokenId === null) throw new Unauthorized()
  return tokenId
}

/** Puts the table in front of every route: no handler runs before its row is satisfied. */
export function authoriseRoutes(app: FastifyInstance, ctx: Ctx): void {
  const routes = new Set<string>()
  app.decorateRequest('viewer', null)
  app.decorateRequest('bearer', null)
  app.addHook('onRoute', (route) => {
    for (const method of [route.method].flat()) {
      if (method === 'OPTIONS') continue
      const key = `${method === 'HEAD' ? 'GET' : method} ${route.url}${answersOf(route.constraints)}`
      const access = ACCESS[key]
      if (!access) throw new Error(`The route ${key} has no row in the table of authorisation (src/http/access.ts)`)
      routes.add(key)
      route.config = { ...route.config, access }
    }
  })
  app.addHook('onReady', async () => {
    const unused = Object.keys(ACCESS).filter((key) => !routes.has(key))
    if (unused.length > 0) throw new Error(`Rows of the table of authorisation without a route: ${unused.join(', ')}`)
  })
  app.addHook('onRequest', async (request, reply) => {
    const access = accessOf(request)
    if (access) await authorise(ctx, { request, reply, access })
  })
  // Before the body is looked at closely: a form that is not ours is told nothing about its fields.
  app.addHook('preValidation', (request, _reply, done) => {
    const isForeign = accessOf(request)?.csrf && !hasCsrfToken(ctx, request)
    done(isForeign ? new Refusal(422, 'This page has expired. Please go back, reload it, and try again.') : undefined)
  })
}

async function authorise(
  ctx: Ctx,
  { request, reply, access }: { request: FastifyRequest; reply: FastifyReply; access: Access },
): Promise<void> {
  let refusal: Refusal | null = null
  if (access.caller === 'page') await readSession(ctx, request)
  else if (access.caller !== 'open') refusal = await readBearer(ctx, request, access)
  await countRequest(ctx, { request, reply, access })
  if (needsSignIn(request, access)) return void reply.redirect(signInPath(request.url), 303)
  refusal ??= judge(request, access)
  if (refusal instanceof Unauthorized) {
    reply.header('www-authenticate', challenge(refusal.message))
  }
  if (refusal) throw refusal
}

async function readSession(ctx: Ctx, request: FastifyRequest): Promise<void> {
  const sessionId = sessionIdOf(ctx, request)
  if (sessionId) request.viewer = await findSessionViewer(await openReadContext(ctx, request), { sessionId })
}

async function readBearer(ctx: Ctx, request: FastifyRequest, access: Access): Promise<Refusal | null> {
  const token = tokenOf(request)
  if (token === null) return access.caller === 'optional' ? null : new Unauthorized()
  const bearer = await findBearer(await openReadContext(ctx, request), { token })
  if (bearer === 'unknown') return new Unauthorized()
  if (bearer === 'revoked') return new Unauthorized('The access token was revoked')
  request.bearer = bearer
  request.viewer = access.caller === 'optional' ? viewerOrAnonymous(bearer) : bearer.viewer
  return null
}

/**
 * Returns the viewer of a token on a route that anonymous callers may use. A user who may not act is anonymous there, so
 * that nothing shows what only members may see; null for them as for a token without a user. Suspended users stay who they
 * are, since Mastodon refuses them everywhere.
 */
function viewerOrAnonymous({ viewer }: Bearer): Viewer | null {
  return viewer?.standing === 'usable' || viewer?.standing === 'suspended' ? viewer : null
}

/** A token comes in the header or, as the standard allows, as a parameter of the query. */
export function tokenOf(request: FastifyRequest): string | null {
  const header = request.headers.authorization
  if (header !== undefined) return /^bearer +(\S+) *$/i.exec(header)?.[1] ?? null
  const parameter = (request.query as { access_token?: unknown }).access_token
  return typeof parameter === 'string' && parameter !== '' ? parameter : null
}

/** Scope first, then whether there is a person, then whether that person may act: Mastodon's order. */
function judge(request: FastifyRequest, access: Access): Refusal | null {
  const { bearer, viewer } = request
  if (bearer && access.scopes.length > 0 && !access.scopes.some((scope) => coversScope(bearer.scopes, scope))) {
    return new Forbidden('This action is outside the authorized scopes')
  }
  if (access.caller === 'user' && !viewer) return new Unprocessable('This method requires an authenticated user')
  if (viewer && viewer.standing !== 'usable' && (SHUT_OUT.has(viewer.standing) || access.state === 'usable')) {
    if (access.caller !== 'page') return new Forbidden(STANDING_TEXTS[viewer.standing])
  }
  // A page for the owner alone does not tell other users that it is there.
  return access.role === 'owner' && viewer?.roleId !== OWNER_ROLE ? new NotFound() : null
}

/** Whether an anonymous request asks for a page of one role: the user may turn out to have it after signing in. */
function needsSignIn({ method, viewer }: FastifyRequest, { caller, role }: Access): boolean {
  return caller === 'page' && role !== 'everyone' && viewer === null && (method === 'GET' || method === 'HEAD')
}

function challenge(description: string): string {
  return `Bearer realm="Doorkeeper", error="invalid_token", error_description="${description}"`
}
