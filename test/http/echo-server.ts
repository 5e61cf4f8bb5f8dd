import Fastify from 'fastify'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Ctx } from '../../src/domain/context.ts'
import { addClientIp } from '../../src/http/support/request/client-ip.ts'
import { parseBodies } from '../../src/http/support/request/parse-bodies.ts'
import { coerce } from '../../src/http/support/request/coerce.ts'
import { handleErrors } from '../../src/http/support/response/handle-errors.ts'
import { FileParam } from '../../src/http/support/uploads/uploaded-file.ts'
import { parsePairs } from '../../src/http/support/request/parse-pairs.ts'
import { open } from '../../src/http/support/auth/route-policy.ts'
import { createMemoryRateLimiter } from '../../src/platform/rate-limit/rate-limiter.ts'
import type { RateLimiter } from '../../src/platform/rate-limit/rate-limiter.ts'

/** A parameter of every kind. */
const Form = Type.Object({
  text: Type.Optional(Type.String()),
  count: Type.Optional(Type.Integer()),
  flag: Type.Optional(Type.Boolean()),
  ids: Type.Optional(Type.Array(Type.String())),
  either: Type.Optional(Type.Union([Type.Array(Type.String()), Type.String()])),
  poll: Type.Optional(
    Type.Object({ options: Type.Optional(Type.Array(Type.String())), multiple: Type.Optional(Type.Boolean()) }),
  ),
  fields: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.Optional(Type.String()),
        value: Type.Optional(Type.String()),
        tags: Type.Optional(Type.Array(Type.String())),
      }),
    ),
  ),
  file: Type.Optional(FileParam),
})

export type Form = Static<typeof Form>

/** Creates a server that parses bodies: `/echo` returns the parsed value, `/file` the result of `onFile`. */
export async function createEchoServer({
  dataDir,
  limiter = createMemoryRateLimiter(),
  onFailure = () => {},
  onFile = async () => ({}),
}: {
  dataDir: string
  limiter?: RateLimiter
  onFailure?: (facts: object) => void
  onFile?: (form: Form) => Promise<object>
}): Promise<FastifyInstance> {
  const log = { debug() {}, info() {}, warn() {}, error: onFailure }
  const ctx = {
    config: { dataDir, trustedProxies: [], archiveUploadBytes: 300 * 1_048_576 },
    log,
    rateLimiter: limiter,
    now: () => new Date(),
  } as unknown as Ctx
  const app = Fastify({ bodyLimit: 2 * 1024 * 1024, routerOptions: { querystringParser: parsePairs } })
  app.setValidatorCompiler(({ schema }) => (data: unknown) => {
    try {
      return { value: coerce(schema, data ?? {}) }
    } catch (err) {
      return { error: err as Error }
    }
  })
  addClientIp(app, ctx)
  app.decorateRequest('allowances', null)
  app.decorateRequest('viewer', null)
  handleErrors(app, ctx)
  await parseBodies(app, ctx)
  app.post('/echo', { schema: { body: Form } }, async ({ body }) => body)
  app.delete('/echo', { schema: { body: Form } }, async ({ body }) => body)
  app.get('/echo', { schema: { querystring: Form } }, async ({ query }) => query)
  app.post('/raw', async ({ body }) => body)
  app.post('/file', { schema: { body: Form }, config: { access: open({ files: true }) } }, async ({ body }) =>
    onFile(body as Form),
  )
  app.post('/archive', { schema: { body: Form }, config: { access: open({ files: 'archive' }) } }, async ({ body }) =>
    onFile(body as Form),
  )
  return app
}

export const JSON_TYPE = { 'content-type': 'application/json' }
export const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }
export const BOUNDARY = '----a-unique-boundary'
export const MULTIPART_TYPE = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }

interface Part {
  name: string
  value: string | Buffer
  filename?: string
  type?: string
}

/** Creates a multipart body manually, because FormData changes line ends. */
export function multipartBody(parts: Part[]): Buffer {
  const chunks = parts.flatMap(({ name, value, filename, type }) => [
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"`,
    filename === undefined ? '' : `; filename="${filename}"`,
    type === undefined ? '' : `\r\ncontent-type: ${type}`,
    '\r\n\r\n',
    value,
    '\r\n',
  ])
  return Buffer.concat([...chunks, `--${BOUNDARY}--\r\n`].map((chunk) => Buffer.from(chunk as string)))
}

/** Returns the form pairs equivalent to a JSON value; items of lists are identified by index or by their first key. */
export function formPairsOf(value: unknown, name: string, indexed: boolean): [string, string][] {
  if (Array.isArray(value)) {
    const isPlain = value.every((item) => typeof item !== 'object')
    return value.flatMap((item, i) => formPairsOf(item, `${name}[${isPlain || !indexed ? '' : i}]`, indexed))
  }
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, inner]) =>
      formPairsOf(inner, name === '' ? key : `${name}[${key}]`, indexed),
    )
  }
  return [[name, String(value)]]
}

export function urlencode(pairs: [string, string][]): string {
  return pairs.map((pair) => pair.map((text) => encodeURIComponent(text.toWellFormed())).join('=')).join('&')
}
