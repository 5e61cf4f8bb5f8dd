import assert from 'node:assert/strict'
import { once } from 'node:events'
import fs, { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { after, test } from 'node:test'
import fc from 'fast-check'
import Fastify from 'fastify'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { measureStall } from '../../../test/stall.ts'
import type { Ctx } from '../../domain/context.ts'
import { acceptBodies } from './body.ts'
import { coerce } from './coerce.ts'
import { answerErrors } from './errors.ts'
import { File, UploadedFile } from './files.ts'
import { parsePairs } from './nested.ts'
import { open } from './terms.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'linnet-bodies-'))
const uploads = join(dataDir, 'uploads')
const failures: object[] = []
const log = { debug() {}, info() {}, warn() {}, error: (facts: object) => failures.push(facts) }
const ctx = { config: { dataDir }, log } as unknown as Ctx

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

/** What the latest request on `/file` had on disk, and what lets it be answered. */
const seen: { text?: string; paths: string[]; byteSize?: number } = { paths: [] }
let answering: Promise<void> = Promise.resolve()

const app = await createApp()
await app.listen({ port: 0, host: '127.0.0.1' })
const { port } = app.server.address() as AddressInfo
after(async () => {
  await app.close()
  await rm(dataDir, { recursive: true })
})

async function createApp(): Promise<FastifyInstance> {
  const app = Fastify({ bodyLimit: 2 * 1024 * 1024, routerOptions: { querystringParser: parsePairs } })
  app.setValidatorCompiler(({ schema }) => (data: unknown) => {
    try {
      return { value: coerce(schema, data ?? {}) }
    } catch (err) {
      return { error: err as Error }
    }
  })
  answerErrors(app, ctx)
  await acceptBodies(app, ctx)
  app.post('/echo', { schema: { body: Form } }, async ({ body }) => body)
  app.delete('/echo', { schema: { body: Form } }, async ({ body }) => body)
  app.get('/echo', { schema: { querystring: Form } }, async ({ query }) => query)
  app.post('/raw', async ({ body }) => body)
  app.post('/file', { schema: { body: Form }, config: { access: open({ files: true }) } }, async ({ body }) => {
    const { file, text } = body as Static<typeof Form>
    if (file) {
      seen.paths.push(file.path)
      seen.text = await readFile(file.path, 'utf8')
    }
    seen.byteSize = file?.byteSize
    await answering
    return { text, filename: file?.filename, size: file?.byteSize }
  })
  return app
}

const JSON_TYPE = { 'content-type': 'application/json' }
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }
const BOUNDARY = '----a-boundary-of-its-own'
const MULTIPART_TYPE = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }

interface Part {
  name: string
  value: string | Buffer
  filename?: string
  type?: string
}

/** Written by hand, because a browser's FormData changes line ends. */
function multipart(parts: Part[]): Buffer {
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

async function send(headers: Record<string, string>, payload: string | Buffer, url = '/echo') {
  const answer = await app.inject({ method: 'POST', url, headers, payload })
  return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() }
}

/** The pairs that a form must have to say the same as a record; lists of records by index, or by their first key. */
function pairsOf(value: unknown, name: string, indexed: boolean): [string, string][] {
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

function urlencode(pairs: [string, string][]): string {
  return pairs.map((pair) => pair.map((text) => encodeURIComponent(text.toWellFormed())).join('=')).join('&')
}

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\u0000', '\ud800', 'a\r\nb\n', '', ' ', '%', '+', '&=', '[]', 'null', '0', 'é́', '👩‍👧', '"', "--'"),
)
const someTexts = fc.array(anyText, { minLength: 1, maxLength: 4 })
const anyForm = fc.record(
  {
    text: anyText,
    count: fc.integer(),
    flag: fc.boolean(),
    ids: someTexts,
    either: fc.oneof(anyText, someTexts),
    poll: fc.record({ options: someTexts, multiple: fc.boolean() }),
    fields: fc.array(
      fc.record({ name: anyText, value: anyText, tags: someTexts }, { requiredKeys: ['name'] }),
      // One key is always there, since without indices a key that comes again begins the next record.
      { minLength: 1, maxLength: 3 },
    ),
  },
  { requiredKeys: [] },
)

