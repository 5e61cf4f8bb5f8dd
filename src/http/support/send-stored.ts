import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../../domain/context.ts'
import { RangeNotSatisfiable, STORAGE_URL_PREFIX } from '../../platform/storage/storage.ts'
import type { ByteRange, FileFacts, StoredFile } from '../../platform/storage/storage.ts'
import { fileUrl } from '../../render/media/render-media.ts'

/** What a stored file may do if a browser opens it as a page: nothing. */
const POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'"

/** A file never changes under its key. */
const CACHE = 'public, max-age=31536000, immutable'

/** Where a file lies may change: what is kept of another server's goes when there is no room. */
const LEAD_CACHE = 'public, max-age=300'

/**
 * Sends a stored file: whole, in one range, or the news that the reader's copy is the same. Where everybody finds the
 * files under a host of their own, the reader is led there. False, and nothing is sent: there is none under this key.
 */
export async function sendStored(
  ctx: Ctx,
  { request, reply, key }: { request: FastifyRequest; reply: FastifyReply; key: string },
): Promise<boolean> {
  if (ctx.config.filesUrl !== ctx.config.origin + STORAGE_URL_PREFIX) {
    void reply.header('cache-control', LEAD_CACHE).redirect(fileUrl(ctx.config, key), 302)
    return true
  }
  const { headers } = request
  if (headers['if-none-match'] !== undefined || headers['if-modified-since'] !== undefined) {
    const facts = await ctx.storage.find({ key })
    if (facts === null) return false
    if (isKnown(request, facts)) {
      void tell(reply, facts).code(304).send()
      return true
    }
  }
  const file = await open(ctx, { request, reply, key })
  if (file === null) return false
  tell(reply, file)
  if (file.range) {
    const { start, end } = file.range
    reply
      .code(206)
      .headers({ 'content-range': `bytes ${start}-${end}/${file.size}`, 'content-length': end - start + 1 })
  } else {
    reply.header('content-length', file.size)
  }
  // Not awaited: a reply is done only when all of it was read.
  void reply.type(file.contentType).send(file.stream)
  return true
}

function tell(reply: FastifyReply, { etag, lastModified }: FileFacts): FastifyReply {
  return reply.headers({
    etag,
    'last-modified': lastModified.toUTCString(),
    'accept-ranges': 'bytes',
    'cache-control': CACHE,
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
    'content-disposition': 'inline',
  })
}

/** A tag says it surely; the time counts only where there is none (RFC 9110, 13.2.2). */
function isKnown({ headers }: FastifyRequest, { etag, lastModified }: FileFacts): boolean {
  const tags = headers['if-none-match']
  if (tags !== undefined) return tags.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
  const since = Date.parse(headers['if-modified-since'] ?? '')
  return Math.floor(lastModified.getTime() / 1000) * 1000 <= since
}

async function open(
  ctx: Ctx,
  { request, reply, key }: { request: FastifyRequest; reply: FastifyReply; key: string },
): Promise<StoredFile | null> {
  const range = parseRange(request.headers.range ?? '')
  if (range === null) return ctx.storage.open({ key })
  const condition = request.headers['if-range']
  if (condition !== undefined) {
    // A part of another version is of no use for whoever has a part of the first.
    const facts = await ctx.storage.find({ key })
    if (facts?.etag !== condition) return ctx.storage.open({ key })
  }
  try {
    return await ctx.storage.open({ key, range })
  } catch (err) {
    if (err instanceof RangeNotSatisfiable) reply.header('content-range', `bytes */${err.size}`)
    throw err
  }
}

/** One range of bytes. More than one, or anything else, is as if none had been asked for: the whole file is an answer to that. */
function parseRange(header: string): ByteRange | null {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header) ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return null
  if (first === '') return { last: Number(last) }
  if (last === '') return { start: Number(first) }
  return Number(last) < Number(first) ? null : { start: Number(first), end: Number(last) }
}
