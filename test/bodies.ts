import Fastify from 'fastify'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Ctx } from '../src/domain/context.ts'
import { acceptBodies } from '../src/http/support/body.ts'
import { coerce } from '../src/http/support/coerce.ts'
import { answerErrors } from '../src/http/support/errors.ts'
import { File } from '../src/http/support/files.ts'
import { parsePairs } from '../src/http/support/nested.ts'
import { open } from '../src/http/support/terms.ts'
import { createMemoryRateLimiter } from '../src/platform/rate-limit.ts'
import type { RateLimiter } from '../src/platform/rate-limit.ts'

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
  file: Type.Optional(File),
})

export type Form = Static<typeof Form>

/** A server of nothing but bodies: `/echo` gives back what it understood, `/file` what `onFile` makes of it. */
export async function createEcho({
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
  const ctx = { config: { dataDir }, log, limiter, now: () => new Date() } as unknown as Ctx
  const app = Fastify({ bodyLimit: 2 * 1024 * 1024, routerOptions: { querystringParser: parsePairs } })
  app.setValidatorCompiler(({ schema }) => (data: unknown) => {
    try {
      return { value: coerce(schema, data ?? {}) }
    } catch (err) {
      return { error: err as Error }
    }
  })
  app.decorateRequest('allowances', null)
  app.decorateRequest('viewer', null)
  answerErrors(app, ctx)
  await acceptBodies(app, ctx)
  app.post('/echo', { schema: { body: Form } }, async ({ body }) => body)
  app.delete('/echo', { schema: { body: Form } }, async ({ body }) => body)
  app.get('/echo', { schema: { querystring: Form } }, async ({ query }) => query)
  app.post('/raw', async ({ body }) => body)
  app.post('/file', { schema: { body: Form }, config: { access: open({ files: true }) } }, async ({ body }) =>
    onFile(body as Form),
  )
  return app
}

export const JSON_TYPE = { 'content-type': 'application/json' }
export const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }
export const BOUNDARY = '----a-boundary-of-its-own'
export const MULTIPART_TYPE = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }

interface Part {
  name: string
  value: string | Buffer
  filename?: string
  type?: string
}

/** Written by hand, because a browser's FormData changes line ends. */
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

/** The pairs that a form must have to say the same as a record; lists of records by index, or by their first key. */
export function pairsOf(value: unknown, name: string, indexed: boolean): [string, string][] {
  if (Array.isArray(value)) {
    const isPlain = value.every((item) => typeof item !== 'object')
    return value.flatMap((item, i) => pairsOf(item, `${name}[${isPlain || !indexed ? '' : i}]`, indexed))
  }
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, inner]) =>
      pairsOf(inner, name === '' ? key : `${name}[${key}]`, indexed),
    )
  }
  return [[name, String(value)]]
}

export function urlencode(pairs: [string, string][]): string {
  return pairs.map((pair) => pair.map((text) => encodeURIComponent(text.toWellFormed())).join('=')).join('&')
}
