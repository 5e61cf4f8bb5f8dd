import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../../../domain/context.ts'
import { RangeNotSatisfiableError, STORAGE_URL_PREFIX } from '../../../platform/storage/storage.ts'
import type { ByteRange, FileInfo, StoredFile } from '../../../platform/storage/storage.ts'
import { fileUrl } from '../../../render/media/render-media.ts'

/** Prevents a stored file that a browser opens as a page from loading or running anything. */
const CONTENT_SECURITY_POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'"

/** The content of a key never changes. */
const CACHE_CONTROL = 'public, max-age=31536000, immutable'

/** Redirects are cached briefly, since the remote media cache evicts files when it is full. */
const REDIRECT_CACHE_CONTROL = 'public, max-age=300'

/**
 * Sends a stored file: the whole file, one range (206), or 304 if the client has it already. If files are served from
 * another host (`filesUrl`), redirects there. Returns false, without sending anything, if there is no file with the
 * key.
 */
export async function sendStoredFile(
  ctx: Ctx,
  { request, reply, key }: { request: FastifyRequest; reply: FastifyReply; key: string },
): Promise<boolean> {
  if (ctx.config.filesUrl !== ctx.config.origin + STORAGE_URL_PREFIX) {
    void reply.header('cache-control', REDIRECT_CACHE_CONTROL).redirect(fileUrl(ctx.config, key), 302)
    return true
  }
  const { headers } = request
  if (headers['if-none-match'] !== undefined || headers['if-modified-since'] !== undefined) {
    const metadata = await ctx.storage.find({ key })
    if (metadata === null) return false
    if (isNotModified(request, metadata)) {
      void setFileHeaders(reply, metadata).code(304).send()
      return true
    }
  }
  const file = await openFile(ctx, { request, reply, key })
  if (file === null) return false
  setFileHeaders(reply, file)
  if (file.range) {
    const { start, end } = file.range
    reply
      .code(206)
      .headers({ 'content-range': `bytes ${start}-${end}/${file.size}`, 'content-length': end - start + 1 })
  } else {
    reply.header('content-length', file.size)
  }
  // Not awaited, since the reply resolves only after the client has read the whole stream.
  void reply.type(file.contentType).send(file.stream)
  return true
}

function setFileHeaders(reply: FastifyReply, { etag, lastModified }: FileInfo): FastifyReply {
  return reply.headers({
    etag,
    'last-modified': lastModified.toUTCString(),
    'accept-ranges': 'bytes',
    'cache-control': CACHE_CONTROL,
    'content-security-policy': CONTENT_SECURITY_POLICY,
    'x-content-type-options': 'nosniff',
    'content-disposition': 'inline',
  })
}

/** `If-None-Match` has precedence over `If-Modified-Since` (RFC 9110 §13.2.2). */
function isNotModified({ headers }: FastifyRequest, { etag, lastModified }: FileInfo): boolean {
  const tags = headers['if-none-match']
  if (tags !== undefined) return tags.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
  const since = Date.parse(headers['if-modified-since'] ?? '')
  return Math.floor(lastModified.getTime() / 1000) * 1000 <= since
}

async function openFile(
  ctx: Ctx,
  { request, reply, key }: { request: FastifyRequest; reply: FastifyReply; key: string },
): Promise<StoredFile | null> {
  const range = parseRange(request.headers.range ?? '')
  if (range === null) return ctx.storage.open({ key })
  const ifRange = request.headers['if-range']
  if (ifRange !== undefined) {
    // A range of another version cannot complete what the client has, so it gets the whole file.
    const metadata = await ctx.storage.find({ key })
    if (metadata?.etag !== ifRange) return ctx.storage.open({ key })
  }
  try {
    return await ctx.storage.open({ key, range })
  } catch (err) {
    if (err instanceof RangeNotSatisfiableError) reply.header('content-range', `bytes */${err.size}`)
    throw err
  }
}

/**
 * Parses a header with one byte range. Returns null for several ranges or another unit, to which the whole file is a
 * valid response.
 */
function parseRange(header: string): ByteRange | null {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header) ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return null
  if (first === '') return { last: Number(last) }
  if (last === '') return { start: Number(first) }
  return Number(last) < Number(first) ? null : { start: Number(first), end: Number(last) }
}
