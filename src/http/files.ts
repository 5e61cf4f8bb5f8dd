import type { FastifyReply } from 'fastify'
import type { Ctx } from '../domain/context.ts'
import { NotFound } from '../lib/errors.ts'
import { RangeNotSatisfiable, STORAGE_URL_PREFIX } from '../platform/storage/storage.ts'
import type { ByteRange, StoredFile } from '../platform/storage/storage.ts'
import type { Api } from './api.ts'

/** What a stored file may do if a browser opens it as a page: nothing. */
const POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'"

/** A file never changes under its key. */
const CACHE = 'public, max-age=31536000, immutable'

/** Files of people: pictures as they were written anew at their upload, of a type that their name fixes. */
export async function files(api: Api, ctx: Ctx): Promise<void> {
  api.get(`${STORAGE_URL_PREFIX}*`, { schema: { hide: true } }, async (request, reply) => {
    const key = (request.params as { '*': string })['*']
    const header = request.headers.range
    const range = header === undefined ? null : parseRange(header)
    const file = await open(ctx, { key, range, reply })
    reply
      .headers({ etag: file.etag, 'last-modified': file.lastModified.toUTCString(), 'accept-ranges': 'bytes' })
      .headers({ 'cache-control': CACHE, 'content-security-policy': POLICY, 'x-content-type-options': 'nosniff' })
    if (request.headers['if-none-match'] === file.etag) {
      file.stream.destroy()
      return reply.code(304).send()
    }
    if (file.range) {
      const { start, end } = file.range
      reply
        .code(206)
        .headers({ 'content-range': `bytes ${start}-${end}/${file.size}`, 'content-length': end - start + 1 })
    } else {
      reply.header('content-length', file.size)
    }
    return reply.type(file.contentType).send(file.stream)
  })
}

async function open(
  ctx: Ctx,
  { key, range, reply }: { key: string; range: ByteRange | null; reply: FastifyReply },
): Promise<StoredFile> {
  try {
    const file = await ctx.storage.open({ key, ...(range ? { range } : {}) })
    if (!file) throw new NotFound()
    return file
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
