import { PostponedError } from '../jobs/postponed-error.ts'

/** Why a request or a redirect was refused. A retry has the same result. */
export type FetchRefusedReason =
  /** Not a URL, or an ambiguous one. */
  | 'url'
  /** Neither https nor, if that is allowed, http. */
  | 'scheme'
  | 'credentials'
  | 'port'
  /** A name or an address outside the public Internet. */
  | 'address'
  | 'redirects'

/** Thrown for a request that the server refuses to send. */
export class FetchRefusedError extends Error {
  readonly reason: FetchRefusedReason

  constructor(reason: FetchRefusedReason, detail: string) {
    super(`${REFUSED_TEXTS[reason]}: ${detail.slice(0, 200)}`)
    this.name = 'FetchRefusedError'
    this.reason = reason
  }
}

const REFUSED_TEXTS: Record<FetchRefusedReason, string> = {
  url: 'not a plain URL',
  scheme: 'not an allowed scheme',
  credentials: 'a URL with a user name in it',
  port: 'not an allowed port',
  address: 'not a public address',
  redirects: 'too many redirects',
}

export type FetchFailureKind =
  | 'timeout'
  | 'dns'
  | 'tls'
  /** The body or the headers exceed the limit. */
  | 'too-large'
  /** The response is not HTTP, or its body cannot be decoded. */
  | 'protocol'
  | 'network'

/** Thrown if the remote host is unreachable or its response is invalid. A retry may succeed. */
export class FetchFailedError extends Error {
  readonly kind: FetchFailureKind

  constructor(kind: FetchFailureKind, message: string, options: { cause?: unknown } = {}) {
    super(message.slice(0, 300), options)
    this.name = 'FetchFailedError'
    this.kind = kind
  }
}

/** Error codes of network failures, from the system and from undici. */
const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'EADDRNOTAVAIL',
  'ENETDOWN',
  'EMFILE',
  'UND_ERR_SOCKET',
])
const TIMEOUT_CODES = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
])

/** Error codes of zlib and of its Brotli decoder. */
const DECODER_CODES = /^(Z_|ERR__|ERR_BROTLI)/

/** Converts errors of the network layers to one of the two classes above. Returns a PostponedError unchanged. */
export function toFetchError(
  err: unknown,
  fallback: FetchFailureKind = 'network',
): FetchRefusedError | FetchFailedError | PostponedError {
  if (err instanceof FetchRefusedError || err instanceof FetchFailedError || err instanceof PostponedError) return err
  const { name = '', code = '', message = '' } = (err ?? {}) as { name?: string; code?: string; message?: string }
  return new FetchFailedError(
    name === 'HTTPParserError' ? 'protocol' : failureKindOf(code, fallback),
    message || code || 'the request failed',
    { cause: err },
  )
}

function failureKindOf(code: string, fallback: FetchFailureKind): FetchFailureKind {
  if (TIMEOUT_CODES.has(code)) return 'timeout'
  if (NETWORK_CODES.has(code)) return 'network'
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'too-large'
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' || DECODER_CODES.test(code)) return 'protocol'
  return fallback
}
