// Slow: sends generated requests for a fixed time.
// In a process of its own: measures processor time, of which the garbage collection of other files would be a part.
import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { ALL_SCOPES } from '../src/lib/http/scopes.ts'
import { readApiDocument } from './http/entities/api-document.ts'
import type { Operation, Route, JsonSchema } from './http/entities/api-document.ts'
import { uniqueAddressHeaders } from './http/browser.ts'
import { chooseSeed, createRandom } from './oracles/random.ts'
import { openTestServer } from './servers/test-server.ts'

/** The duration; `npm run test:fuzz` sets it to ten minutes. */
const SECONDS = Number(process.env['FUZZ_SECONDS'] ?? 3)
/** Slow machines continue for longer. */
const MIN_REQUESTS = 50
const random = createRandom(chooseSeed())

/** The limit of a request's processor time on the main thread, in milliseconds. */
const MAX_CPU_MS = 250

let now = new Date('2026-11-05T00:00:00Z')
const testServer = await openTestServer({ effects: false, now: () => now })
after(testServer.close)

const TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  '1e400',
  '9223372036854775807',
  '9223372036854775808',
  '99999999999999999999999999',
  'NaN',
  'null',
  'true',
  'undefined',
  '2026-02-30T25:61:00Z',
  '9999-12-31',
  '-271821-04-20T00:00:00Z',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\uffff',
  '‮evil',
  '👩‍👧‍👦'.repeat(40),
  'e\u0301'.repeat(300),
  '%00%ff',
  "' or 1=1; --",
  '\\',
  '%_\\%',
  '!&|():*<->',
  '<script>alert(1)</script>',
  '@a@b@c',
  '@',
  '# ＃',
  'https://[::1]:99999/%',
  'javascript:alert(1)',
  '../../etc/passwd',
  'a\r\nb: c',
  '__proto__',
  'constructor',
  '{"a":1}',
  '[',
  '@person1 '.repeat(200),
  '#tag '.repeat(200),
  'x'.repeat(501),
  'x'.repeat(70_000),
  '@a.'.repeat(20_000),
] as const

/** Returns any JSON value of limited depth. */
function anyValue(depth = 2): unknown {
  const kind = random.between(0, depth > 0 ? 7 : 5)
  if (kind <= 2) return random.pick(TEXTS)
  if (kind === 3) return random.pick([0, -1, 1.5, 1e21, -1e300, 2 ** 53, 116_000_000_000_000_000n.toString()])
  if (kind === 4) return random.pick([true, false])
  if (kind === 5) return null
  if (kind === 6) return Array.from({ length: random.pick([0, 1, 3, 30]) }, () => anyValue(depth - 1))
  return Object.fromEntries(random.some(TEXTS, 3).map((name) => [name.slice(0, 50), anyValue(depth - 1)]))
}

/** Returns a value that matches the schema, or sometimes another one. */
function valueFor(shape: JsonSchema): unknown {
  if (random.next() < 0.25) return anyValue()
  const choice = shape.anyOf ? random.pick(shape.anyOf) : shape
  if (choice.enum) return random.pick(choice.enum)
  if (choice.const !== undefined) return choice.const
  if (choice.type === 'boolean') return random.pick([true, false, '0', 'on', ''])
  if (choice.type === 'integer' || choice.type === 'number') return random.pick([0, 1, 20, -5, 3600, 1e9])
  if (choice.type === 'array')
    return Array.from({ length: random.pick([0, 1, 2, 50]) }, () => valueFor(choice.items ?? {}))
  if (choice.type === 'object') return fieldsFor(choice)
  return random.pick([...ids, ...names, ...TEXTS])
}

function fieldsFor({ properties = {} }: JsonSchema): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [name, shape] of Object.entries(properties)) if (random.next() < 0.6) fields[name] = valueFor(shape)
  if (random.next() < 0.1) fields[random.pick(TEXTS).slice(0, 50)] = anyValue()
  return fields
}

/** Returns the pairs of a form, with lists in a random notation. */
function pairsOf(value: unknown, name: string): [string, string][] {
  const inner = (key: string) => (name === '' ? key : `${name}[${key}]`)
  if (Array.isArray(value)) {
    const bracket = random.pick(['[]', '[0]', ''])
    return value.flatMap((item) => pairsOf(item, name + bracket))
  }
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, item]) => pairsOf(item, inner(key)))
  }
  return [[name, typeof value === 'string' ? value : JSON.stringify(value ?? '')]]
}

function urlencode(pairs: [string, string][]): string {
  return pairs.map((pair) => pair.map((one) => encodeURIComponent(one.toWellFormed())).join('=')).join('&')
}

