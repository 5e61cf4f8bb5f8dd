import multipart from '@fastify/multipart'
import type { TSchema } from 'typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Ctx } from '../../../domain/context.ts'
import {
  BadRequestError,
  ExpiredPageError,
  RequestError,
  PayloadTooLargeError,
  UnprocessableError,
} from '../../../lib/errors.ts'
import { countJsonValues } from '../../../lib/json/count-json-values.ts'
import { routePolicyOf } from '../auth/authorize-routes.ts'
import { MAX_PAIRS, nestPairs, parsePairs, parseFieldName } from './parse-pairs.ts'
import type { Pair } from './parse-pairs.ts'
import { hasBody } from './has-body.ts'
import { countPaging } from '../rate-limits/rate-limits.ts'
import { saveDataUris } from '../uploads/data-uris.ts'
import {
  createUploadLimits,
  MAX_FILES,
  reserveUpload,
  removeUploadsAfterResponse,
  saveUpload,
} from '../uploads/uploads.ts'
import type { UploadLimits, UploadPart } from '../uploads/uploads.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Whether parameters came in the body of a GET or HEAD request. Caches ignore such bodies, so the response is not
     * cacheable.
     */
    hasQueryBody: boolean
  }
}

/** The maximum size of a body without files, and of the fields of a multipart body. */
export const MAX_BODY_BYTES = 2 * 1024 * 1024

/** The maximum number of values in a JSON body. Parsing more would block the event loop for too long. */
const MAX_JSON_VALUES = 50_000

const JSON_TYPE = /^application\/([\w.-]+\+)?json/
const FORM_TYPE = 'application/x-www-form-urlencoded'

/**
 * Parses JSON, urlencoded and multipart bodies to the same plain objects, merged with the query (the body has
 * precedence). Bodies of other types count as empty. JSON and urlencoded bodies of GET and HEAD requests are merged
 * into the query, which has precedence.
 */
export async function parseBodies(app: FastifyInstance, ctx: Ctx): Promise<void> {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(JSON_TYPE, { parseAs: 'string' }, async (_request: unknown, text: string) => parseJson(text))
  app.addContentTypeParser(FORM_TYPE, { parseAs: 'string' }, async (_request: unknown, text: string) =>
    parsePairs(text),
  )
  await app.register(multipart, {
    limits: {
      fieldSize: MAX_BODY_BYTES,
      parts: MAX_PAIRS + MAX_FILES,
      fields: MAX_PAIRS,
      // `readParts` counts the files, without the parts of JSON.
      files: MAX_PAIRS + MAX_FILES,
    },
    throwFileSizeLimit: true,
    // The plugin parses JSON without a limit of its depth and values, so such a part arrives as a stream, like a file.
    isPartAFile: (_name, type, filename) =>
      filename !== undefined || type === 'application/octet-stream' || (type !== undefined && JSON_TYPE.test(type)),
  })
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async () => ({}))
  app.decorateRequest('hasQueryBody', false)
  removeUploadsAfterResponse(app, ctx)
  const limits = createUploadLimits(ctx)
  const mergeBody = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (request.isMultipart()) request.body = await readMultipart(ctx, { request, reply, limits })
    if (request.method === 'GET' || request.method === 'HEAD') {
      if (!request.is404) await mergeQueryBody(ctx, { request, reply })
      return
    }
    const body = request.body
    // A route with its own content type parser may get the raw bytes.
    if (Buffer.isBuffer(body)) return
    if (body === undefined || body === null || (typeof body === 'object' && !Array.isArray(body))) {
      request.body = { ...(request.query as object), ...(body as object | null) }
    }
    const policy = routePolicyOf(request)
    if (policy?.files !== true || policy.caller === 'page') return
    const save = async (part: UploadPart) => {
      await reserveUpload(ctx, { request, reply, limit: limits.media })
      return saveUpload(ctx, { request, part })
    }
    request.body = await saveDataUris(request.body, { schema: request.routeOptions.schema?.body as TSchema, save })
  }
  app.addHook('preValidation', (request, reply, done) => {
    // Most requests are GET requests without a body, which need not wait.
    if ((request.method === 'GET' || request.method === 'HEAD') && !hasBody(request.raw)) return done()
    mergeBody(request, reply).then(() => done(), done)
  })
}

