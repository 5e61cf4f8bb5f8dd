import { isIP } from 'node:net'
import type { Readable } from 'node:stream'
import type { Dispatcher, Pool } from 'undici'
import { createAddressGuard } from './fetch/addresses.ts'
import { ACCEPTED_ENCODINGS, readBody } from './fetch/body.ts'
import { createConnector } from './fetch/connect.ts'
import { createLookup } from './fetch/lookup.ts'
import type { Lookup } from './fetch/lookup.ts'
import { discard } from './fetch/discard.ts'
import { asFetchError, FetchFailed, FetchRefused } from './fetch/refusals.ts'
import { FetchShares } from './fetch/shares.ts'
import type { Background } from './fetch/shares.ts'
import { joinHeaders } from './fetch/join-headers.ts'
import { orAbort } from './fetch/or-abort.ts'
import { readTarget, resolveLocation } from './fetch/target.ts'
import type { TestHosts } from './fetch/target.ts'

const CONNECT_TIMEOUT_MS = 5000
const TOTAL_TIMEOUT_MS = 30_000
const MAX_REDIRECTS = 3
const WEB_PORTS = [80, 443]
const PLACES = 30
const SOCKETS_PER_ORIGIN = 2
/** Servers whose connections are kept at once; the one that was silent for longest makes room. */
const MAX_ORIGINS = 2000
const MAX_HEADER_BYTES = 32 * 1024
/** How long an unused connection is kept when the other side does not say, and at most. */
const KEEP_ALIVE_MS = 10_000
const MAX_KEEP_ALIVE_MS = 60_000

const REDIRECTS = new Set([301, 302, 303, 307, 308])
/** What belongs to one server, and is not told to the one that it points to. */
const PRIVATE_HEADERS = new Set(['authorization', 'cookie'])

export interface FetcherOptions {
  /** Addresses and CIDR ranges that may be reached although they are private. */
  allowedPrivate?: readonly string[]
  /** Names that are found elsewhere, for tests; only inside `allowedPrivate`. */
  testHosts?: TestHosts
  /** PEM certificates that are trusted beside those that Node trusts. */
  extraCa?: string | readonly string[]
  userAgent: string
  /** The ports that requests may go to: those of the web. */
  ports?: readonly number[]
  connectTimeoutMs?: number
  /** For all of a request, redirects and body included, where the request says nothing else. */
  timeoutMs?: number
  /** By default the hosts file and then DNS. */
  lookup?: Lookup
  /** How many jobs may wait for other servers at once: requests in the background get parts of that. */
  places?: number
}