test('BI4 any record says the same as JSON, as an urlencoded form, as a multipart form and as a query', async () => {
  await fc.assert(
    fc.asyncProperty(anyForm, fc.boolean(), async (form, indexed) => {
      const pairs = pairsOf(form, '', indexed)
      const json = await send(JSON_TYPE, JSON.stringify(form))
      assert.equal(json.status, 200)
      assert.deepEqual(await send(FORM_TYPE, urlencode(pairs)), json)
      assert.deepEqual(await send(MULTIPART_TYPE, multipart(pairs.map(([name, value]) => ({ name, value })))), json)
      assert.deepEqual(await send({}, '', `/echo?${urlencode(pairs)}`), json)
      const get = await app.inject({ method: 'GET', url: `/echo?${urlencode(pairs)}` })
      assert.deepEqual(get.json(), json.body)
    }),
    { numRuns: 150 },
  )
})

test('BI4 the body wins over the query, and what only the query has counts too', async () => {
  const url = '/echo?text=query&flag=1'
  assert.deepEqual((await send(JSON_TYPE, '{"text":"body"}', url)).body, { text: 'body', flag: true })
  assert.deepEqual((await send(FORM_TYPE, 'text=body', url)).body, { text: 'body', flag: true })
  const parts = multipart([{ name: 'text', value: 'body' }])
  assert.deepEqual((await send(MULTIPART_TYPE, parts, url)).body, { text: 'body', flag: true })
  const deleted = await app.inject({ method: 'DELETE', url, headers: FORM_TYPE, payload: 'text=body' })
  assert.deepEqual(deleted.json(), { text: 'body', flag: true })
})

test('BI4 a body of a GET is no parameter', async () => {
  const answer = await app.inject({ method: 'GET', url: '/echo?count=1', headers: FORM_TYPE, payload: 'text=body' })
  assert.deepEqual(answer.json(), { count: 1 })
})

test('BI4 names of JavaScript’s own are no parameters in any form, and change no prototype', async () => {
  const names = ['__proto__', 'constructor', 'toString', '__proto__[text]', 'constructor[prototype][text]']
  const json = '{"__proto__":{"text":"x"},"constructor":{"prototype":{"text":"x"}},"toString":"x","count":1}'
  assert.deepEqual(await send(JSON_TYPE, json), { status: 200, body: { count: 1 } })
  const pairs: [string, string][] = [...names.map((name): [string, string] => [name, 'x']), ['count', '1']]
  assert.deepEqual(await send(FORM_TYPE, urlencode(pairs)), { status: 200, body: { count: 1 } })
  const parts = multipart(pairs.map(([name, value]) => ({ name, value })))
  assert.deepEqual(await send(MULTIPART_TYPE, parts), { status: 200, body: { count: 1 } })
  assert.equal(({} as { text?: string }).text, undefined)
  for (const [headers, payload] of [
    [JSON_TYPE, json],
    [FORM_TYPE, urlencode(pairs)],
    [MULTIPART_TYPE, parts],
  ] as const) {
    const raw = await app.inject({ method: 'POST', url: '/raw', headers, payload })
    assert.equal(raw.statusCode, 200)
  }
})

test('an id that is sent as a number of JSON keeps all its digits', async () => {
  const json = '{"text":116000000000000001,"ids":[116000000000000001,"116000000000000001",7],"count":12345678901234567}'
  const { body } = await send(JSON_TYPE, json)
  assert.deepEqual(body, {
    text: '116000000000000001',
    ids: ['116000000000000001', '116000000000000001', '7'],
    count: Number.MAX_SAFE_INTEGER,
  })
})

