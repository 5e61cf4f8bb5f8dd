import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { Check, Errors } from 'typebox/schema'
import type { Operation, Route } from '../../test/api-document.ts'
import { openSmallWorld, queryOf } from '../../test/small-world.ts'

const { world, document, routes, call, fill, wishes } = await openSmallWorld()
after(world.close)

/** What fields of a body are given, where an answer needs them. */
const fields: Record<string, unknown> = {
  status: 'said by a test',
  phrase: 'a phrase',
  keyword: 'a keyword',
  context: ['home'],
  domain: 'elsewhere.test',
  comment: 'A note.',
  name: 'atest',
  sensitive: false,
  discoverable: true,
  choices: ['0'],
  scheduled_at: '2031-01-01T00:00:00Z',
  title: 'A test',
  client_name: 'A test',
  redirect_uris: 'urn:ietf:wg:oauth:2.0:oob',
}

const REFUSAL = { $ref: '#/components/schemas/ErrorBody' }

function assertFits(schema: Record<string, unknown>, value: unknown, name: string): void {
  const whole = { components: document.components, ...schema }
  if (!Check(whole, value)) assert.deepEqual(Errors(whole, value)[1], [], `${name} answers otherwise than it says`)
}

/** Sends a request to each route, and holds what comes back against the description. Tells what was refused. */
async function callAll(some: Route[]): Promise<{ fitting: number; refused: string[] }> {
  const refused: string[] = []
  for (const { key, method, path, operation } of some) {
    const url = (await fill(path)) + queryOf(operation, wishes)
    const { status, type, json, text: body } = await call(method, url, bodyOf(operation))
    assert.ok(status < 500, `${key}: ${status} ${body}`)
    if (status === 204) {
      assert.ok(operation.responses['204'], `${key} answers 204`)
      continue
    }
    if (status !== 200) {
      refused.push(`${key} ${status}`)
      assertFits(operation.responses[status]?.content?.[type]?.schema ?? REFUSAL, json ?? body, key)
      continue
    }
    const schema = operation.responses['200']?.content?.[type]?.schema
    assert.ok(schema, `${key} answers as ${type}`)
    if (json !== undefined) assertFits(schema, json, key)
  }
  return { fitting: some.length - refused.length, refused }
}

function bodyOf({ requestBody }: Operation): InjectOptions {
  const [form] = Object.values(requestBody?.content ?? {})
  const known = Object.keys(form?.schema.properties ?? {}).filter((name) => fields[name] !== undefined)
  return known.length > 0 ? { payload: Object.fromEntries(known.map((name) => [name, fields[name]])) } : {}
}

test('what is held against the description can fail', () => {
  const status = { $ref: '#/components/schemas/Status' }
  assert.throws(() => assertFits(status, {}, 'GET /x'), /GET \/x answers otherwise than it says/)
  assert.throws(() => assertFits({ type: 'array', items: status }, [{ id: 1 }], 'GET /x'), /GET \/x answers otherwise/)
})

test('what can be read in a small world is answered as the description says', async (t) => {
  const { fitting, refused } = await callAll(routes.filter(({ method }) => method === 'GET'))
  t.diagnostic(`${fitting} answers were read; not in this world: ${refused.join(', ') || 'none'}`)
  assert.ok(fitting > refused.length * 4, `too little is there: ${refused.join(', ')}`)
})

test('the small world is not empty: lists that the test filled have something in them', async () => {
  for (const path of [
    '/api/v1/timelines/home',
    '/api/v1/timelines/public',
    '/api/v1/blocks',
    '/api/v1/mutes',
    '/api/v1/follow_requests',
    '/api/v1/notifications',
    '/api/v1/lists',
    '/api/v1/conversations',
    await fill('/api/v1/lists/{id}/accounts'),
    await fill('/api/v1/timelines/list/{id}'),
    await fill('/api/v1/accounts/{id}/lists'),
    await fill('/api/v1/accounts/{id}/followers'),
  ]) {
    const { json } = await call('GET', path)
    assert.ok(Array.isArray(json) && json.length > 0, path)
  }
})

test('what can be done in a small world is answered as the description says', async (t) => {
  const rank = ({ method }: Route) => ['POST', 'PUT', 'PATCH', 'DELETE'].indexOf(method)
  const deeds = routes.filter(({ method }) => method !== 'GET').toSorted((a, b) => rank(a) - rank(b))
  const { fitting, refused } = await callAll(deeds)
  t.diagnostic(`${fitting} deeds were done; refused: ${refused.join(', ') || 'none'}`)
  assert.ok(fitting > refused.length, `too little can be done: ${refused.join(', ')}`)
})
