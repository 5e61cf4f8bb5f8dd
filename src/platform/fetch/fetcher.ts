import { isIP } from 'node:net'
import type { Readable } from 'node:stream'
import type { Client, Dispatcher } from 'undici'
import { createAddressFilter } from './address-filter.ts'
import { ACCEPTED_ENCODINGS } from './decode-body.ts'
import { createConnector } from './create-connector.ts'
import { createLookup } from './create-lookup.ts'
import type { Lookup } from './create-lookup.ts'
import { discardBody } from './discard-body.ts'
import { toFetchError, FetchFailedError, FetchRefusedError } from './fetch-errors.ts'
import { FetchLimiter } from './fetch-limiter.ts'
import type { BackgroundRequest } from './fetch-limiter.ts'
import { openBody } from './open-body.ts'
import { OriginConnections } from './origin-connections.ts'
import { joinHeaders } from './join-headers.ts'
import { rejectOnAbort } from './reject-on-abort.ts'
import { parseRequestUrl, resolveRedirect } from './parse-request-url.ts'
import type { TestHosts } from './parse-request-url.ts'

const CONNECT_TIMEOUT_MS = 5000
const TOTAL_TIMEOUT_MS = 30_000
const MAX_REDIRECTS = 3
const WEB_PORTS = [80, 443]
const MAX_CONCURRENT_JOBS = 30
const MAX_HEADER_BYTES = 32 * 1024
/** How long an idle connection stays open: without a `Keep-Alive` header of the server, and at most. */
const KEEP_ALIVE_MS = 10_000
const MAX_KEEP_ALIVE_MS = 60_000

const NO_BODY = Buffer.alloc(0)

const REDIRECTS = new Set([301, 302, 303, 307, 308])
/** Headers that are not sent to another origin after a redirect. */
const CREDENTIAL_HEADERS = new Set(['authorization', 'cookie'])

export interface FetcherOptions {
  /** Private addresses and CIDR ranges that requests may reach. */
  allowedPrivate?: readonly string[]
  /** Addresses of host names in tests. Must be within `allowedPrivate`. */
  testHosts?: TestHosts
  /** PEM certificates that are trusted in addition to Node's. */
  extraCa?: string | readonly string[]
  userAgent: string
  /** The allowed ports. Default: 80 and 443. */
  ports?: readonly number[]
  connectTimeoutMs?: number
  /** Default time limit of a request, including redirects and the body. */
  timeoutMs?: number
  /** Default: the hosts file, then DNS. */
  lookup?: Lookup
  /** How many jobs may wait for other servers at the same time. Background requests get shares of that. */
  maxConcurrent?: number
}

