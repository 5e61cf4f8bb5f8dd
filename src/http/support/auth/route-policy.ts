import type { Permission } from '../../../domain/access/permissions.ts'
import type { Config } from '../../../platform/config/config.ts'
import type { Throttle } from '../../../platform/rate-limit/rate-limiter.ts'
import type { ThrottleKey } from '../rate-limits/throttles.ts'

/**
 * Who may call a route.
 * `open`: everyone; a token is not read · `optional`: everyone; a token must have the scope, and users whose account is
 * not usable count as anonymous · `app`: any valid token · `user`: a token with a user · `page`: a browser, with or
 * without a session.
 */
type CallerKind = 'open' | 'optional' | 'app' | 'user' | 'page'

/**
 * How caches may store responses. `private`: not at all · `brief`: shared caches for seconds, if the request is
 * anonymous ·
 * `steady`: shared caches for minutes · `file`: the route sets the header · `document`: for other servers; the route
 * sets the header, since it depends on the signature, and leaves it unset for private responses.
 */
type CacheClass = 'private' | 'brief' | 'steady' | 'file' | 'document'

/**
 * When a route serves requests without a user. `always` · `unless-limited`: not with limited federation ·
 * `unless-closed`: neither then, nor where unauthenticated access is disallowed.
 */
type AnonymousAccess = 'always' | 'unless-limited' | 'unless-closed'

export interface RoutePolicy {
  caller: CallerKind
  /** Applies to what `caller` permits. Routes that authorise requests themselves have `always`. */
  anonymous: AnonymousAccess
  /** The settings of this server close the route to requests without a user. */
  usersOnly: boolean
  /**
   * For `optional`: an unknown or revoked token counts as none, as on routes of Mastodon that check no token. On other
   * routes it gets 401.
   */
  ignoresInvalidTokens: boolean
  /** The token needs one of these scopes; an empty list requires none. */
  scopes: readonly string[]
  /**
   * `any` also permits users who are not confirmed or approved yet. Pages are for all users, but without `any` they
   * treat users who are not confirmed as anonymous.
   */
  accountState: 'usable' | 'any'
  role: 'everyone' | 'owner'
  /** The role of the user needs this permission; null requires none. */
  permission: Permission | null
  /**
   * Whether a browser session may stand for a token. `never` · `with-csrf-token`: if the request has the CSRF token of
   * the session (the admin API) · `always`: for a request that changes nothing, whose response no other site can read,
   * since CORS allows no credentials.
   */
  session: 'never' | 'with-csrf-token' | 'always'
  /** A form of a page: requests without the CSRF token of the page are refused. */
  csrf: boolean
  /** Throttles in addition to those of the whole API. */
  throttles: readonly { throttle: Throttle; by: ThrottleKey }[]
  /** Requests do not count against the throttles of the whole API. */
  unlimited: boolean
  cache: CacheClass
  /**
   * Whether the page is the web client. `never` · `users`: for users who are logged in; others get a page of the server ·
   * `only`: the page exists only there.
   */
  webClient: 'never' | 'users' | 'only'
  /** Also serves addresses that an IP block refuses: health checks, whose callers belong to the server. */
  ignoresIpBlocks: boolean
  /** The response depends on `Accept-Language`, too. */
  byLanguage: boolean
  /**
   * Accepts files in a multipart body, in the fields that the schema of the route names; they are stored until the
   * response is sent. `archive`: files of the size of an archive of an account, over slow connections.
   */
  files: boolean | 'archive'
}

type RoutePolicyOptions = Partial<RoutePolicy>

function routePolicy(
  caller: CallerKind,
  scopes: string | readonly string[] = [],
  options: RoutePolicyOptions = {},
): RoutePolicy {
  const list = typeof scopes === 'string' ? [scopes] : scopes
  const base = {
    anonymous: caller === 'open' || caller === 'page' ? 'always' : 'unless-closed',
    usersOnly: false,
    ignoresInvalidTokens: false,
    accountState: 'usable',
    role: 'everyone',
    permission: null,
    session: 'never',
    csrf: false,
    throttles: [],
    unlimited: false,
    cache: 'private',
    webClient: 'never',
    ignoresIpBlocks: false,
    byLanguage: false,
    files: false,
  } as const
  return { ...base, caller, scopes: list, ...options }
}

/** Returns the policy of a route on a server with these settings. */
export function policyOnServer(policy: RoutePolicy, { access }: Pick<Config, 'access'>): RoutePolicy {
  const { anonymous } = policy
  const isClosed = anonymous === 'unless-closed' && access.disallowUnauthenticatedAccess
  const isLimited = anonymous === 'unless-limited' && access.limitedFederation
  return isClosed || isLimited ? { ...policy, usersOnly: true, cache: 'private' } : policy
}

export const open = (options: RoutePolicyOptions = {}) => routePolicy('open', [], options)
export const app = (scopes: string | readonly string[] = [], options: RoutePolicyOptions = {}) =>
  routePolicy('app', scopes, options)
export const user = (scopes: string | readonly string[], options: RoutePolicyOptions = {}) =>
  routePolicy('user', scopes, options)
/** A route of the admin API. `permission` null: the route itself decides, by `staffOf`. */
export const admin = (scope: string, permission: Permission | null, options: RoutePolicyOptions = {}) =>
  routePolicy('user', scope, { permission, session: 'with-csrf-token', ...options })
export const optional = (scopes: string | readonly string[], options: RoutePolicyOptions = {}) =>
  routePolicy('optional', scopes, { cache: 'brief', ...options })
/** A public route that needs no token; a valid one adds what differs between viewers. */
export const personalised = (options: RoutePolicyOptions = {}) =>
  optional([], { ignoresInvalidTokens: true, ...options })
export const page = (options: RoutePolicyOptions = {}) => routePolicy('page', [], options)
/** A page that only the web client has. */
export const clientPage = () => page({ usersOnly: true, webClient: 'only' })
export const form = (options: RoutePolicyOptions = {}) => routePolicy('page', [], { csrf: true, ...options })
export const by = (key: ThrottleKey, ...throttles: Throttle[]) => throttles.map((throttle) => ({ throttle, by: key }))