/** What is about to be sent, as a signature sees it. Header names are in lower case; `host` is among them. */
export interface OutboundRequest {
  readonly method: string
  /** Absolute, in the spelling that is sent. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | null
}

/** Gives the headers that sign a request. Asked again for every hop. */
export type SignRequest = (request: OutboundRequest) => Record<string, string> | Promise<Record<string, string>>

export interface FetchInput {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  /** https, or http with `allowHttp`. */
  url: string
  headers?: Readonly<Record<string, string>>
  body?: Buffer | string
  /** Of the decoded body. 0: the body is not wanted, whatever it is, and comes back empty. */
  maxBytes: number
  /** The `Accept` header. */
  accept?: string
  /** GET and HEAD follow up to three redirects, each judged anew; `none` gives the redirect itself. Others never follow. */
  redirects?: 'follow' | 'none'
  sign?: SignRequest
  /** Plain http, too: for pages that people link to, never for ActivityPub. */
  allowHttp?: boolean
  timeoutMs?: number
  /** Absent: a user waits for the answer. */
  background?: Background | undefined
  /** Only the bytes as they are: no content coding is asked for, and an answer in one fails. For media. */
  verbatim?: boolean
}

interface Answered {
  status: number
  /** Names in lower case; values of repeated headers are joined by `, `. */
  headers: Readonly<Record<string, string>>
  /** Where the answer came from, after all redirects. */
  url: string
}

export interface Fetched extends Answered {
  body: Buffer
}

interface FetchedStream extends Answered {
  /** Decoded and capped. It must be read to its end or destroyed; it fails with FetchFailed. */
  body: Readable
}

/** The only way from this program to other servers. */
export interface Fetcher {
  /**
   * Sends a request and reads the whole answer, whatever its status.
   * @throws FetchRefused before anything is sent to a place that may not be reached
   * @throws FetchFailed when no whole answer came
   * @throws Postponed in the background, when too many requests wait for hosts that do not answer
   */
  request(input: FetchInput): Promise<Fetched>
  /** As `request`, with the body as a stream, under the same limits. */
  open(input: FetchInput): Promise<FetchedStream>
  /**
   * Waits for a request to a host that another job makes, within the same limits as a request of one's own.
   * @throws Postponed · FetchFailed · what the work throws
   */
  join<T>(input: { url: string; background: Background }, work: () => Promise<T>): Promise<T>
  /**
   * Looks at an address before anything is to be sent there. Where a name leads is judged only when it is connected to.
   * @throws FetchRefused for one that is not https, or where nothing would ever be sent
   */
  examine(url: string): void
  /** Breaks off what is under way. */
  close(): Promise<void>
}

export function createFetcher(options: FetcherOptions): Fetcher {
  const { allowedPrivate = [], testHosts = new Map(), userAgent, connectTimeoutMs = CONNECT_TIMEOUT_MS } = options
  const rules = { testHosts, ports: options.ports ?? WEB_PORTS }
  const isAllowed = createAddressGuard(allowedPrivate)
  const connect = createConnector({
    isAllowed,
    testHosts,
    extraCa: options.extraCa,
    timeoutMs: connectTimeoutMs,
    lookup: options.lookup ?? createLookup(),
  })
  const pools = new Map<string, Pool>()
  const shares = new FetchShares({ places: options.places ?? PLACES })

  return { request, open, join, examine, close }

  async function request(input: FetchInput): Promise<Fetched> {
    const { body, ...answer } = await open(input)
    const chunks: Buffer[] = []
    try {
      for await (const chunk of body) chunks.push(chunk as Buffer)
    } catch (err) {
      throw asFetchError(err)
    }
    return { ...answer, body: Buffer.concat(chunks) }
  }

  async function open(input: FetchInput): Promise<FetchedStream> {
    const timeoutMs = input.timeoutMs ?? options.timeoutMs ?? TOTAL_TIMEOUT_MS
    const controller = new AbortController()
    const { signal } = controller
    const abort = (reason: Error) => controller.abort(reason)
    const place = shares.enter({ url: input.url, background: input.background, abort })
    const timer = setTimeout(() => {
      abort(new FetchFailed('timeout', `no whole answer within ${timeoutMs} ms`))
    }, timeoutMs)
    const leave = (err: unknown) => {
      clearTimeout(timer)
      place.leave(err)
    }
    try {
      const answer = await follow(input, signal)
      answer.body.once('close', () => leave(signal.aborted ? signal.reason : null))
      return answer
    } catch (err) {
      leave(asFetchError(err))
      throw asFetchError(err)
    }
  }

  async function join<T>(input: { url: string; background: Background }, work: () => Promise<T>): Promise<T> {
    const controller = new AbortController()
    const place = shares.enter({ ...input, abort: (reason) => controller.abort(reason) })
    return orAbort(work(), controller.signal).finally(() => place.leave())
  }

  function examine(url: string): void {
    const host = readTarget(url, { ...rules, allowHttp: false }).hostname.replace(/^\[|\]$/g, '')
    // A name without a dot is found in one's own network only.
    const isReachable = isIP(host) === 0 ? host.includes('.') : isAllowed(host)
    if (!isReachable) throw new FetchRefused('address', host)
  }

  async function follow(input: FetchInput, signal: AbortSignal): Promise<FetchedStream> {
    const { method = 'GET', allowHttp = false } = input
    const follows = (method === 'GET' || method === 'HEAD') && input.redirects !== 'none'
    let url = readTarget(input.url, { ...rules, allowHttp })
    const first = url.origin
    for (let hop = 0; ; hop += 1) {
      const response = await send(input, { url, isElsewhere: url.origin !== first, signal })
      const headers = joinHeaders(response.headers)
      const location = headers['location']
      if (!follows || location === undefined || !REDIRECTS.has(response.statusCode)) {
        const body = bodyOf(response, { input, method, headers })
        return { status: response.statusCode, headers, url: url.href, body }
      }
      discard(response)
      if (hop === MAX_REDIRECTS) throw new FetchRefused('redirects', input.url)
      url = readTarget(resolveLocation(location, url), { ...rules, allowHttp })
    }
  }

  async function send(
    { method = 'GET', headers = {}, body, accept, sign, verbatim = false }: FetchInput,
    { url, isElsewhere, signal }: { url: URL; isElsewhere: boolean; signal: AbortSignal },
  ): Promise<Dispatcher.ResponseData> {
    const bytes = body === undefined ? null : Buffer.from(body)
    const all: Record<string, string> = {
      host: url.host,
      'user-agent': userAgent,
      'accept-encoding': verbatim ? 'identity' : ACCEPTED_ENCODINGS,
      ...(accept !== undefined && { accept }),
    }
    for (const [name, value] of Object.entries(headers)) {
      const lower = name.toLowerCase()
      if (!isElsewhere || !PRIVATE_HEADERS.has(lower)) all[lower] = value
    }
    if (sign) Object.assign(all, await sign({ method, url: url.href, headers: { ...all }, body: bytes }))
    signal.throwIfAborted()
    const path = url.pathname + url.search
    const pool = poolOf(url.origin, await import('undici'))
    return orAbort(pool.request({ method, path, headers: all, body: bytes, signal }), signal)
  }

  /** The client is large: a program that asks nobody, as most commands don't, does without it. */
  function poolOf(origin: string, { Pool }: typeof import('undici')): Pool {
    const known = pools.get(origin)
    pools.delete(origin)
    if (!known && pools.size >= MAX_ORIGINS) makeRoom()
    const pool =
      known ??
      new Pool(origin, {
        connect: connect as NonNullable<Pool.Options['connect']>,
        connections: SOCKETS_PER_ORIGIN,
        allowH2: false,
        keepAliveTimeout: KEEP_ALIVE_MS,
        keepAliveMaxTimeout: MAX_KEEP_ALIVE_MS,
        maxHeaderSize: MAX_HEADER_BYTES,
        // The time of the whole request is kept elsewhere.
        headersTimeout: 0,
        bodyTimeout: 0,
      })
    // Last in the order of the map: last to be given up.
    pools.set(origin, pool)
    return pool
  }

  function makeRoom(): void {
    for (const [origin, pool] of pools) {
      if (pool.stats.size > 0) continue
      pools.delete(origin)
      void pool.destroy()
      return
    }
    throw new FetchFailed('network', 'too many servers are being asked at once')
  }

  async function close(): Promise<void> {
    const open = [...pools.values()]
    pools.clear()
    await Promise.all(open.map(async (pool) => pool.destroy(new FetchFailed('network', 'shutting down'))))
  }
}

function bodyOf(
  response: Dispatcher.ResponseData,
  {
    input: { maxBytes, verbatim = false },
    method,
    headers,
  }: { input: FetchInput; method: string; headers: Readonly<Record<string, string>> },
): Readable {
  const { body, statusCode } = response
  const length = headers['content-length']
  if (maxBytes === 0 || method === 'HEAD' || statusCode === 204 || statusCode === 304 || length === '0') {
    return discard(response)
  }
  try {
    if (Number(length) > maxBytes) throw new FetchFailed('too-large', `${length} bytes, more than ${maxBytes}`)
    return readBody(body, { encoding: headers['content-encoding'] ?? '', maxBytes, verbatim })
  } catch (err) {
    body.on('error', () => {}).destroy()
    throw err
  }
}
