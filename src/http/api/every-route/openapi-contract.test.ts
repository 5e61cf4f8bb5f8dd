import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { Check, Errors } from 'typebox/schema'
import type { Operation, Route } from '../../../../test/http/entities/api-document.ts'
import { openSampleData, queryOf } from '../../../../test/servers/sample-data.ts'

const { testServer, document, routes, call, fill, parameterValues } = await openSampleData()
after(testServer.close)

/** Values of body fields that requests need to succeed. */
const fields: Record<string, unknown> = {
  status: 'posted by a test',
  phrase: 'a phrase',
  keyword: 'a keyword',
  context: ['home'],
  domain: 'blocked.test',
  comment: 'A note.',
  name: 'atest',
  sensitive: false,
  discoverable: true,
  choices: ['0'],
  scheduled_at: '2031-01-01T00:00:00Z',
  title: 'A test',
  text: 'A text',
  keys: ['new_users', 'languages'],
  start_at: '2026-11-01',
  end_at: '2026-11-05',
  client_name: 'A test',
  redirect_uris: 'urn:ietf:wg:oauth:2.0:oob',
}

const ERROR_SCHEMA = { $ref: '#/components/schemas/ErrorBody' }

function assertFits(schema: Record<string, unknown>, value: unknown, name: string): void {
  const completeSchema = { components: document.components, ...schema }
  if (!Check(completeSchema, value)) {
    assert.deepEqual(Errors(completeSchema, value)[1], [], `${name}: response does not match its schema`)
  }
}

/** Sends a request to each route and checks the response against its schema. Returns which requests were rejected. */
async function callAll(selectedRoutes: Route[]): Promise<{ acceptedCount: number; rejected: string[] }> {
  const rejected: string[] = []
  for (const { key, method, path, operation } of selectedRoutes) {
    const url = (await fill(path)) + queryOf(operation, parameterValues)
    const { status, type, json, text: body } = await call(method, url, bodyOf(operation))
    assert.ok(status < 500, `${key}: ${status} ${body}`)
    if (status === 204) {
      assert.ok(operation.responses['204'], `${key}: undocumented status 204`)
      continue
    }
    if (status !== 200) {
      rejected.push(`${key} ${status}`)
      assertFits(operation.responses[status]?.content?.[type]?.schema ?? ERROR_SCHEMA, json ?? body, key)
      continue
    }
    const schema = operation.responses['200']?.content?.[type]?.schema
    assert.ok(schema, `${key}: undocumented content type ${type}`)
    if (json !== undefined) assertFits(schema, json, key)
  }
  return { acceptedCount: selectedRoutes.length - rejected.length, rejected }
}

function bodyOf({ requestBody }: Operation): InjectOptions {
  const [form] = Object.values(requestBody?.content ?? {})
  const known = Object.keys(form?.schema.properties ?? {}).filter((name) => fields[name] !== undefined)
  return known.length > 0 ? { payload: Object.fromEntries(known.map((name) => [name, fields[name]])) } : {}
}

test('the check of responses can fail', () => {
  const status = { $ref: '#/components/schemas/Status' }
  assert.throws(() => assertFits(status, {}, 'GET /x'), /GET \/x: response does not match its schema/)
  assert.throws(
    () => assertFits({ type: 'array', items: status }, [{ id: 1 }], 'GET /x'),
    /GET \/x: response does not match/,
  )
})

test('responses to GET requests match the OpenAPI document, on a server with sample data', async (t) => {
  const { acceptedCount, rejected } = await callAll(routes.filter(({ method }) => method === 'GET'))
  t.diagnostic(`${acceptedCount} responses checked; rejected requests: ${rejected.join(', ') || 'none'}`)
  assert.ok(acceptedCount > rejected.length * 4, `too many rejected requests: ${rejected.join(', ')}`)
})

test('the sample data is not empty: the lists that the test filled have rows', async () => {
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

test('responses to write requests match the OpenAPI document, on a server with sample data', async (t) => {
  const rank = ({ method }: Route) => ['POST', 'PUT', 'PATCH', 'DELETE'].indexOf(method)
  const writeRoutes = routes.filter(({ method }) => method !== 'GET').toSorted((a, b) => rank(a) - rank(b))
  const { acceptedCount, rejected } = await callAll(writeRoutes)
  t.diagnostic(`${acceptedCount} responses checked; rejected requests: ${rejected.join(', ') || 'none'}`)
  assert.ok(acceptedCount > rejected.length, `too many rejected requests: ${rejected.join(', ')}`)
})
