import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { BadGateway, NotFound, OutOfStorage, Unavailable } from '../../../lib/errors.ts'
import { canonicalDomain } from '../../../lib/usernames.ts'
import { FetchFailed, FetchRefused } from '../../../platform/fetch/refusals.ts'
import { takeTurns } from '../../../platform/media/take-turns.ts'
import type { Turn } from '../../../platform/media/take-turns.ts'
import type { Ctx } from '../../context.ts'
import { findDomainBlock } from '../../moderation/domain-blocks.ts'
import { MAX_FILE_BYTES } from './limits.ts'
import { HostRests, NoMedia } from './refusals.ts'

const TIMEOUT_MS = 60_000

/** Requests at once for all of this process, and to one host: one that hangs must not hold all of them. */
const AT_ONCE = 32
const AT_ONCE_EACH = 4

/** So many may wait for their turn; more are told to come later. */
const MAX_WAITING = 1_000

/** A host that does not answer is left alone for so long, and longer each time. */
const FIRST_REST_MS = 60_000
const LONGEST_REST_MS = 3_600_000

/**
 * Of all that the cache may hold, so much may come from one host in an hour, and one file of the largest size in any
 * case: a host that has more to give than others would evict what everybody else wants to see.
 */
const HOST_SHARE_PER_HOUR = 0.2
const HOUR_MS = 3_600_000

/** Hosts that are remembered at once. */
const MAX_HOSTS = 5_000

/** Whatever is called so is no file for readers. What it is really is judged by its bytes. */
const DOCUMENT = /^\s*(text\/|application\/(xhtml|xml|json|javascript|ld|activity|octet-stream\+xml))|svg/i

/** Answers that say that the file is not there, or not for us. */
const ABSENT = new Set([401, 403, 404, 410, 451])

interface Host {
  turn: Turn
  asked: number
  failures: number
  restsUntil: number
  /** What has come from it in this hour, which began then. */
  bytes: number
  hour: number
}

interface Hosts {
  byName: Map<string, Host>
  turn: Turn
  waiting: number
}

const hostsOf = new WeakMap<object, Hosts>()

/**
 * Writes a file of another server into `path`. No host is asked that is blocked or our own, wherever redirects lead;
 * one that did not answer is left alone for a while, and answers as it did the last time.
 * @throws NotFound where it says so · BadGateway · Unavailable when too many wait · OutOfStorage
 */
export async function askForFile(
  ctx: Ctx,
  { url, path, maxBytes }: { url: string; path: string; maxBytes: number },
): Promise<void> {
  let hosts = hostsOf.get(ctx.fetcher)
  if (!hosts)
    hostsOf.set(ctx.fetcher, (hosts = { byName: new Map(), turn: takeTurns({ places: AT_ONCE }), waiting: 0 }))
  if (hosts.waiting >= MAX_WAITING) throw new Unavailable()
  const host = findHost(hosts, URL.canParse(url) ? new URL(url).host : '')
  hosts.waiting += 1
  host.asked += 1
  try {
    await host.turn({ places: 1 }, () =>
      hosts.turn({ places: 1 }, async () => {
        if (ctx.now().getTime() < host.restsUntil || bytesLeft(ctx, host) <= 0) throw new HostRests()
        await ask(ctx, { url, path, maxBytes, host })
      }),
    )
  } finally {
    hosts.waiting -= 1
    host.asked -= 1
  }
}

function findHost({ byName }: Hosts, name: string): Host {
  let host = byName.get(name)
  if (!host)
    host = { turn: takeTurns({ places: AT_ONCE_EACH }), asked: 0, failures: 0, restsUntil: 0, bytes: 0, hour: 0 }
  // Last in the order of the map: last to be forgotten.
  byName.delete(name)
  byName.set(name, host)
  for (const [other, { asked }] of byName) {
    if (byName.size <= MAX_HOSTS) break
    if (asked === 0 && other !== name) byName.delete(other)
  }
  return host
}

/** How many bytes may still come from a host in this hour. */
function bytesLeft(ctx: Ctx, host: Host): number {
  const hour = Math.floor(ctx.now().getTime() / HOUR_MS)
  if (host.hour !== hour) Object.assign(host, { hour, bytes: 0 })
  return Math.max(MAX_FILE_BYTES, ctx.config.mediaCacheBytes * HOST_SHARE_PER_HOUR) - host.bytes
}

/** Passes a body on while its host may give more. @throws HostRests */
async function* countBytes(
  ctx: Ctx,
  { host, body }: { host: Host; body: AsyncIterable<Buffer> },
): AsyncGenerator<Buffer> {
  for await (const chunk of body) {
    if (bytesLeft(ctx, host) < chunk.length) throw new HostRests()
    host.bytes += chunk.length
    yield chunk
  }
}

async function ask(
  ctx: Ctx,
  { url, path, maxBytes, host }: { url: string; path: string; maxBytes: number; host: Host },
): Promise<void> {
  try {
    const answer = await ctx.fetcher.open({
      url,
      accept: 'image/*, video/*, audio/*',
      maxBytes,
      timeoutMs: TIMEOUT_MS,
      // Media are compressed already: a coding would only hide how large a file is.
      verbatim: true,
      // Asked before every hop, so it is the one place that sees where each of them leads.
      sign: async (request) => {
        await refuseHop(ctx, request.url)
        return {}
      },
    })
    host.failures = 0
    const { status, headers } = answer
    if (status !== 200 || DOCUMENT.test(headers['content-type'] ?? '')) {
      answer.body.destroy()
      if (ABSENT.has(status)) throw new NotFound()
      throw status === 200 ? new NoMedia(headers['content-type']) : new BadGateway()
    }
    if ((Number(headers['content-length']) || 0) > bytesLeft(ctx, host)) {
      answer.body.destroy()
      throw new HostRests()
    }
    await pipeline(answer.body, (body) => countBytes(ctx, { host, body }), createWriteStream(path, { mode: 0o600 }))
  } catch (err) {
    const { code } = err as { code?: unknown }
    if (code === 'ENOSPC' || code === 'EDQUOT') throw new OutOfStorage()
    if (!(err instanceof FetchRefused) && !(err instanceof FetchFailed)) throw err
    ctx.log.debug({ err, url }, 'a file of another server could not be had')
    if (err instanceof FetchRefused || err.kind === 'too-large') throw new NoMedia(err)
    if (err.kind !== 'protocol') rest(ctx, host)
    throw new BadGateway()
  }
}

function rest(ctx: Ctx, host: Host): void {
  const now = ctx.now().getTime()
  // Those that were asked for together failed once.
  if (now < host.restsUntil) return
  host.restsUntil = now + Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** host.failures)
  host.failures += 1
}

/** @throws FetchRefused */
async function refuseHop(ctx: Ctx, hop: string): Promise<void> {
  const domain = canonicalDomain(new URL(hop).host, { keepPort: true })
  const { webDomain, localDomain } = ctx.config
  if (domain === null || domain === webDomain || domain === localDomain) throw new FetchRefused('address', hop)
  const { severity, rejectMedia } = await findDomainBlock(ctx, { domain })
  if (severity === 'suspend' || rejectMedia) throw new FetchRefused('address', hop)
}
