import multipart from '@fastify/multipart'
import type { TSchema } from 'typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../../domain/context.ts'
import { BadRequest, Refusal, TooLarge, Unprocessable } from '../../lib/errors.ts'
import { accessOf } from './authorise.ts'
import { MAX_PAIRS, nest, parsePairs } from './nested.ts'
import type { Pair } from './nested.ts'
import { hasBody } from './has-body.ts'
import { countPaging } from './rate.ts'
import { takesFile } from './takes-file.ts'
import { limitTemporaryBytes } from './temporary-bytes.ts'
import type { TemporaryBytes } from './temporary-bytes.ts'
import { admitFiles, dropUploads, keepFile, MAX_FILE_BYTES } from './uploads.ts'
import { MAX_TEMPORARY_BYTES, MAX_TEMPORARY_BYTES_PER_ACCOUNT } from './uploads.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether parameters of the query came in the body of a GET or HEAD request, which no cache looks at. */
    hasQueryBody: boolean
  }
}

/** Bodies without files, and the fields beside files: longer than any status, shorter than what would hurt. */
export const MAX_BODY_BYTES = 2 * 1024 * 1024

const MAX_FILES = 4

/** Values that a body of JSON may hold. More would hold up the process for longer than anybody's request is worth. */
const MAX_VALUES = 50_000

const JSON_TYPE = /^application\/([\w.-]+\+)?json/
const FORM_TYPE = 'application/x-www-form-urlencoded'

/**
 * JSON, urlencoded and multipart bodies all become the same plain record, joined by the query's pairs (the body wins).
 * A body of any other type is as if it were empty. JSON and urlencoded bodies of GET and HEAD join the query, which wins.
 */
export async function acceptBodies(app: FastifyInstance, ctx: Ctx): Promise<void> {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(JSON_TYPE, { parseAs: 'string' }, async (_request: unknown, text: string) => parseJson(text))
  app.addContentTypeParser(FORM_TYPE, { parseAs: 'string' }, async (_request: unknown, text: string) =>
    parsePairs(text),
  )
  await app.register(multipart, {
    limits: {
      fileSize: MAX_FILE_BYTES,
      fieldSize: MAX_BODY_BYTES,
      parts: MAX_PAIRS + MAX_FILES,
      fields: MAX_PAIRS,
      files: MAX_FILES,
    },
    throwFileSizeLimit: true,
  })
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async () => ({}))
  app.decorateRequest('hasQueryBody', false)
  dropUploads(app, ctx)
  const temporaryBytes = limitTemporaryBytes({ perOwner: MAX_TEMPORARY_BYTES_PER_ACCOUNT, total: MAX_TEMPORARY_BYTES })
  app.addHook('preValidation', async (request, reply) => {
    if (request.isMultipart()) request.body = await readMultipart(ctx, { request, reply, temporaryBytes })
    if (request.method === 'GET' || request.method === 'HEAD') {
      if (hasBody(request.raw) && !request.is404) await mergeQueryBody(ctx, { request, reply })
      return
    }
    const body = request.body
    // A door of its own may take the bytes as they are.
    if (Buffer.isBuffer(body)) return
    if (body === undefined || body === null || (typeof body === 'object' && !Array.isArray(body))) {
      request.body = { ...(request.query as object), ...(body as object | null) }
    }
  })
}

/**
 * Merges the body of a GET or HEAD request into its query, as Rails does: where both have a name, the query's value
 * counts. Fastify parses no such body, and would refuse requests without one for a malformed `Content-Type`.
 * @throws BadRequest for broken JSON · TooLarge · TooManyRequests
 */
