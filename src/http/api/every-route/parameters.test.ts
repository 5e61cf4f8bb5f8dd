// Slow: calls every route with invalid parameters.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Operation, JsonSchema } from '../../../../test/http/entities/api-document.ts'
import { openSampleData, queryOf } from '../../../../test/servers/sample-data.ts'

const { testServer, routes, call, fill, parameterValues } = await openSampleData()
after(testServer.close)

const LISTS = routes.filter(
  ({ method, operation }) => method === 'GET' && operation.parameters?.some(({ name }) => name === 'limit'),
)

const INVALID_IDS = '-1 0 01 1.0 %201 1e400 9223372036854775808 18446744073709551616 %00 %EF%BC%91 %ff x'.split(' ')

test('BI1 every path responds 404 to anything that is not an id', async () => {
  const withIds = routes.filter(({ operation }) => operation.parameters?.some(({ schema }) => schema['x-id']))
  assert.ok(withIds.length > 10)
  for (const { key, method, path } of withIds) {
    for (const id of INVALID_IDS) {
      const { status, text: body } = await call(method, path.replace(/\{[^}]+\}/g, id))
      assert.deepEqual([status, body], [404, '{"error":"Record not found"}'], `${key} with ${id}`)
    }
  }
})

test('BI2 every list accepts every limit, offset and cursor, and the URLs of its Link header work', async () => {
  const oddValues = ['-1', '0', '1000000000', '5x', '', '%00', '%EF%BC%91', '1e400', '99999999999999999999']
  const queries = [
    ...oddValues.map((value) => `limit=${value}`),
    ...oddValues.map((value) => `offset=${value}`),
    ...oddValues.map((value) => `max_id=${value}&since_id=${value}&min_id=${value}`),
    'limit[]=1&limit[]=2',
    'limit[x]=1&max_id[]=1',
    'limit=1&max_id=9223372036854775807&min_id=1',
    'limit=1&max_id=1&min_id=9223372036854775807',
  ]
  assert.ok(LISTS.length > 5)
  for (const { key, path, operation } of LISTS) {
    const base = (await fill(path)) + (queryOf(operation, parameterValues) || '?')
    for (const query of queries) {
      const { status, json, link } = await call('GET', `${base}&${query}`)
      assert.ok(status < 500, `${key} fails for ${query}`)
      if (Array.isArray(json)) assert.ok(json.length <= 200, `${key} returns ${json.length} rows for ${query}`)
      for (const [, next] of link.matchAll(/<([^>]+)>/g)) {
        assert.ok(next!.startsWith(`${testServer.ctx.config.origin}/api/`), `${key} links to ${next}`)
      }
    }
    const { link } = await call('GET', `${base}&limit=1`)
    for (const [, next] of link.matchAll(/<([^>]+)>/g)) {
      const { status } = await call('GET', next!.slice(testServer.ctx.config.origin.length))
      assert.equal(status, 200, `${key}: ${next}`)
    }
  }
})

test('BI3 an array in a query may be one value, have brackets or indexes, or have thousands of values', async () => {
  const withLists = routes.filter(
    ({ method, operation }) => method === 'GET' && operation.parameters?.some(({ name }) => name.endsWith('[]')),
  )
  assert.ok(withLists.length > 2)
  for (const { key, path, operation } of withLists) {
    const url = await fill(path)
    for (const { name } of operation.parameters!.filter((parameter) => parameter.name.endsWith('[]'))) {
      const plain = name.slice(0, -2)
      const value = parameterValues[name] ?? 'mention'
      const same = [`${plain}=${value}`, `${name}=${value}`, `${plain}[0]=${value}`, `${plain}[x]=${value}`]
      const bodies = await Promise.all(same.map(async (query) => (await call('GET', `${url}?${query}`)).text))
      assert.equal(new Set(bodies).size, 1, `${key}: ${name}`)
      for (const query of [
        `${name}=`,
        `${plain}=`,
        `${plain}[x][y]=1`,
        Array.from({ length: 5_000 }, () => `${name}=1`).join('&'),
      ]) {
        const { status } = await call('GET', `${url}?${query}`)
        assert.ok(status < 500, `${key} fails for ${query.slice(0, 50)}`)
      }
    }
  }
})

