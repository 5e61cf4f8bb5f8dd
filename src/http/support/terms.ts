import type { Throttle } from '../../platform/rate-limit.ts'
import type { RateKey } from './throttles.ts'

/**
 * What a route asks of its caller.
 * `open`: nothing, a token is not even read · `optional`: anonymous callers may, a token must hold the scope, and users who
 * are not usable count as anonymous ·
 * `app`: any valid token · `user`: a token of a person · `page`: a browser, with or without a session.
 */
type Caller = 'open' | 'optional' | 'app' | 'user' | 'page'

/**
 * `private`: never stored · `brief`: shared for seconds when anonymous · `steady`: shared for minutes · `file`: the route
 * says · `document`: for other servers; the route says, since it depends on who signed, and is silent where it is private.
 */
type CacheClass = 'private' | 'brief' | 'steady' | 'file' | 'document'

export interface Access {
  caller: Caller
  /** Any one of these is enough. Empty = no particular scope. */
  scopes: readonly string[]
  /** `any`: also a person who is not confirmed or approved yet, `usable` is the rule. */
  state: 'usable' | 'any'
  role: 'everyone' | 'owner'
  /** A form of ours: the request is refused without the token of its own page. */
  csrf: boolean
  /** Counted beside those of the whole API. */
  throttles: readonly { throttle: Throttle; by: RateKey }[]
  /** Not counted against the throttles of the whole API. */
  unlimited: boolean
  cache: CacheClass
  /** What is answered depends on the language that is asked for, too. */
  byLanguage: boolean
  /** Files of a multipart body are kept until the answer is sent, in the fields that the route's schema names; others are refused. */
  files: boolean
}

type Terms = Partial<Access>

function terms(caller: Caller, scopes: string | readonly string[] = [], more: Terms = {}): Access {
  const list = typeof scopes === 'string' ? [scopes] : scopes
  const base = {
    state: 'usable',
    role: 'everyone',
    csrf: false,
    throttles: [],
    unlimited: false,
    cache: 'private',
    byLanguage: false,
    files: false,
  } as const
  return { ...base, caller, scopes: list, ...more }
}

export const open = (more: Terms = {}) => terms('open', [], more)
export const app = (scopes: string | readonly string[] = [], more: Terms = {}) => terms('app', scopes, more)
export const user = (scopes: string | readonly string[], more: Terms = {}) => terms('user', scopes, more)
export const optional = (scopes: string | readonly string[], more: Terms = {}) =>
  terms('optional', scopes, { cache: 'brief', ...more })
export const page = (more: Terms = {}) => terms('page', [], more)
export const form = (more: Terms = {}) => terms('page', [], { csrf: true, ...more })
export const by = (key: RateKey, ...throttles: Throttle[]) => throttles.map((throttle) => ({ throttle, by: key }))
