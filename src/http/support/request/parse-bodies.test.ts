// Slow: parses large generated bodies.
// In a process of its own: measures processor time, of which the garbage collection of other files would be a part.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import {
  BOUNDARY,
  createEchoServer,
  FORM_TYPE,
  JSON_TYPE,
  MULTIPART_TYPE,
  multipartBody,
  formPairsOf,
  urlencode,
} from '../../../../test/http/echo-server.ts'
import { measureEventLoopBlock } from '../../../../test/performance/measure-event-loop-block.ts'
import { CODE_POINT } from '../../../../test/text/code-points.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'linnet-bodies-'))
const app = await createEchoServer({ dataDir })
await app.listen({ port: 0, host: '127.0.0.1' })
const { port } = app.server.address() as AddressInfo
after(async () => {
  await app.close()
  await rm(dataDir, { recursive: true })
})

async function send(headers: Record<string, string>, payload: string | Buffer, url = '/echo') {
  const answer = await app.inject({ method: 'POST', url, headers, payload })
  return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() }
}

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: CODE_POINT }),
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
      // One key is required, since without indices a repeated key starts the next record.
      { minLength: 1, maxLength: 3 },
    ),
  },
  { requiredKeys: [] },
)

test('BI4 any object is parsed equally from JSON, an urlencoded form, a multipart form and a query', async () => {
  await fc.assert(
    fc.asyncProperty(anyForm, fc.boolean(), async (form, indexed) => {
      const pairs = formPairsOf(form, '', indexed)
      const json = await send(JSON_TYPE, JSON.stringify(form))
      assert.equal(json.status, 200)
      assert.deepEqual(await send(FORM_TYPE, urlencode(pairs)), json)
      assert.deepEqual(await send(MULTIPART_TYPE, multipartBody(pairs.map(([name, value]) => ({ name, value })))), json)
      assert.deepEqual(await send({}, '', `/echo?${urlencode(pairs)}`), json)
      const get = await app.inject({ method: 'GET', url: `/echo?${urlencode(pairs)}` })
      assert.deepEqual(get.json(), json.body)
    }),
    { numRuns: 150 },
  )
})

test('BI4 the body has precedence over the query, and parameters of the query are merged', async () => {
  const url = '/echo?text=query&flag=1'
  assert.deepEqual((await send(JSON_TYPE, '{"text":"body"}', url)).body, { text: 'body', flag: true })
  assert.deepEqual((await send(FORM_TYPE, 'text=body', url)).body, { text: 'body', flag: true })
  const parts = multipartBody([{ name: 'text', value: 'body' }])
  assert.deepEqual((await send(MULTIPART_TYPE, parts, url)).body, { text: 'body', flag: true })
  const deleted = await app.inject({ method: 'DELETE', url, headers: FORM_TYPE, payload: 'text=body' })
  assert.deepEqual(deleted.json(), { text: 'body', flag: true })
})

async function get(headers: Record<string, string>, payload?: string, query = '') {
  const answer = await app.inject({ method: 'GET', url: `/echo${query}`, headers, ...(payload && { payload }) })
  return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() }
}

test('a JSON or urlencoded body of a GET is merged into the query, which has precedence', async () => {
  const query = '?text=query&count=1'
  const merged = { status: 200, body: { text: 'query', count: 1, ids: ['1', '2'] } }
  assert.deepEqual(await get(JSON_TYPE, '{"text":"body","ids":["1",2]}', query), merged)
  assert.deepEqual(await get(FORM_TYPE, 'text=body&ids[]=1&ids[]=2', query), merged)
  assert.deepEqual(await get(JSON_TYPE, '{"ids":[116000000000000001]}'), {
    status: 200,
    body: { ids: ['116000000000000001'] },
  })
  const hostile = '{"__proto__":{"text":"x"},"constructor":{"prototype":{"text":"x"}},"count":1}'
  assert.deepEqual(await get(JSON_TYPE, hostile), { status: 200, body: { count: 1 } })
})

test('a GET with a body of another type, or without an object, counts as a GET without a body', async () => {
  for (const type of ['text/plain', 'application/xml', MULTIPART_TYPE['content-type'], 'undefined', '?']) {
    assert.deepEqual(await get({ 'content-type': type }, '{"text":"x"}', '?count=1'), {
      status: 200,
      body: { count: 1 },
    })
    assert.deepEqual(await get({ 'content-type': type }, undefined, '?count=1'), { status: 200, body: { count: 1 } })
  }
  for (const json of [' ', 'null', '[{"text":"x"}]']) {
    assert.deepEqual(await get(JSON_TYPE, json, '?count=1'), { status: 200, body: { count: 1 } }, json)
  }
})