/**
 * Merges the body of a GET or HEAD request into its query, as Rails does; the query has precedence. Fastify does not
 * parse such bodies, and would refuse requests without a body for a malformed `Content-Type`.
 * @throws BadRequestError for malformed JSON; PayloadTooLargeError; TooManyRequestsError
 */
async function mergeQueryBody(
  ctx: Ctx,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<void> {
  const type = request.headers['content-type']?.toLowerCase() ?? ''
  const parse = JSON_TYPE.test(type) ? parseJson : type.startsWith(FORM_TYPE) ? parsePairs : null
  if (!parse) return
  // Caches do not compare bodies, so they must not store this response for other requests of the same URL.
  request.hasQueryBody = true
  const body = parse(await readText({ request, reply })) as Record<string, unknown>
  const query = request.query as Record<string, unknown>
  request.query = Object.assign(Object.create(null), body, query)
  await countPaging(ctx, { request, reply, before: query })
}

/**
 * Reads a body of at most `MAX_BODY_BYTES` as text.
 * @throws PayloadTooLargeError; BadRequestError if the request is aborted
 */
async function readText({ request, reply }: { request: FastifyRequest; reply: FastifyReply }): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw new PayloadTooLargeError()
    for await (const chunk of request.raw.iterator({ destroyOnReturn: false })) {
      chunks.push(chunk as Buffer)
      if ((bytes += (chunk as Buffer).length) > MAX_BODY_BYTES) throw new PayloadTooLargeError()
    }
  } catch (err) {
    reply.header('connection', 'close')
    throw err instanceof RequestError ? err : new BadRequestError()
  }
  return Buffer.concat(chunks).toString()
}