test('JSON that is broken is 400, and JSON that is no record says nothing', async () => {
  const refused = { status: 400, body: { error: 'There was a problem in the JSON you submitted' } }
  for (const json of ['{', '{"a":1,}', "{'a':1}", 'x', '{"text":"\u0000"}', '\ufeff{}', '{}{}']) {
    assert.deepEqual(await send(JSON_TYPE, json), refused, json)
  }
  for (const json of ['', '  ', 'null', '1', '"x"', 'true', '[]', '[{"text":"x"}]']) {
    assert.deepEqual(await send(JSON_TYPE, json), { status: 200, body: {} }, json)
  }
  const nested = (depth: number, inner: string) => `{"text":${'['.repeat(depth)}${inner}${']'.repeat(depth)}}`
  assert.deepEqual(await send(JSON_TYPE, nested(40_000, '1')), { status: 200, body: {} })
  assert.deepEqual(await send(JSON_TYPE, nested(40_000, '1234567890123456')), refused)
  assert.equal((await send(JSON_TYPE, nested(100_000, '1'))).status, 413)
  assert.equal((await send(JSON_TYPE, '['.repeat(100_000))).status, 413)
})

test('BI6 bytes that are no UTF-8 become replacement characters in every form', async () => {
  for (const bytes of [Buffer.of(0xff), Buffer.of(0xc0, 0x80), Buffer.of(0xed, 0xa0, 0x80), Buffer.of(0xf0, 0x9f)]) {
    const json = await send(JSON_TYPE, Buffer.concat([Buffer.from('{"text":"'), bytes, Buffer.from('"}')]))
    assert.match(String(json.body['text']), /^\ufffd+$/)
    assert.deepEqual(await send(FORM_TYPE, Buffer.concat([Buffer.from('text='), bytes])), json)
    assert.deepEqual(await send(MULTIPART_TYPE, multipart([{ name: 'text', value: bytes }])), json)
    const escaped = [...bytes].map((byte) => `%${byte.toString(16)}`).join('')
    assert.deepEqual(await send(FORM_TYPE, `text=${escaped}`), json)
  }
})

test('JSON may call itself by any of its types; a body of another type is as if it were empty', async () => {
  const types = ['application/json', 'APPLICATION/JSON; charset=utf-8', 'application/ld+json', 'application/jsonp']
  for (const type of types) {
    assert.deepEqual((await send({ 'content-type': type }, '{"text":"x"}')).body, { text: 'x' }, type)
  }
  for (const type of ['text/plain', 'text/json', 'application/octet-stream', 'image/png', 'application/xml']) {
    assert.deepEqual(await send({ 'content-type': type }, '{"text":"x"}'), { status: 200, body: {} }, type)
  }
  const untyped = await app.inject({ method: 'POST', url: '/echo', payload: Buffer.from('{"text":"x"}') })
  assert.deepEqual(untyped.json(), {})
  assert.ok([400, 415].includes((await send({ 'content-type': '?' }, 'x')).status))
})

test('a body above two megabytes is 413, whatever its type, and whatever its parts are', async () => {
  const large = 'x'.repeat(2 * 1024 * 1024)
  const refused = { status: 413, body: { error: 'Request body is too large' } }
  assert.deepEqual(await send(JSON_TYPE, `{"text":"${large}"}`), refused)
  assert.deepEqual(await send(FORM_TYPE, `text=${large}`), refused)
  assert.deepEqual(await send({ 'content-type': 'text/plain' }, `${large}x`), refused)
  assert.deepEqual(await send(MULTIPART_TYPE, multipart([{ name: 'text', value: `${large}x` }])), refused)
  const half = { name: 'text', value: large.slice(0, 1_200_000) }
  assert.deepEqual(await send(MULTIPART_TYPE, multipart([half, half])), refused)
  const json = { name: 'text', value: JSON.stringify(half.value), type: 'application/json' }
  assert.deepEqual(await send(MULTIPART_TYPE, multipart([json, json])), refused)
})

test('JSON of more values than fifty thousand is 413; what stands in its texts does not count', async () => {
  const list = (length: number) => `{"text":"x","other":[${'0,'.repeat(length - 1)}0]}`
  assert.equal((await send(JSON_TYPE, list(49_000))).status, 200)
  assert.equal((await send(JSON_TYPE, list(51_000))).status, 413)
  const text = '[{,"\\'.repeat(20_000)
  assert.deepEqual(await send(JSON_TYPE, JSON.stringify({ text })), { status: 200, body: { text } })
})