/** A request before it is sent, for signatures. Header names are in lower case and include `host`. */
export interface OutboundRequest {
  readonly method: string
  /** The absolute URL as it is sent. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | null
}

/** Returns the headers that sign a request. Called for each hop of a redirect. */
export type SignRequest = (request: OutboundRequest) => Record<string, string> | Promise<Record<string, string>>

export interface FetchInput {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  /** https, or http with `allowHttp`. */
  url: string
  headers?: Readonly<Record<string, string>>
  body?: Buffer | string
  /** Limit of the decoded body. 0: the body is discarded and returned empty. */
  maxBytes: number
  /** The `Accept` header. */
  accept?: string
  /** GET and HEAD follow up to three redirects, each of which is checked. `none`: returns the redirect. */
  redirects?: 'follow' | 'none'
  sign?: SignRequest
  /** Also allows http: for linked web pages, not for ActivityPub. */
  allowHttp?: boolean
  timeoutMs?: number
  /** Absent: a user waits for the response. */
  background?: BackgroundRequest | undefined
  /** Requests no content coding and fails for a response that has one. For media. */
  identityEncodingOnly?: boolean
}

interface FetchResponse {
  status: number
  /** Names in lower case; values of repeated headers are joined by `, `. */
  headers: Readonly<Record<string, string>>
  /** The URL of the response after all redirects. */
  url: string
}

export interface FetchedBody extends FetchResponse {
  body: Buffer
}

interface FetchedStream extends FetchResponse {
  /** Decoded, at most `maxBytes`. The caller must read it to its end or destroy it. It fails with FetchFailedError. */
  body: Readable
}

/** Sends all requests of this program to other servers. */
export interface Fetcher {
  /**
   * Sends a request and reads the complete response, with any status.
   * @throws FetchRefusedError before anything is sent to a forbidden URL or address
   * @throws FetchFailedError without a complete response
   * @throws PostponedError for a background request if too many requests wait for hosts that do not respond
   */
  request(input: FetchInput): Promise<FetchedBody>
  /** Like `request`, but with the body as a stream. The same limits apply. */
  open(input: FetchInput): Promise<FetchedStream>
  /**
   * Waits for a request that another job sends to a host. The same limits apply as for a separate request.
   * @throws PostponedError, FetchFailedError, and the errors of `work`
   */
  joinRequest<T>(input: { url: string; background: BackgroundRequest }, work: () => Promise<T>): Promise<T>
  /**
   * Checks a URL without a request. The addresses of a host name are checked only when a request connects to it.
   * @throws FetchRefusedError for a URL that is not https or that a request would always refuse
   */
  checkUrl(url: string): void
  /** Aborts all running requests. */
  close(): Promise<void>
}

export function createFetcher(options: FetcherOptions): Fetcher {
  const { allowedPrivate = [], testHosts = new Map(), userAgent, connectTimeoutMs = CONNECT_TIMEOUT_MS } = options
  const rules = { testHosts, ports: options.ports ?? WEB_PORTS }
  const isAllowed = createAddressFilter(allowedPrivate)
  const connect = createConnector({
    isAllowed,
    testHosts,
    extraCa: options.extraCa,
    timeoutMs: connectTimeoutMs,
    lookup: options.lookup ?? createLookup(),
  })
  let connections: Promise<OriginConnections<Client>> | undefined
  const limiter = new FetchLimiter({ maxConcurrent: options.maxConcurrent ?? MAX_CONCURRENT_JOBS })

  return { request, open, joinRequest, checkUrl, close: async () => (await connections)?.close() }

  async function request(input: FetchInput): Promise<FetchedBody> {
    const { body, ...response } = await open(input)
    if (input.maxBytes === 0) {
      // The slot of the request becomes free when the body has ended.
      body.resume()
      return { ...response, body: NO_BODY }
    }
    const chunks: Buffer[] = []
    try {
      for await (const chunk of body) chunks.push(chunk as Buffer)
    } catch (err) {
      throw toFetchError(err)
    }
    return { ...response, body: Buffer.concat(chunks) }
  }

  async function open(input: FetchInput): Promise<FetchedStream> {
    const timeoutMs = input.timeoutMs ?? options.timeoutMs ?? TOTAL_TIMEOUT_MS
    const controller = new AbortController()
    const { signal } = controller
    const abort = (reason: Error) => controller.abort(reason)
    const slot = limiter.begin({ url: input.url, background: input.background, abort })
    const expire = () => abort(new FetchFailedError('timeout', `no complete response within ${timeoutMs} ms`))
    // setImmediate: a response that arrived while the process was busy is read before it counts as late.
    const timer = setTimeout(() => setImmediate(expire), timeoutMs)
    const release = (err: unknown) => {
      clearTimeout(timer)
      slot.end(err)
    }
    try {
      const response = await followRedirects(input, signal)
      response.body.once('close', () => release(signal.aborted ? signal.reason : null))
      return response
    } catch (err) {
      release(toFetchError(err))
      throw toFetchError(err)
    }
  }

  async function joinRequest<T>(
    input: { url: string; background: BackgroundRequest },
    work: () => Promise<T>,
  ): Promise<T> {
    const controller = new AbortController()
    const slot = limiter.begin({ ...input, abort: (reason) => controller.abort(reason) })
    return rejectOnAbort(work(), controller.signal).finally(() => slot.end())
  }

  function checkUrl(url: string): void {
    const host = parseRequestUrl(url, { ...rules, allowHttp: false }).hostname.replace(/^\[|\]$/g, '')
    // A name without a dot exists only in the local network.
    const isReachable = isIP(host) === 0 ? host.includes('.') : isAllowed(host)
    if (!isReachable) throw new FetchRefusedError('address', host)
  }

  async function followRedirects(input: FetchInput, signal: AbortSignal): Promise<FetchedStream> {
    const { method = 'GET', allowHttp = false } = input
    const follows = (method === 'GET' || method === 'HEAD') && input.redirects !== 'none'
    let url = parseRequestUrl(input.url, { ...rules, allowHttp })
    const first = url.origin
    for (let hop = 0; ; hop += 1) {
      const response = await send(input, { url, isOtherOrigin: url.origin !== first, signal })
      const headers = joinHeaders(response.headers)
      const location = headers['location']
      if (!follows || location === undefined || !REDIRECTS.has(response.statusCode)) {
        const body = openBody(response, {
          method,
          headers,
          maxBytes: input.maxBytes,
          verbatim: input.identityEncodingOnly ?? false,
        })
        return { status: response.statusCode, headers, url: url.href, body }
      }
      discardBody(response.body)
      if (hop === MAX_REDIRECTS) throw new FetchRefusedError('redirects', input.url)
      url = parseRequestUrl(resolveRedirect(location, url), { ...rules, allowHttp })
    }
  }

  async function send(
    { method = 'GET', headers = {}, body, accept, sign, identityEncodingOnly = false }: FetchInput,
    { url, isOtherOrigin, signal }: { url: URL; isOtherOrigin: boolean; signal: AbortSignal },
  ): Promise<Dispatcher.ResponseData> {
    const bytes = body === undefined ? null : Buffer.from(body)
    const all: Record<string, string> = {
      host: url.host,
      'user-agent': userAgent,
      'accept-encoding': identityEncodingOnly ? 'identity' : ACCEPTED_ENCODINGS,
      ...(accept !== undefined && { accept }),
    }
    for (const [name, value] of Object.entries(headers)) {
      const lower = name.toLowerCase()
      if (!isOtherOrigin || !CREDENTIAL_HEADERS.has(lower)) all[lower] = value
    }
    if (sign) Object.assign(all, await sign({ method, url: url.href, headers: { ...all }, body: bytes }))
    signal.throwIfAborted()
    const path = url.pathname + url.search
    const sent = (await (connections ??= loadConnections())).send(url.origin, {
      signal,
      request: async (connection) => connection.request({ method, path, headers: all, body: bytes, signal }),
    })
    return rejectOnAbort(sent, signal)
  }

  /** `undici` is imported at the first request, because it is large and most commands send none. */
  async function loadConnections(): Promise<OriginConnections<Client>> {
    const { Client: HttpClient } = await import('undici')
    return new OriginConnections((origin) => {
      return new HttpClient(origin, {
        connect: connect as NonNullable<Client.Options['connect']>,
        allowH2: false,
        keepAliveTimeout: KEEP_ALIVE_MS,
        keepAliveMaxTimeout: MAX_KEEP_ALIVE_MS,
        maxHeaderSize: MAX_HEADER_BYTES,
        // `open` limits the time of the complete request.
        headersTimeout: 0,
        bodyTimeout: 0,
      })
    })
  }
}