/** Returns the fields of a route's JSON body. */
function fieldsOf({ requestBody }: Operation): [string, JsonSchema][] {
  return Object.entries(requestBody?.content['application/json']?.schema.properties ?? {})
}

test('BI5 every boolean parameter of a query accepts the same values', async () => {
  const off = ['0', 'f', 'F', 'false', 'FALSE', 'off', 'OFF']
  const on = ['1', 't', 'true', 'TRUE', 'on', 'yes']
  let count = 0
  for (const { key, method, path, operation } of routes) {
    // A stream does not end, and a search returns hashtag use by day, while the day advances.
    if (method !== 'GET' || path.includes('/streaming/') || path.endsWith('/search')) continue
    for (const { name, schema } of operation.parameters ?? []) {
      if (schema.type !== 'boolean') continue
      const base = (await fill(path)) + (queryOf(operation, parameterValues) || '?')
      const read = async (query: string) => (await call('GET', `${base}&${query}`)).text
      const bodiesFor = async (values: string[]) =>
        new Set(await Promise.all(values.map(async (v) => read(`${name}=${v}`))))
      const absent = await read('')
      assert.deepEqual([...(await bodiesFor(['', ...off]))], [absent], `${key}: ${name}`)
      assert.equal((await bodiesFor(on)).size, 1, `${key}: ${name}`)
      // An array for a boolean parameter is ignored.
      assert.equal(await read(`${name}[]=1`), absent, `${key}: ${name}`)
      count += 1
    }
  }
  assert.ok(count > 10)
})

test('BI4 BI5 null and values of a wrong type are rejected or ignored', async () => {
  let count = 0
  for (const { key, method, path, operation } of routes) {
    const fields = fieldsOf(operation)
    if (fields.length === 0 || method === 'DELETE') continue
    const url = path.replace(/\{[^}]+\}/g, '99999999999')
    const scalars = fields.filter(([, { type }]) => type === 'boolean' || type === 'string' || type === 'integer')
    const request = async (payload: object) => {
      const { status, json, text } = await call(method, url, { payload })
      assert.ok(status < 500, `${key} ${text}`)
      return [status, (json as { error?: string } | undefined)?.error]
    }
    const emptyResult = await request({})
    for (const value of [null, [], {}, ['x'], { x: 'x' }]) {
      assert.deepEqual(
        await request(Object.fromEntries(scalars.map(([name]) => [name, value]))),
        emptyResult,
        `${key} ${JSON.stringify(value)}`,
      )
    }
    const names = { ...JSON.parse('{"__proto__":{"x":1}}'), constructor: { prototype: { x: 1 } }, toString: 'x' }
    assert.deepEqual(await request(names), emptyResult, key)
    count += 1
  }
  assert.ok(count > 25)
})

test('BI6 no text for any parameter of any route causes a server error', async () => {
  const queryTexts = ['%00%ff%ed%a0%80', 'x'.repeat(8_000)]
  const bodyTexts = ['a\u0000b\ud800\uffff', 'x'.repeat(70_000)]
  let count = 0
  for (const { key, method, path, operation } of routes) {
    if (path.includes('/streaming/')) continue
    const url = await fill(path)
    for (const { name, in: place } of operation.parameters ?? []) {
      if (place !== 'query' || method !== 'GET') continue
      const query = queryOf(operation, { ...parameterValues, [name]: undefined } as typeof parameterValues) || '?'
      for (const value of queryTexts) {
        const { status } = await call('GET', `${url}${query}&${name}=${value}`)
        assert.ok(status < 500, `${key} fails for ${name}=${value.slice(0, 20)}`)
        count += 1
      }
    }
    if (method === 'DELETE') continue
    for (const [name, { type }] of fieldsOf(operation)) {
      for (const text of bodyTexts) {
        const { status } = await call(method, url, {
          payload: { [name]: type === 'array' ? [text, { id: text }] : text },
        })
        assert.ok(status < 500, `${key} fails for ${name}: ${JSON.stringify(text.slice(0, 20))}`)
        count += 1
      }
    }
  }
  assert.ok(count > 300)
})
