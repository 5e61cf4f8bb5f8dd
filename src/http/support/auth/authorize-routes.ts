import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findStaffMember, hasPermission } from '../../../domain/access/permissions.ts'
import type { StaffMember } from '../../../domain/access/permissions.ts'
import { findBearer, findSessionViewer } from '../../../domain/auth/viewer.ts'
import type { Bearer, Viewer } from '../../../domain/auth/viewer.ts'
import type { Ctx } from '../../../domain/context.ts'
import {
  ExpiredPageError,
  ForbiddenError,
  NotFoundError,
  UnauthorizedError,
  UnprocessableError,
} from '../../../lib/errors.ts'
import type { RequestError } from '../../../lib/errors.ts'
import { coversScope } from '../../../lib/http/scopes.ts'
import { ROUTE_POLICIES } from '../../route-policies.ts'
import { paths, signInPath } from '../../pages/paths.ts'
import { policyOnServer } from './route-policy.ts'
import type { RoutePolicy } from './route-policy.ts'
import { constraintSuffixOf } from '../request/accept-constraint.ts'
import { countRequest } from '../rate-limits/rate-limits.ts'
import { openReadContext, readContextOf } from '../read-context.ts'
import { refuseBlockedIp } from './refuse-blocked-ip.ts'
import { hasCsrfToken, sessionSecretOf } from './session.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The user who sent the request, or null. Handlers of routes with `user` use `viewerOf`. */
    viewer: Viewer | null
    bearer: Bearer | null
    /** The user as a member of the staff, on routes of the admin API. */
    staff: StaffMember | null
    /** When the request was authorised, in milliseconds since 1970: before its body was read. */
    authorizedAt: number
  }
  interface FastifyContextConfig {
    access?: RoutePolicy
  }
}

const OWNER_ROLE = '3'

/**
 * A body may arrive up to 15 minutes after its headers. After this time the request is authorised again, so that it
 * does not outlive its token, its session, or the rights of its user.
 */
const AUTHORIZATION_MS = 1_000

const USER_REQUIRED = 'This method requires an authenticated user'

const ACCOUNT_STATE_MESSAGES = {
  unconfirmed: 'Your login is missing a confirmed e-mail address',
  pending: 'Your login is currently pending approval',
  suspended: 'Your login is currently disabled',
  disabled: 'Your login is currently disabled',
  moved: 'Your login is currently disabled',
  without_second_factor: 'Your account requires two-factor authentication',
} as const

/** Account states that may do nothing, not even on routes whose policy says `any`. */
const REFUSED_ACCOUNT_STATES: ReadonlySet<string> = new Set(['suspended', 'disabled', 'moved'])

/** Returns the route policy of a request; undefined if the request matched no route. */
export function routePolicyOf(request: FastifyRequest): RoutePolicy | undefined {
  return request.routeOptions.config.access
}

/** Returns the user who sent the request, on a route that requires one. @throws UnprocessableError if there is none */
export function viewerOf(request: FastifyRequest): Viewer {
  if (!request.viewer) throw new UnprocessableError(USER_REQUIRED)
  return request.viewer
}

/**
 * Returns the user who sent the request as a member of the staff, on a route of the admin API.
 * @throws ForbiddenError on other routes
 */
export function staffOf(request: FastifyRequest): StaffMember {
  if (!request.staff) throw new ForbiddenError()
  return request.staff
}

/**
 * Returns the id of the access token, on a route that requires a user token.
 * @throws UnauthorizedError for a session
 */
export function tokenIdOf(request: FastifyRequest): string {
  const { tokenId } = viewerOf(request)
  if (tokenId === null) throw new UnauthorizedError()
  return tokenId
}

