import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { validate } from '@scalar/openapi-parser'
import type { InjectOptions } from 'fastify'
import sharp from 'sharp'
import { Check, Errors } from 'typebox/schema'
import { multipart } from '../../test/client.ts'
import { openWorld } from '../../test/world.ts'
import type { Person } from '../../test/world.ts'
import { ALL_SCOPES } from '../lib/scopes.ts'
import { hashSecret, makeSecret } from '../lib/secrets.ts'
import { ACCESS } from './access.ts'

interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: { type?: string; 'x-id'?: boolean }
}

interface Operation {
  summary?: string
  tags?: string[]
  parameters?: Parameter[]
  security: Record<string, string[]>[]
  requestBody?: {
    required?: boolean
    content: Record<string, { schema: { properties?: Record<string, { format?: string }> } }>
  }
  responses: Record<string, { content?: Record<string, { schema: Record<string, unknown> }> }>
}

interface ApiDocument {
  openapi: string
  components: { schemas: Record<string, unknown> }
  paths: Record<string, Record<string, Operation>>
}

/** Moved on for each request by more than any throttle's window. */
let now = new Date('2026-11-05T00:00:00Z')
const world = await openWorld({ now: () => now })
after(world.close)

const document = (await world.anonymous.get<ApiDocument>('/api/openapi.json')).body

interface Route {
  key: string
  method: string
  path: string
  operation: Operation
}

const ROUTES: Route[] = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, operation]) => ({
    key: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    operation,
  })),
)
const LISTS = ROUTES.filter(({ method, operation }) => method === 'GET' && parameterOf(operation, 'limit'))

function parameterOf({ parameters = [] }: Operation, name: string): Parameter | undefined {
  return parameters.find((one) => one.name === name)
}

let token = ''
/** What the samples of a collection are called, by the path's first word after the version. */
const samples: Record<string, string> = {}
/** What parameters of a query are given where they are needed, or make an answer fuller. */
const wishes: Record<string, string> = { q: 'person', id: '', 'id[]': '', acct: '' }

/** What fields of a body are given, where an answer needs them. */
const fields: Record<string, string> = {
  status: 'said by a test',
  client_name: 'A test',
  redirect_uris: 'urn:ietf:wg:oauth:2.0:oob',
}

/** A small world in which each kind of thing is there once. */
before(async () => {
  const [alice, bob, carol] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
  const locked = await world.createPerson({ locked: true })
  const app = await world.anonymous.post('/api/v1/apps', fields)
  token = await tokenOf(alice, app.body.id)
  const done = async (answer: Promise<{ status: number; body: unknown }>) => {
    const { status, body } = await answer
    assert.equal(status, 200, JSON.stringify(body))
    return body as { id: string }
  }
  const pixels = { width: 8, height: 8, channels: 3 as const, background: 'teal' }
  const png = await sharp({ create: pixels }).png().toBuffer()
  const upload = async () => {
    const form = await multipart({ file: { filename: 'x.png', type: 'image/png', bytes: png }, description: 'teal' })
    return done(alice.client.post('/api/v2/media', form.payload, form.headers))
  }
  const post = (person: Person, body: object) => done(person.client.post('/api/v1/statuses', body))
  const follow = (person: Person, target: Person) =>
    done(person.client.post(`/api/v1/accounts/${target.accountId}/follow`))
  await follow(alice, bob)
  await follow(bob, alice)
  const picture = await upload()
  const root = await post(alice, {
    status: 'Hello #world https://example.org',
    spoiler_text: 'x',
    media_ids: [picture.id],
  })
  const reply = await post(bob, { status: `@${alice.username} and you?`, in_reply_to_id: root.id })
  await post(alice, { status: 'fine', in_reply_to_id: reply.id })
  await done(bob.client.post(`/api/v1/statuses/${root.id}/favourite`))
  await done(alice.client.post(`/api/v1/statuses/${root.id}/favourite`))
  await done(bob.client.post(`/api/v1/statuses/${root.id}/reblog`))
  await done(alice.client.post(`/api/v1/accounts/${carol.accountId}/block`))
  await done(alice.client.post(`/api/v1/accounts/${locked.accountId}/mute`))
  await done(alice.client.patch('/api/v1/accounts/update_credentials', { locked: true, display_name: 'Alice' }))
  await done((await world.createPerson()).client.post(`/api/v1/accounts/${alice.accountId}/follow`))
  await world.settle()
  Object.assign(samples, { accounts: bob.accountId, statuses: root.id, media: (await upload()).id })
  Object.assign(wishes, { id: bob.accountId, 'id[]': bob.accountId, acct: bob.username })
})

async function tokenOf(person: Person, applicationId: string): Promise<string> {
  const made = makeSecret()
  await world.ctx.db
    .insertInto('access_tokens')
    .values({
      token_hash: hashSecret(made),
      user_id: person.userId,
      application_id: applicationId,
      scopes: [...ALL_SCOPES],
    })
    .execute()
  return made
}