test('a part of a form that says it is JSON is read as JSON', async () => {
  const parts = [{ name: 'poll', value: '{"options":["a","b"],"multiple":true}', type: 'application/json' }]
  const poll = { options: ['a', 'b'], multiple: true }
  assert.deepEqual(await send(MULTIPART_TYPE, multipart(parts)), { status: 200, body: { poll } })
  const broken = [{ name: 'poll', value: '{', type: 'application/json' }]
  assert.equal((await send(MULTIPART_TYPE, multipart(broken))).status, 400)
})

test('a multipart form that is broken is 400, and an empty one says nothing', async () => {
  const whole = multipart([{ name: 'text', value: 'x' }])
  const refused = { status: 400, body: { error: 'There was a problem in the form you submitted' } }
  assert.deepEqual(await send(MULTIPART_TYPE, whole.subarray(0, -10)), refused)
  assert.deepEqual(await send({ 'content-type': 'multipart/form-data' }, whole), refused)
  assert.deepEqual(await send(MULTIPART_TYPE, 'no form at all'), refused)
  assert.equal((await send(MULTIPART_TYPE, `--${BOUNDARY}--\r\n`)).status, 200)
})

test('BI16 hostile bodies of two megabytes do not hold up the process', async () => {
  const fill = (piece: string) => piece.repeat((2 * 1024 * 1024 - 64) / piece.length)
  const keys = Array.from({ length: 150_000 }, (_, i) => `"${i.toString(36)}":1`).join(',')
  const bodies: [Record<string, string>, string][] = [
    [JSON_TYPE, `{"ids":[${fill('0,')}0]}`],
    [JSON_TYPE, `{"ids":[${fill('1234567890123456,')}0]}`],
    [JSON_TYPE, `{"ids":[${'1234567890123456,'.repeat(49_000)}0]}`],
    [JSON_TYPE, `{"text":"${fill('\\\\",\\"')}`],
    [JSON_TYPE, fill('1')],
    [JSON_TYPE, `{${keys}}`],
    [JSON_TYPE, fill('[')],
    [FORM_TYPE, fill('a&')],
    [FORM_TYPE, fill('ids[]=1&')],
    [FORM_TYPE, fill('%')],
    [MULTIPART_TYPE, fill('--')],
    [MULTIPART_TYPE, fill(`--${BOUNDARY}\r\n`)],
  ]
  for (const [headers, payload] of bodies) {
    const stallMs = await measureStall(async () => {
      // Over a real connection, where a body comes in pieces.
      const answer = await fetch(`http://127.0.0.1:${port}/echo`, { method: 'POST', headers, body: payload })
      assert.ok(answer.status < 500, String(answer.status))
      await answer.body?.cancel()
    })
    assert.ok(stallMs < 250, `${payload.slice(0, 40)} held the process up for ${stallMs.toFixed(0)} ms`)
  }
})

test('a file lies on disk while its request is answered, under a name of ours, and is gone with the answer', async () => {
  seen.paths = []
  const names = ['../x', '/etc/passwd', 'a/../../b', '..', 'C:\\x', 'x'.repeat(5_000), '\u0001.png']
  for (const filename of names) {
    const parts = [
      { name: 'text', value: 'before' },
      { name: 'file', value: 'the bytes', filename, type: 'image/png' },
    ]
    const { status, body } = await send(MULTIPART_TYPE, multipart(parts), '/file')
    assert.equal(status, 200)
    assert.deepEqual([body['text'], body['size'], seen.text], ['before', 9, 'the bytes'])
  }
  for (const path of seen.paths) assert.match(path.slice(uploads.length), /^\/request-[^/]+\/0$/)
  assert.equal(new Set(seen.paths).size, names.length)
  assert.deepEqual(await readdir(uploads), [])
})

test('a file is no text, a text is no file, and a route without files throws them away unread', async () => {
  const file = { name: 'text', value: 'x', filename: 'x.txt' }
  assert.deepEqual(await send(MULTIPART_TYPE, multipart([file]), '/file'), { status: 200, body: {} })
  assert.deepEqual(await send(MULTIPART_TYPE, multipart([{ name: 'file', value: 'x' }]), '/file'), {
    status: 200,
    body: {},
  })
  for (const json of ['{"file":"/etc/passwd"}', '{"file":{"path":"/etc/passwd","filename":"x","byteSize":1}}']) {
    assert.deepEqual(await send(JSON_TYPE, json, '/file'), { status: 200, body: {} })
  }
  const parts = multipart([
    { ...file, name: 'file' },
    { name: 'text', value: 'y' },
  ])
  assert.deepEqual(await send(MULTIPART_TYPE, parts), { status: 200, body: { text: 'y' } })
  assert.deepEqual(await readdir(uploads), [])
})