function parseJson(text: string): unknown {
  if (text.trim() === '') return {}
  if (text.length > MAX_JSON_VALUES && countJsonValues(text, { max: MAX_JSON_VALUES }) > MAX_JSON_VALUES)
    throw new PayloadTooLargeError()
  const value = parseJsonValue(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
}

function parseJsonValue(text: string): unknown {
  try {
    return /\d{16}/.test(text) ? JSON.parse(text, preserveLongIntegers) : JSON.parse(text)
  } catch {
    throw new BadRequestError('There was a problem in the JSON you submitted')
  }
}

/** Of an integer that is kept as text; ids have at most 19. The regular expression takes 0.1 µs for each character. */
const MAX_INTEGER_LENGTH = 100

/** Keeps long integers as text: ids that clients send as numbers exceed the exact integers of JavaScript. */
function preserveLongIntegers(_key: string, value: unknown, { source }: { source?: string } = {}): unknown {
  if (typeof value !== 'number' || source === undefined || source.length > MAX_INTEGER_LENGTH) return value
  return /^-?\d{16,}$/.test(source) ? source : value
}

interface MultipartRequest {
  request: FastifyRequest
  reply: FastifyReply
  limits: UploadLimits
}

/** Reads a multipart body. Files are written to disk, so that large uploads do not use memory. */
async function readMultipart(ctx: Ctx, { request, reply, limits }: MultipartRequest): Promise<Record<string, unknown>> {
  const pairs: Pair[] = []
  try {
    await readParts(ctx, { request, reply, limits, pairs })
  } catch (err) {
    const parseError = parseErrorOf(err, request)
    if (parseError) {
      // Discards the rest of the body, which would otherwise accumulate in the parser.
      request.raw.unpipe()
      request.raw.resume()
      reply.header('connection', 'close')
      throw parseError
    }
  }
  return nestPairs(pairs)
}

async function readParts(
  ctx: Ctx,
  { request, reply, limits, pairs }: MultipartRequest & { pairs: Pair[] },
): Promise<void> {
  const policy = routePolicyOf(request)
  const files = policy?.files ?? false
  const limit = limits[files === 'archive' ? 'archive' : 'media']
  const schema = request.routeOptions.schema?.body as TSchema | undefined
  let fileCount = 0
  let bytes = 0
  let jsonValues = 0
  for await (const part of request.parts({ limits: { fileSize: limit.maxFileBytes } })) {
    if (part.type === 'file' && isJsonField(part)) {
      const text = await readPart(part.file, MAX_BODY_BYTES - bytes)
      bytes += Buffer.byteLength(text)
      if ((jsonValues += countJsonValues(text, { max: MAX_JSON_VALUES })) > MAX_JSON_VALUES)
        throw new PayloadTooLargeError()
      pairs.push([part.fieldname, parseJsonValue(text)])
      continue
    }
    if (part.type === 'file') {
      if (files === false || !acceptsFile(schema, part.fieldname))
        throw new UnprocessableError('This parameter does not take a file')
      // No page has a form with a file for anonymous visitors, who could otherwise use up the space of temporary files.
      if (policy?.caller === 'page' && !request.viewer) throw new ExpiredPageError()
      if ((fileCount += 1) > MAX_FILES) throw new PayloadTooLargeError()
      await reserveUpload(ctx, { request, reply, limit })
      const file = await saveUpload(ctx, { request, part })
      if (file.byteSize > 0 || !isNameless(part)) pairs.push([part.fieldname, file])
      continue
    }
    const value = part.value as string
    bytes += Buffer.byteLength(value)
    if (bytes > MAX_BODY_BYTES || part.valueTruncated) throw new PayloadTooLargeError()
    if (!part.fieldnameTruncated) pairs.push([part.fieldname, value])
  }
}

/** Whether a part is a parameter as JSON, and not a JSON file. */
function isJsonField({ filename, mimetype }: { filename: string | undefined; mimetype: string }): boolean {
  return filename === undefined && JSON_TYPE.test(mimetype)
}

/** Whether a file has no name. Browsers send a file field without a selected file as an empty file without a name. */
function isNameless({ filename }: { filename: string | undefined }): boolean {
  return filename === undefined || filename === ''
}

/** Reads a part as text. @throws PayloadTooLargeError if it has more than `maxBytes` */
async function readPart(part: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of part) {
    if ((bytes += chunk.length) > maxBytes) throw new PayloadTooLargeError()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** Returns the error of a form; null for a field name such as `__proto__`, which is no parameter and is ignored. */
function parseErrorOf(err: unknown, request: FastifyRequest): RequestError | null {
  if (err instanceof RequestError) return err
  const { code = '' } = err as { code?: string }
  if (code === 'FST_PROTO_VIOLATION' && request.raw.readableEnded) return null
  if (code.endsWith('_LIMIT') || code === 'FST_REQ_FILE_TOO_LARGE') return new PayloadTooLargeError()
  return new BadRequestError('There was a problem in the form you submitted')
}

interface BodySchema {
  'x-file'?: boolean
  anyOf?: BodySchema[]
  properties?: Record<string, BodySchema>
  items?: BodySchema
}

/** Whether the schema of a body accepts a file in a field, such as `media_attributes[][thumbnail]`. */
export function acceptsFile(schema: TSchema | undefined, fieldName: string): boolean {
  const path = parseFieldName(fieldName)
  return path !== null && schema !== undefined && isFilePath(schema, path)
}

function isFilePath(schema: BodySchema, path: string[]): boolean {
  if (schema.anyOf) return schema.anyOf.some((option) => isFilePath(option, path))
  const [key, ...rest] = path
  if (key === undefined) return schema['x-file'] === true
  if (schema.items) return /^\d*$/.test(key) && isFilePath(schema.items, rest)
  return Object.hasOwn(schema.properties ?? {}, key) && isFilePath(schema.properties![key]!, rest)
}