interface Got {
  status: number
  type: string
  link: string
  text: string
  json: unknown
}

/** A stream is not read to its end. */
async function call(method: string, url: string, options: InjectOptions = {}): Promise<Got> {
  now = new Date(now.getTime() + 86_400_000)
  const headers = { authorization: `Bearer ${token}`, ...options.headers }
  const answer = await world.server.inject({ method: method as 'GET', url, payloadAsStream: true, ...options, headers })
  const type = (answer.headers['content-type'] ?? '').split(';')[0]!
  if (type === 'text/event-stream') answer.stream().destroy()
  const body = type === 'text/event-stream' ? '' : await text(answer.stream())
  return {
    status: answer.statusCode,
    type,
    link: String(answer.headers['link'] ?? ''),
    text: body,
    json: type === 'application/json' ? JSON.parse(body) : undefined,
  }
}

/** The path of a route in the small world: with the id of a sample, or of the first thing in the list above it. */
async function fill(path: string): Promise<string> {
  if (!path.includes('{')) return path
  const [, version, collection] = /^\/api\/(v\d)\/([^/]+)/.exec(path) ?? []
  const listed = async () => {
    const { status, json } = await call('GET', `/api/${version}/${collection}`)
    return status === 200 && Array.isArray(json) ? (json as { id?: string }[])[0]?.id : undefined
  }
  const id = samples[collection ?? ''] ?? (await listed()) ?? '1'
  return path.replace(/\{[^}]+\}/g, id)
}

/** The query that a route needs to say anything. */
function queryOf({ parameters = [] }: Operation): string {
  const query = new URLSearchParams()
  for (const { name, in: place } of parameters) {
    if (place === 'query' && wishes[name] !== undefined) query.set(name, wishes[name])
  }
  return query.size > 0 ? `?${query.toString()}` : ''
}

function assertFits(schema: Record<string, unknown>, value: unknown, name: string): void {
  const whole = { components: document.components, ...schema }
  if (!Check(whole, value)) assert.deepEqual(Errors(whole, value)[1], [], `${name} answers otherwise than it says`)
}

test('the description of the API is valid OpenAPI 3.1', async () => {
  assert.match(document.openapi, /^3\.1\./)
  const { valid, errors } = await validate({ ...document })
  assert.deepEqual(errors, [])
  assert.equal(valid, true)
  const broken = { ...document, paths: { '/x': { get: { responses: 7 } } } }
  assert.equal((await validate(broken)).valid, false)
})

test('every route of the API is described: what it is for, what it belongs to, what it answers and how it refuses', () => {
  for (const { key, operation } of ROUTES) {
    assert.match(operation.summary ?? '', /^\p{Lu}/u, `${key} has no summary`)
    assert.ok(operation.tags?.length, `${key} has no tags`)
    const [schema] = Object.values(operation.responses['200']?.content ?? {}).map((one) => one.schema)
    assert.ok(schema && ['$ref', 'type', 'anyOf'].some((word) => word in schema), `${key} does not say what it answers`)
    const refusal = operation.responses['default']?.content?.['application/json']?.schema
    assert.deepEqual(refusal, { $ref: '#/components/schemas/ErrorBody' }, key)
    for (const name of key.matchAll(/\{(\w+)\}/g)) {
      const parameter = operation.parameters?.find((one) => one.in === 'path' && one.name === name[1])
      assert.equal(parameter?.required, true, `${key} does not describe ${name[1]}`)
    }
    for (const { name, in: place, schema } of operation.parameters ?? []) {
      if (place === 'query') assert.equal(schema.type === 'array', name.endsWith('[]'), `${key}: ${name}`)
    }
  }
})

test('the description has every route under /api that is no page, and says of each whom it lets in', () => {
  const hidden = new Set(['GET /metrics', 'GET /api/docs', 'GET /api/docs/reference.js'])
  const described = new Map(ROUTES.map(({ key, operation }) => [key, operation]))
  for (const [row, { caller, scopes, cache }] of Object.entries(ACCESS)) {
    // A pattern of paths that don't exist has nothing to describe.
    const isOther = caller === 'page' || caller === 'session' || cache === 'file' || row.endsWith('/*')
    if (isOther || hidden.has(row)) continue
    const operation = described.get(row.replace(/:(\w+)/g, '{$1}'))
    assert.ok(operation, `${row} is not described`)
    const ways = scopes.length > 0 ? scopes.map((scope) => ({ token: [scope] })) : [{ token: [] }]
    const expected = caller === 'open' ? [] : caller === 'optional' ? [{}, ...ways] : ways
    assert.deepEqual(operation.security, expected, row)
  }
})

test('what a route takes as a body it takes in every form, and none is needed where no field is', () => {
  const forms = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data']
  for (const { key, operation } of ROUTES) {
    const { requestBody } = operation
    if (!requestBody) continue
    const types = Object.keys(requestBody.content)
    assert.ok(types.includes('multipart/form-data'), key)
    for (const type of types) assert.ok(forms.includes(type), `${key}: ${type}`)
  }
})

