import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import {
  BadGatewayError,
  NotFoundError,
  InsufficientStorageError,
  ServiceUnavailableError,
} from '../../../lib/errors.ts'
import { canonicalDomain } from '../../../lib/usernames.ts'
import { FetchFailedError, FetchRefusedError } from '../../../platform/fetch/fetch-errors.ts'
import { createConcurrencyLimiter } from '../../../platform/media/sandbox/concurrency-limiter.ts'
import type { RunLimited } from '../../../platform/media/sandbox/concurrency-limiter.ts'
import type { Ctx } from '../../context.ts'
import { findDomainBlock } from '../../domain-blocks/find-domain-block.ts'
import { MAX_FILE_BYTES } from './limits.ts'
import { HostBackoffError, UnacceptableMediaError } from './remote-media-errors.ts'

const TIMEOUT_MS = 60_000

/** Concurrent requests of this process, in total and to one host, so that a slow host cannot occupy all of them. */
const MAX_CONCURRENT = 32
const MAX_CONCURRENT_PER_HOST = 4

/** How many fetches may wait. Further ones are refused with 503. */
const MAX_WAITING = 1_000

/** The pause after a failed request to a host. It doubles with each consecutive failure. */
const MIN_BACKOFF_MS = 60_000
const MAX_BACKOFF_MS = 3_600_000

/**
 * The share of the cache budget that one host may fill in an hour, but always at least one file of the largest size.
 * Otherwise one host could evict the files of all others.
 */
const HOST_SHARE_PER_HOUR = 0.2
const HOUR_MS = 3_600_000

/** How many hosts have a stored state. */
const MAX_HOSTS = 5_000

/** Content types that are not media. The actual type of a file is detected from its bytes. */
const DOCUMENT = /^\s*(text\/|application\/(xhtml|xml|json|javascript|ld|activity|octet-stream\+xml))|svg/i

/** Status codes for files that do not exist or may not be fetched. */
const ABSENT_STATUSES = new Set([401, 403, 404, 410, 451])

interface HostState {
  limit: RunLimited
  pending: number
  failures: number
  retryAt: number
  /** The bytes received in `hour`, a number of hours since 1970. */
  bytes: number
  hour: number
}

interface Hosts {
  byName: Map<string, HostState>
  limit: RunLimited
  waiting: number
}

const hostsOf = new WeakMap<object, Hosts>()

/**
 * Downloads a remote file into `path`. Sends no request to blocked hosts and to this server, also not by redirects.
 * After a failure of a host, further fetches from it fail without a request for a while.
 * @throws NotFoundError if the host answers so; BadGatewayError; ServiceUnavailableError if too many fetches wait;
 *   InsufficientStorageError
 */
export async function fetchFile(
  ctx: Ctx,
  { url, path, maxBytes }: { url: string; path: string; maxBytes: number },
): Promise<void> {
  let hosts = hostsOf.get(ctx.fetcher)
  if (!hosts)
    hostsOf.set(
      ctx.fetcher,
      (hosts = { byName: new Map(), limit: createConcurrencyLimiter({ slots: MAX_CONCURRENT }), waiting: 0 }),
    )
  if (hosts.waiting >= MAX_WAITING) throw new ServiceUnavailableError()
  const host = hostState(hosts, URL.canParse(url) ? new URL(url).host : '')
  hosts.waiting += 1
  host.pending += 1
  try {
    await host.limit({ slots: 1 }, () =>
      hosts.limit({ slots: 1 }, async () => {
        if (ctx.now().getTime() < host.retryAt || remainingBytes(ctx, host) <= 0) throw new HostBackoffError()
        await download(ctx, { url, path, maxBytes, host })
      }),
    )
  } finally {
    hosts.waiting -= 1
    host.pending -= 1
  }
}