/** Enforces the authorization table: no handler runs before the request satisfies its route policy. */
export function authorizeRoutes(app: FastifyInstance, ctx: Ctx): void {
  const routes = new Set<string>()
  app.decorateRequest('viewer', null)
  app.decorateRequest('bearer', null)
  app.decorateRequest('staff', null)
  app.decorateRequest('authorizedAt', 0)
  app.addHook('onRoute', (route) => {
    for (const method of [route.method].flat()) {
      if (method === 'OPTIONS') continue
      const key = `${method === 'HEAD' ? 'GET' : method} ${route.url}${constraintSuffixOf(route.constraints)}`
      const policy = ROUTE_POLICIES[key]
      if (!policy) throw new Error(`The route ${key} has no route policy (src/http/route-policies.ts)`)
      routes.add(key)
      route.config = { ...route.config, access: policyOnServer(policy, ctx.config) }
    }
  })
  app.addHook('onReady', async () => {
    const unused = Object.keys(ROUTE_POLICIES).filter((key) => !routes.has(key))
    if (unused.length > 0) throw new Error(`Route policies without a route: ${unused.join(', ')}`)
  })
  app.addHook('onRequest', async (request, reply) => {
    const access = routePolicyOf(request)
    if (!access) return
    await refuseBlockedIp(ctx, { request, access })
    request.authorizedAt = ctx.now().getTime()
    await authorize(ctx, { request, reply, access })
  })
  app.addHook('preValidation', (request, reply, done) => {
    const access = routePolicyOf(request)
    const isAnonymous = request.viewer === null && request.bearer === null
    if (!access || isAnonymous || ctx.now().getTime() - request.authorizedAt < AUTHORIZATION_MS) return done()
    authorizeAgain(ctx, { request, reply, access }).then(() => {
      if (!reply.sent) done()
    }, done)
  })
  // Before validation: a form without a valid CSRF token must not get validation errors.
  app.addHook('preValidation', (request, _reply, done) => {
    const lacksCsrfToken = routePolicyOf(request)?.csrf && !hasCsrfToken(ctx, request)
    done(lacksCsrfToken ? new ExpiredPageError() : undefined)
  })
}

/** Repeats the authorisation with the current rows, without counting the request. */
async function authorizeAgain(
  ctx: Ctx,
  { request, reply, access }: { request: FastifyRequest; reply: FastifyReply; access: RoutePolicy },
): Promise<void> {
  await openReadContext(ctx, request)
  request.viewer = request.bearer = request.staff = null
  await authorize(ctx, { request, reply, access, isCounted: true })
}

async function authorize(
  ctx: Ctx,
  {
    request,
    reply,
    access: policy,
    isCounted = false,
  }: { request: FastifyRequest; reply: FastifyReply; access: RoutePolicy; isCounted?: boolean },
): Promise<void> {
  let error: RequestError | null = null
  if (policy.caller === 'page') await readSession(ctx, request, policy)
  else if (policy.caller !== 'open' || policy.usersOnly) error = await readBearer(ctx, request, policy)
  if (!isCounted) await countRequest(ctx, { request, reply, access: policy })
  const redirect = redirectOf(request, policy)
  if (redirect !== null) return void reply.redirect(redirect, 303)
  error ??= checkPolicy(request, policy)
  if (policy.session === 'with-csrf-token') error ??= await checkPermission(ctx, request, policy)
  if (error instanceof UnauthorizedError) {
    reply.header('www-authenticate', bearerChallenge(error.message))
  }
  if (error) throw error
}

/**
 * Reads the user of the session. A user who has not confirmed the e-mail address counts as anonymous, except where the
 * policy permits `any` state: a sign-up with an address that another user has creates no account, so a page that shows
 * one would reveal that the address was free.
 */
async function readSession(ctx: Ctx, request: FastifyRequest, policy: RoutePolicy): Promise<void> {
  const sessionId = sessionSecretOf(ctx, request)
  if (!sessionId) return
  const viewer = await findSessionViewer(await readContextOf(ctx, request), { sessionId })
  request.viewer = viewer?.accountState === 'unconfirmed' && policy.accountState !== 'any' ? null : viewer
}

/** Reads the token of a request, or the session that stands for one. Returns why the request is refused, or null. */
async function readBearer(ctx: Ctx, request: FastifyRequest, policy: RoutePolicy): Promise<RequestError | null> {
  const token = tokenOf(request)
  const refuse = () => new UnauthorizedError(policy.usersOnly ? USER_REQUIRED : undefined)
  const permitsAnonymous = policy.caller === 'optional' && !policy.usersOnly
  if (token === null) {
    if (acceptsSession(ctx, request, policy)) await readSession(ctx, request, policy)
    return request.viewer || permitsAnonymous ? null : refuse()
  }
  const bearer = await findBearer(await readContextOf(ctx, request), { token })
  if (typeof bearer === 'string' && policy.ignoresInvalidTokens && !policy.usersOnly) return null
  if (bearer === 'unknown') return refuse()
  if (bearer === 'revoked') return new UnauthorizedError('The access token was revoked')
  request.bearer = bearer
  request.viewer = permitsAnonymous ? viewerOrAnonymous(bearer) : bearer.viewer
  return policy.usersOnly && !request.viewer ? refuse() : null
}