function bodyFor({ requestBody }: Operation): InjectOptions {
  if (!requestBody) return {}
  const [type = ''] = random.some(Object.keys(requestBody.content), 1)
  const fields = fieldsFor(requestBody.content[type]!.schema)
  if (random.next() < 0.05) return { headers: { 'content-type': type }, payload: random.pick(TEXTS) }
  if (type === 'application/json') return { headers: { 'content-type': type }, payload: JSON.stringify(fields) }
  const pairs = pairsOf(fields, '')
  if (type !== 'multipart/form-data') return { headers: { 'content-type': type }, payload: urlencode(pairs) }
  const parts = pairs.map(([name, value]) => {
    const file = random.next() < 0.2 ? `; filename="${random.pick(TEXTS).replace(/["\r\n]/g, '')}"` : ''
    return `--b\r\ncontent-disposition: form-data; name="${name.replace(/["\r\n]/g, '')}"${file}\r\n\r\n${value}\r\n`
  })
  return { headers: { 'content-type': `${type}; boundary=b` }, payload: `${parts.join('')}--b--\r\n` }
}

const users = await Promise.all([1, 2, 3].map(async () => testServer.createUser({ scopes: ALL_SCOPES.join(' ') })))
const names: string[] = users.map(({ username }) => username)
const ids: string[] = users.map(({ accountId }) => accountId)

/** Returns a random request for a route, and its description for failures. */
function requestFor({ method, path, operation }: Route): { request: InjectOptions; description: string } {
  const query: [string, string][] = []
  for (const { name, in: place, schema } of operation.parameters ?? []) {
    if (place === 'query' && random.next() < 0.5) query.push(...pairsOf(valueFor(schema), name.replace('[]', '')))
  }
  const filledPath = path.replace(/\{[^}]+\}/g, () =>
    encodeURIComponent(
      random
        .pick(random.next() < 0.8 ? ids : TEXTS)
        .slice(0, 600)
        .toWellFormed(),
    ),
  )
  const { headers, payload } = bodyFor(operation)
  const bearer = random.next() < 0.9 ? { authorization: `Bearer ${random.pick(users).token}` } : {}
  const url = `${filledPath}?${urlencode(query)}`.slice(0, 16_000)
  const description = `${method} ${url} ${JSON.stringify({ ...headers, payload }).slice(0, 2_000)}`
  const all = { ...uniqueAddressHeaders(), ...bearer, ...headers }
  return {
    request: { method, url, headers: all, ...(payload === undefined ? {} : { payload }) },
    description,
  }
}

/** Content that no response may reveal: stack traces, paths of modules and SQL. */
const LEAKS = /\bat .*\.(ts|js):\d+|node_modules|\b(select|insert into|update) .* (from|values|set)\b|syntax error at/i

async function checkRoute(route: Route): Promise<void> {
  now = new Date(now.getTime() + 86_400_000)
  const { request, description } = requestFor(route)
  const before = process.threadCpuUsage()
  const answer = await testServer.server.inject({ ...request, payloadAsStream: true })
  const type = answer.headers['content-type'] ?? ''
  if (type.startsWith('text/event-stream')) {
    answer.stream().destroy()
    return
  }
  const body = await text(answer.stream())
  const { user, system } = process.threadCpuUsage(before)
  assert.ok(answer.statusCode < 500, `${answer.statusCode} ${body}: ${description}`)
  assert.ok((user + system) / 1_000 < MAX_CPU_MS, `${(user + system) / 1_000} ms: ${description}`)
  if (!type.startsWith('application/json')) return
  const json: unknown = JSON.parse(body)
  if (answer.statusCode < 400) {
    const { id } = (json ?? {}) as { id?: unknown }
    if (typeof id === 'string' && ids.length < 200) ids.push(id)
    return
  }
  const { error } = json as { error?: string | { error?: unknown } }
  // The errors of collections are objects.
  assert.equal(typeof (typeof error === 'object' ? error.error : error), 'string', description)
  assert.doesNotMatch(body, LEAKS, description)
}

test('the server answers random API requests in time, without 5xx and without internal details, and continues to work', async (t) => {
  t.diagnostic(`FAULT_SEED=${random.seed}`)
  const { routes } = await readApiDocument(testServer)
  const end = performance.now() + SECONDS * 1_000
  let count = 0
  while (performance.now() < end || count < MIN_REQUESTS) {
    await checkRoute(random.pick(routes))
    count += 1
  }
  t.diagnostic(`${count} requests`)
  const user = await testServer.createUser()
  const posted = await user.client.post('/api/v1/statuses', { status: 'still here' })
  const { content } = (await user.client.get(`/api/v1/statuses/${posted.body.id}`)).body
  assert.equal(content, '<p>still here</p>')
})
