import { Postponed } from '../jobs/postponed.ts'

/** Why a request was not even tried, or not followed further. Trying again changes nothing. */
export type RefusedReason =
  /** No URL, or one written to be read in two ways. */
  | 'url'
  /** Neither https nor, where that is allowed, http. */
  | 'scheme'
  | 'credentials'
  | 'port'
  /** A name or an address that is not part of the public Internet. */
  | 'address'
  | 'redirects'

/** Thrown for a request that may not be made. */
export class FetchRefused extends Error {
  readonly reason: RefusedReason

  constructor(reason: RefusedReason, detail: string) {
    super(`${REFUSALS[reason]}: ${detail.slice(0, 200)}`)
    this.name = 'FetchRefused'
    this.reason = reason
  }
}

const REFUSALS: Record<RefusedReason, string> = {
  url: 'not a plain URL',
  scheme: 'not an allowed scheme',
  credentials: 'a URL with a user name in it',
  port: 'not an allowed port',
  address: 'not a public address',
  redirects: 'too many redirects',
}

export type FailedKind =
  | 'timeout'
  | 'dns'
  | 'tls'
  /** More bytes than asked for, or more headers than anyone needs. */
  | 'too-large'
  /** An answer that is not HTTP, or whose body can't be decoded. */
  | 'protocol'
  | 'network'

/** Thrown when the other side could not be reached, or did not answer as a server should. It may work later. */
export class FetchFailed extends Error {
  readonly kind: FailedKind

  constructor(kind: FailedKind, message: string, options: { cause?: unknown } = {}) {
    super(message.slice(0, 300), options)
    this.name = 'FetchFailed'
    this.kind = kind
  }
}

/** The codes of errors that say that the way was broken, whoever was asked in whichever layer. */
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

/** zlib's own codes, and those of its brotli. */
const DECODER_CODES = /^(Z_|ERR__|ERR_BROTLI)/

/** Turns whatever the network layers throw into one of the two classes above. A request that is postponed stays so. */
export function asFetchError(err: unknown, fallback: FailedKind = 'network'): FetchRefused | FetchFailed | Postponed {
  if (err instanceof FetchRefused || err instanceof FetchFailed || err instanceof Postponed) return err
  const { name = '', code = '', message = '' } = (err ?? {}) as { name?: string; code?: string; message?: string }
  return new FetchFailed(
    name === 'HTTPParserError' ? 'protocol' : kindOf(code, fallback),
    message || code || 'the request failed',
    { cause: err },
  )
}

function kindOf(code: string, fallback: FailedKind): FailedKind {
  if (TIMEOUT_CODES.has(code)) return 'timeout'
  if (NETWORK_CODES.has(code)) return 'network'
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'too-large'
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' || DECODER_CODES.test(code)) return 'protocol'
  return fallback
}