/** Sends a request to each route, and holds what comes back against the description. Tells what was refused. */
async function callAll(routes: Route[]): Promise<{ fitting: number; refused: string[] }> {
  const refused: string[] = []
  for (const { key, method, path, operation } of routes) {
    const url = (await fill(path)) + queryOf(operation)
    const { status, type, json, text: body } = await call(method, url, bodyOf(operation))
    assert.ok(status < 500, `${key}: ${status} ${body}`)
    if (status !== 200) {
      refused.push(`${key} ${status}`)
      assertFits({ $ref: '#/components/schemas/ErrorBody' }, json, key)
      continue
    }
    const schema = operation.responses['200']?.content?.[type]?.schema
    assert.ok(schema, `${key} answers as ${type}`)
    if (json !== undefined) assertFits(schema, json, key)
  }
  return { fitting: routes.length - refused.length, refused }
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
  const { fitting, refused } = await callAll(ROUTES.filter(({ method }) => method === 'GET'))
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
    await fill('/api/v1/accounts/{id}/followers'),
  ]) {
    const { json } = await call('GET', path)
    assert.ok(Array.isArray(json) && json.length > 0, path)
  }
})

test('BI1 no id in any path can be anything but an id', async () => {
  const withIds = ROUTES.filter(({ operation }) => operation.parameters?.some(({ schema }) => schema['x-id']))
  assert.ok(withIds.length > 10)
  for (const { key, method, path } of withIds) {
    for (const id of ['-1', '9223372036854775808', '1.0', '%00', '%EF%BC%91', 'x']) {
      const { status, text: body } = await call(method, path.replace(/\{[^}]+\}/g, id))
      assert.deepEqual([status, body], [404, '{"error":"Record not found"}'], `${key} with ${id}`)
    }
  }
})

test('BI2 every list takes every limit, offset and cursor, and its links lead on', async () => {
  const odd = ['-1', '0', '1000000000', '5x', '', '%00', '%EF%BC%91', '1e400', '99999999999999999999']
  const queries = [
    ...odd.map((value) => `limit=${value}`),
    ...odd.map((value) => `offset=${value}`),
    ...odd.map((value) => `max_id=${value}&since_id=${value}&min_id=${value}`),
    'limit[]=1&limit[]=2',
    'limit[x]=1&max_id[]=1',
    'limit=1&max_id=9223372036854775807&min_id=1',
    'limit=1&max_id=1&min_id=9223372036854775807',
  ]
  assert.ok(LISTS.length > 5)
  for (const { key, path, operation } of LISTS) {
    const base = (await fill(path)) + (queryOf(operation) || '?')
    for (const query of queries) {
      const { status, json, link } = await call('GET', `${base}&${query}`)
      assert.ok(status < 500, `${key} fails for ${query}`)
      if (Array.isArray(json)) assert.ok(json.length <= 200, `${key} gives ${json.length} for ${query}`)
      for (const [, next] of link.matchAll(/<([^>]+)>/g)) {
        assert.ok(next!.startsWith(`${world.ctx.config.origin}/api/`), `${key} links to ${next}`)
      }
    }
    const { link } = await call('GET', `${base}&limit=1`)
    for (const [, next] of link.matchAll(/<([^>]+)>/g)) {
      const { status } = await call('GET', next!.slice(world.ctx.config.origin.length))
      assert.equal(status, 200, `${key}: ${next}`)
    }
  }
})

test('BI3 a list in a query may be sent as one, as several, by number, or by the thousand', async () => {
  const withLists = ROUTES.filter(
    ({ method, operation }) => method === 'GET' && operation.parameters?.some(({ name }) => name.endsWith('[]')),
  )
  assert.ok(withLists.length > 2)
  for (const { key, path, operation } of withLists) {
    const url = await fill(path)
    for (const { name } of operation.parameters!.filter((one) => one.name.endsWith('[]'))) {
      const plain = name.slice(0, -2)
      const value = wishes[name] ?? 'mention'
      const same = [`${plain}=${value}`, `${name}=${value}`, `${plain}[0]=${value}`, `${plain}[x]=${value}`]
      const answers = await Promise.all(same.map(async (query) => (await call('GET', `${url}?${query}`)).text))
      assert.equal(new Set(answers).size, 1, `${key}: ${name}`)
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

test('what can be done in a small world is answered as the description says', async (t) => {
  const rank = ({ method }: Route) => ['POST', 'PUT', 'PATCH', 'DELETE'].indexOf(method)
  const routes = ROUTES.filter(({ method }) => method !== 'GET').toSorted((a, b) => rank(a) - rank(b))
  const { fitting, refused } = await callAll(routes)
  t.diagnostic(`${fitting} deeds were done; refused: ${refused.join(', ') || 'none'}`)
  assert.ok(fitting > refused.length, `too little can be done: ${refused.join(', ')}`)
})