test('BI13 ten thousand parts, and more files than any route takes, are 413 and leave no file behind', async () => {
  const file = { name: 'file', value: 'x', filename: 'x' }
  const fields = Array.from({ length: 10_000 }, (_, i) => ({ name: `f${i}`, value: 'x' }))
  const files = Array.from({ length: 10_000 }, () => file)
  for (const parts of [[file, ...fields], files, [file, file, file, file, file]]) {
    assert.equal((await send(MULTIPART_TYPE, multipart(parts), '/file')).status, 413)
    assert.equal((await send(MULTIPART_TYPE, multipart(parts))).status, 413)
  }
  assert.deepEqual(await readdir(uploads), [])
})

/** A real connection that has sent the head of a multipart request and the beginning of its file. */
async function beginUpload(contentLength: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(
    `POST /file HTTP/1.1\r\nHost: x\r\nContent-Type: ${MULTIPART_TYPE['content-type']}\r\nContent-Length: ${contentLength}\r\n\r\n` +
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n\r\n${'x'.repeat(100_000)}`,
  )
  return socket
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 5_000
  while (!(await holds())) {
    assert.ok(Date.now() < end, 'it did not come to that')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

const lying = async () => (await readdir(uploads)).length

test('BI13 the files of an upload that is broken off are gone', async () => {
  for (const hangUp of [(socket: Socket) => socket.destroy(), (socket: Socket) => socket.resetAndDestroy()]) {
    const socket = await beginUpload(1_000_000)
    await until(async () => (await lying()) === 1)
    hangUp(socket)
    await until(async () => (await lying()) === 0)
  }
  assert.deepEqual(failures, [])
})

test('BI13 the files of a request stay as long as its handler needs them, and are gone when its client has left', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  answering = promise
  const end = `\r\n--${BOUNDARY}--\r\n`
  const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n\r\n`
  seen.byteSize = 0
  const accepted = once(app.server, 'connection') as Promise<Socket[]>
  const socket = await beginUpload(head.length + 100_000 + end.length)
  socket.write(end)
  await until(() => seen.byteSize === 100_000)
  socket.destroy()
  const [theirs] = await accepted
  await until(() => theirs!.destroyed)
  assert.equal(await lying(), 1)
  resolve()
  await until(async () => (await lying()) === 0)
})

test('F10 a full disk refuses the upload with 507, and leaves nothing behind', async (t) => {
  const full = () =>
    new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('no space left'), { code: 'ENOSPC' })),
    })
  t.mock.method(fs, 'createWriteStream', full)
  syncBuiltinESMExports()
  try {
    const answer = await send(MULTIPART_TYPE, multipart([{ name: 'file', value: 'x', filename: 'x' }]), '/file')
    assert.deepEqual(answer, { status: 507, body: { error: 'There is no room left to store the file' } })
  } finally {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  }
  assert.equal(await lying(), 0)
  assert.equal((await send(FORM_TYPE, 'text=x')).status, 200)
})

test('what a process that died left behind is removed at the next start, unless it is still being used', async () => {
  const old = new Date(Date.now() - 25 * 3_600_000)
  const left = join(uploads, 'request-left')
  const used = join(uploads, 'request-used')
  await mkdir(left, { recursive: true })
  await mkdir(used)
  await utimes(left, old, old)
  const other = await createApp()
  await other.ready()
  await other.close()
  assert.deepEqual([existsSync(left), existsSync(used)], [false, true])
  await rm(used, { recursive: true })
})

test('an uploaded file can not be made of a body’s record', () => {
  assert.equal(
    coerce(Type.Object({ file: File }), { file: new UploadedFile({ path: 'x', filename: 'x', byteSize: 1 }) }) !== null,
    true,
  )
  assert.throws(() => coerce(Type.Object({ file: File }), { file: { path: 'x', filename: 'x', byteSize: 1 } }))
})