async function mergeQueryBody(
  ctx: Ctx,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<void> {
  const type = request.headers['content-type']?.toLowerCase() ?? ''
  const parse = JSON_TYPE.test(type) ? parseJson : type.startsWith(FORM_TYPE) ? parsePairs : null
  if (!parse) return
  // No cache compares bodies: this answer must not be stored for requests of the same address.
  request.hasQueryBody = true
  const body = parse(await readText({ request, reply })) as Record<string, unknown>
  const query = request.query as Record<string, unknown>
  request.query = Object.assign(Object.create(null), body, query)
  await countPaging(ctx, { request, reply, before: query })
}

/** Reads a whole body as text of at most `MAX_BODY_BYTES`. @throws TooLarge · BadRequest when it breaks off */
async function readText({ request, reply }: { request: FastifyRequest; reply: FastifyReply }): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw new TooLarge()
    for await (const chunk of request.raw.iterator({ destroyOnReturn: false })) {
      chunks.push(chunk as Buffer)
      if ((bytes += (chunk as Buffer).length) > MAX_BODY_BYTES) throw new TooLarge()
    }
  } catch (err) {
    reply.header('connection', 'close')
    throw err instanceof Refusal ? err : new BadRequest()
  }
  return Buffer.concat(chunks).toString()
}

function parseJson(text: string): unknown {
  if (text.trim() === '') return {}
  if (text.length > MAX_VALUES && !hasFewValues(text)) throw new TooLarge()
  try {
    const value: unknown = /\d{16}/.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  } catch {
    throw new BadRequest('There was a problem in the JSON you submitted')
  }
}

/** Counts what begins a value, outside of texts. */
function hasFewValues(text: string): boolean {
  let count = 0
  let isText = false
  for (let i = 0; i < text.length; i += 1) {
    const character = text[i]
    if (isText && character === '\\') i += 1
    else if (character === '"') isText = !isText
    else if (!isText && (character === '[' || character === '{' || character === ',')) {
      if ((count += 1) > MAX_VALUES) return false
    }
  }
  return true
}

/** An id that was sent as a number is larger than JavaScript's numbers are exact: it stays the text that it was. */
function keepDigits(_key: string, value: unknown, { source }: { source?: string } = {}): unknown {
  return typeof value === 'number' && /^-?\d{16,}$/.test(source ?? '') ? source : value
}

/** Fields by their names; files on disk, so that a large upload never lies in memory. */
async function readMultipart(
  ctx: Ctx,
  { request, reply, temporaryBytes }: { request: FastifyRequest; reply: FastifyReply; temporaryBytes: TemporaryBytes },
): Promise<Record<string, unknown>> {
  const pairs: Pair[] = []
  try {
    await readParts(ctx, { request, reply, temporaryBytes, pairs })
  } catch (err) {
    const refusal = refusalOf(err, request)
    if (refusal) {
      // Nobody reads the rest: without this it would pile up in the parser.
      request.raw.unpipe()
      request.raw.resume()
      reply.header('connection', 'close')
      throw refusal
    }
  }
  return nest(pairs)
}

async function readParts(
  ctx: Ctx,
  {
    request,
    reply,
    temporaryBytes,
    pairs,
  }: { request: FastifyRequest; reply: FastifyReply; temporaryBytes: TemporaryBytes; pairs: Pair[] },
): Promise<void> {
  const takesFiles = accessOf(request)?.files === true
  const schema = request.routeOptions.schema?.body as TSchema | undefined
  let bytes = 0
  for await (const part of request.parts()) {
    if (part.type === 'file') {
      if (!takesFiles || !takesFile(schema, part.fieldname))
        throw new Unprocessable('This parameter does not take a file')
      await admitFiles(ctx, { request, reply, temporaryBytes })
      pairs.push([part.fieldname, await keepFile(ctx, { request, part })])
      continue
    }
    bytes += Buffer.byteLength(typeof part.value === 'string' ? part.value : JSON.stringify(part.value))
    if (bytes > MAX_BODY_BYTES || part.valueTruncated) throw new TooLarge()
    if (!part.fieldnameTruncated) pairs.push([part.fieldname, part.value])
  }
}

/** What is wrong with a form; null for a field whose name is one of JavaScript's own, which is no parameter of ours. */
function refusalOf(err: unknown, request: FastifyRequest): Refusal | null {
  if (err instanceof Refusal) return err
  const { code = '' } = err as { code?: string }
  if (code === 'FST_PROTO_VIOLATION' && request.raw.readableEnded) return null
  if (code.endsWith('_LIMIT') || code === 'FST_REQ_FILE_TOO_LARGE') return new TooLarge()
  return new BadRequest('There was a problem in the form you submitted')
}