/** Whether a session may stand for a token: as the route policy says, and for feeds that browsers open. */
function acceptsSession(ctx: Ctx, request: FastifyRequest, policy: RoutePolicy): boolean {
  if (policy.session !== 'never') return policy.session === 'always' || hasCsrfToken(ctx, request)
  return policy.usersOnly && policy.caller === 'open' && !request.url.startsWith('/api/')
}

/**
 * Returns the viewer of a token on a route that permits anonymous requests; null for a token without a user, and for a
 * user who may not act, so that the response shows nothing that only users of this server may see. Suspended users are
 * returned, since `checkPolicy` refuses them on all routes, as Mastodon does.
 */
function viewerOrAnonymous({ viewer }: Bearer): Viewer | null {
  return viewer?.accountState === 'usable' || viewer?.accountState === 'suspended' ? viewer : null
}

/** Returns the access token of the `Authorization` header, else of the query parameter (RFC 6750 §2.1, §2.3). */
export function tokenOf(request: FastifyRequest): string | null {
  const header = request.headers.authorization
  if (header !== undefined) return /^bearer +(\S+) *$/i.exec(header)?.[1] ?? null
  const parameter = (request.query as { access_token?: unknown }).access_token
  return typeof parameter === 'string' && parameter !== '' ? parameter : null
}

/** Reads the user's role, which is not cached, and checks the permission of the policy. */
async function checkPermission(
  ctx: Ctx,
  request: FastifyRequest,
  { permission }: RoutePolicy,
): Promise<RequestError | null> {
  request.staff = await findStaffMember(ctx, { userId: viewerOf(request).userId })
  const isPermitted = request.staff && (!permission || hasPermission(request.staff.permissions, permission))
  return isPermitted ? null : new ForbiddenError()
}

/** Checks the scopes, then whether there is a user, then the state of their account, in the order of Mastodon. */
function checkPolicy(request: FastifyRequest, policy: RoutePolicy): RequestError | null {
  const { bearer, viewer } = request
  if (bearer && policy.scopes.length > 0 && !policy.scopes.some((scope) => coversScope(bearer.scopes, scope))) {
    return new ForbiddenError('This action is outside the authorized scopes')
  }
  if (policy.caller === 'user' && !viewer) return new UnprocessableError(USER_REQUIRED)
  if (
    viewer &&
    viewer.accountState !== 'usable' &&
    (REFUSED_ACCOUNT_STATES.has(viewer.accountState) || policy.accountState === 'usable')
  ) {
    if (policy.caller !== 'page') return new ForbiddenError(ACCOUNT_STATE_MESSAGES[viewer.accountState])
  }
  // Pages for the owner respond to other users as if they did not exist.
  return policy.role === 'owner' && viewer?.roleId !== OWNER_ROLE ? new NotFoundError() : null
}

/**
 * Returns where a browser is redirected in place of a page: without a session to the log-in page, since the user may
 * have access after logging in; with an account that is not usable to the page that explains why. Null: nowhere.
 */
function redirectOf({ method, url, viewer }: FastifyRequest, policy: RoutePolicy): string | null {
  const isRestricted = policy.role !== 'everyone' || policy.usersOnly
  if (policy.caller !== 'page' || !isRestricted || (method !== 'GET' && method !== 'HEAD')) return null
  if (viewer === null) return signInPath(url)
  return policy.usersOnly && viewer.accountState !== 'usable' ? paths.account : null
}

/** Returns the header `WWW-Authenticate` of a response to an invalid token (RFC 6750 §3). */
export function bearerChallenge(description: string): string {
  return `Bearer realm="Doorkeeper", error="invalid_token", error_description="${description}"`
}