test('the body of a GET has the same limits as any other', async () => {
  const broken = { status: 400, body: { error: 'There was a problem in the JSON you submitted' } }
  assert.deepEqual(await get(JSON_TYPE, '{"text":'), broken)
  const refused = { status: 413, body: { error: 'Request body is too large' } }
  const large = 'x'.repeat(2 * 1024 * 1024)
  assert.deepEqual(await get(JSON_TYPE, `{"text":"${large}"}`), refused)
  assert.deepEqual(await get({ ...FORM_TYPE, 'transfer-encoding': 'chunked' }, `text=${large}`), refused)
  assert.deepEqual(await get(JSON_TYPE, '['.repeat(100_000)), refused)
})

test('BI4 names such as __proto__ are no parameters in any format, and change no prototype', async () => {
  const names = ['__proto__', 'constructor', 'toString', '__proto__[text]', 'constructor[prototype][text]']
  const json = '{"__proto__":{"text":"x"},"constructor":{"prototype":{"text":"x"}},"toString":"x","count":1}'
  assert.deepEqual(await send(JSON_TYPE, json), { status: 200, body: { count: 1 } })
  const pairs: [string, string][] = [...names.map((name): [string, string] => [name, 'x']), ['count', '1']]
  assert.deepEqual(await send(FORM_TYPE, urlencode(pairs)), { status: 200, body: { count: 1 } })
  const parts = multipartBody(pairs.map(([name, value]) => ({ name, value })))
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

test('an id that is sent as a JSON number keeps all its digits', async () => {
  const json = '{"text":116000000000000001,"ids":[116000000000000001,"116000000000000001",7],"count":12345678901234567}'
  const { body } = await send(JSON_TYPE, json)
  assert.deepEqual(body, {
    text: '116000000000000001',
    ids: ['116000000000000001', '116000000000000001', '7'],
    count: Number.MAX_SAFE_INTEGER,
  })
})

test('malformed JSON gets 400, and JSON that is no object counts as empty', async () => {
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

test('BI6 bytes that are not UTF-8 become replacement characters in every format', async () => {
  for (const bytes of [Buffer.of(0xff), Buffer.of(0xc0, 0x80), Buffer.of(0xed, 0xa0, 0x80), Buffer.of(0xf0, 0x9f)]) {
    const json = await send(JSON_TYPE, Buffer.concat([Buffer.from('{"text":"'), bytes, Buffer.from('"}')]))
    assert.match(String(json.body['text']), /^\ufffd+$/)
    assert.deepEqual(await send(FORM_TYPE, Buffer.concat([Buffer.from('text='), bytes])), json)
    assert.deepEqual(await send(MULTIPART_TYPE, multipartBody([{ name: 'text', value: bytes }])), json)
    const escaped = [...bytes].map((byte) => `%${byte.toString(16)}`).join('')
    assert.deepEqual(await send(FORM_TYPE, `text=${escaped}`), json)
  }
})

test('all JSON content types are accepted; a body of another type counts as empty', async () => {
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

test('a body above two megabytes gets 413, for every type and all parts together', async () => {
  const large = 'x'.repeat(2 * 1024 * 1024)
  const refused = { status: 413, body: { error: 'Request body is too large' } }
  assert.deepEqual(await send(JSON_TYPE, `{"text":"${large}"}`), refused)
  assert.deepEqual(await send(FORM_TYPE, `text=${large}`), refused)
  assert.deepEqual(await send({ 'content-type': 'text/plain' }, `${large}x`), refused)
  assert.deepEqual(await send(MULTIPART_TYPE, multipartBody([{ name: 'text', value: `${large}x` }])), refused)
  const half = { name: 'text', value: large.slice(0, 1_200_000) }
  assert.deepEqual(await send(MULTIPART_TYPE, multipartBody([half, half])), refused)
  const json = { name: 'text', value: JSON.stringify(half.value), type: 'application/json' }
  assert.deepEqual(await send(MULTIPART_TYPE, multipartBody([json, json])), refused)
})

test('JSON with more than fifty thousand values gets 413; the content of strings does not count', async () => {
  const list = (length: number) => `{"text":"x","other":[${'0,'.repeat(length - 1)}0]}`
  assert.equal((await send(JSON_TYPE, list(49_000))).status, 200)
  assert.equal((await send(JSON_TYPE, list(51_000))).status, 413)
  const text = '[{,"\\'.repeat(20_000)
  assert.deepEqual(await send(JSON_TYPE, JSON.stringify({ text })), { status: 200, body: { text } })
})

test('a part of a form with the type JSON is parsed as JSON', async () => {
  const parts = [{ name: 'poll', value: '{"options":["a","b"],"multiple":true}', type: 'application/json' }]
  const poll = { options: ['a', 'b'], multiple: true }
  assert.deepEqual(await send(MULTIPART_TYPE, multipartBody(parts)), { status: 200, body: { poll } })
  const texts = [
    { name: 'text', value: '"x"', type: 'application/json; charset=utf-8' },
    ...['1', '"2"', '116000000000000001', '4', '5', '6'].map((value) => ({
      name: 'ids[]',
      value,
      type: 'application/json',
    })),
  ]
  assert.deepEqual(await send(MULTIPART_TYPE, multipartBody(texts)), {
    status: 200,
    body: { text: 'x', ids: ['1', '2', '116000000000000001', '4', '5', '6'] },
  })
  const broken = [{ name: 'poll', value: '{', type: 'application/json' }]
  assert.equal((await send(MULTIPART_TYPE, multipartBody(broken))).status, 400)
})

test('BI4 a part with the type JSON has the limits of a JSON body', async () => {
  const sendParts = (...values: string[]) =>
    send(MULTIPART_TYPE, multipartBody(values.map((value) => ({ name: 'text', value, type: 'application/json' }))))
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  assert.deepEqual(await sendParts(nested(5_000)), { status: 200, body: {} })
  assert.deepEqual(await sendParts(nested(40_000)), { status: 200, body: {} })
  assert.equal((await sendParts(nested(100_000))).status, 413)
  assert.equal((await sendParts('[', '['.repeat(100_000))).status, 400)
  const list = `[${'0,'.repeat(29_000)}0]`
  assert.deepEqual(await sendParts(list), { status: 200, body: {} })
  assert.equal((await sendParts(list, list)).status, 413)
  const hostile = [{ name: 'poll', value: '{"__proto__":{"multiple":true}}', type: 'application/json' }]
  assert.deepEqual(await send(MULTIPART_TYPE, multipartBody(hostile)), { status: 200, body: { poll: {} } })
})

test('a malformed multipart form gets 400, and an empty one counts as empty', async () => {
  const whole = multipartBody([{ name: 'text', value: 'x' }])
  const refused = { status: 400, body: { error: 'There was a problem in the form you submitted' } }
  assert.deepEqual(await send(MULTIPART_TYPE, whole.subarray(0, -10)), refused)
  assert.deepEqual(await send({ 'content-type': 'multipart/form-data' }, whole), refused)
  assert.deepEqual(await send(MULTIPART_TYPE, 'no form at all'), refused)
  assert.equal((await send(MULTIPART_TYPE, `--${BOUNDARY}--\r\n`)).status, 200)
  for (const type of ['text/plain', 'application/json']) {
    const nameless = `--${BOUNDARY}\r\ncontent-disposition: form-data\r\ncontent-type: ${type}\r\n\r\n1\r\n`
    assert.deepEqual(await send(MULTIPART_TYPE, `${nameless}--${BOUNDARY}--\r\n`), { status: 200, body: {} })
  }
})

test('BI16 hostile bodies of two megabytes do not block the event loop', async () => {
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
    ...[fill('['), `[${fill('{},')}{}]`, `{${keys}}`].map((value): [Record<string, string>, string] => [
      MULTIPART_TYPE,
      multipartBody([{ name: 'text', value, type: 'application/json' }]).toString(),
    ]),
  ]
  for (const [headers, payload] of bodies) {
    const blockedMs = await measureEventLoopBlock(async () => {
      // Over a real connection, where a body arrives in chunks.
      const answer = await fetch(`http://127.0.0.1:${port}/echo`, { method: 'POST', headers, body: payload })
      assert.ok(answer.status < 500, String(answer.status))
      await answer.body?.cancel()
    })
    assert.ok(blockedMs < 250, `${payload.slice(0, 40)} blocked the event loop for ${blockedMs.toFixed(0)} ms`)
  }
})