function hostState({ byName }: Hosts, name: string): HostState {
  let host = byName.get(name)
  if (!host)
    host = {
      limit: createConcurrencyLimiter({ slots: MAX_CONCURRENT_PER_HOST }),
      pending: 0,
      failures: 0,
      retryAt: 0,
      bytes: 0,
      hour: 0,
    }
  // Moves the host to the end of the map, so that it is evicted last.
  byName.delete(name)
  byName.set(name, host)
  for (const [other, { pending }] of byName) {
    if (byName.size <= MAX_HOSTS) break
    if (pending === 0 && other !== name) byName.delete(other)
  }
  return host
}

/** Returns how many bytes may still be fetched from a host in this hour. */
function remainingBytes(ctx: Ctx, host: HostState): number {
  const hour = Math.floor(ctx.now().getTime() / HOUR_MS)
  if (host.hour !== hour) Object.assign(host, { hour, bytes: 0 })
  return Math.max(MAX_FILE_BYTES, ctx.config.mediaCacheBytes * HOST_SHARE_PER_HOUR) - host.bytes
}

/** Yields a body while the host is within its share. @throws HostBackoffError */
async function* countBytes(
  ctx: Ctx,
  { host, body }: { host: HostState; body: AsyncIterable<Buffer> },
): AsyncGenerator<Buffer> {
  for await (const chunk of body) {
    if (remainingBytes(ctx, host) < chunk.length) throw new HostBackoffError()
    host.bytes += chunk.length
    yield chunk
  }
}

async function download(
  ctx: Ctx,
  { url, path, maxBytes, host }: { url: string; path: string; maxBytes: number; host: HostState },
): Promise<void> {
  try {
    const response = await ctx.fetcher.open({
      url,
      accept: 'image/*, video/*, audio/*',
      maxBytes,
      timeoutMs: TIMEOUT_MS,
      // Media are compressed already: a content coding would only hide the size of a file.
      identityEncodingOnly: true,
      // Called before the first request and every redirect, so that each URL is checked.
      sign: async (request) => {
        await checkRedirect(ctx, request.url)
        return {}
      },
    })
    host.failures = 0
    const { status, headers } = response
    if (status !== 200 || DOCUMENT.test(headers['content-type'] ?? '')) {
      response.body.destroy()
      if (ABSENT_STATUSES.has(status)) throw new NotFoundError()
      throw status === 200 ? new UnacceptableMediaError(headers['content-type']) : new BadGatewayError()
    }
    if ((Number(headers['content-length']) || 0) > remainingBytes(ctx, host)) {
      response.body.destroy()
      throw new HostBackoffError()
    }
    await pipeline(response.body, (body) => countBytes(ctx, { host, body }), createWriteStream(path, { mode: 0o600 }))
  } catch (err) {
    const { code } = err as { code?: unknown }
    if (code === 'ENOSPC' || code === 'EDQUOT') throw new InsufficientStorageError()
    if (!(err instanceof FetchRefusedError) && !(err instanceof FetchFailedError)) throw err
    ctx.log.debug({ err, url }, 'Could not fetch a remote file')
    if (err instanceof FetchRefusedError || err.kind === 'too-large') throw new UnacceptableMediaError(err)
    if (err.kind !== 'protocol') backOff(ctx, host)
    throw new BadGatewayError()
  }
}

function backOff(ctx: Ctx, host: HostState): void {
  const now = ctx.now().getTime()
  // Concurrent requests that fail together count as one failure.
  if (now < host.retryAt) return
  host.retryAt = now + Math.min(MAX_BACKOFF_MS, MIN_BACKOFF_MS * 2 ** host.failures)
  host.failures += 1
}

/** @throws FetchRefusedError for this server and for hosts whose media are rejected */
async function checkRedirect(ctx: Ctx, hop: string): Promise<void> {
  const domain = canonicalDomain(new URL(hop).host, { keepPort: true })
  const { webDomain, localDomain } = ctx.config
  if (domain === null || domain === webDomain || domain === localDomain) throw new FetchRefusedError('address', hop)
  const { severity, rejectMedia } = await findDomainBlock(ctx, { domain })
  if (severity === 'suspend' || rejectMedia) throw new FetchRefusedError('address', hop)
}
