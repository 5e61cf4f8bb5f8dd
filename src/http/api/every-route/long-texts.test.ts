// Slow: sends megabytes to every route.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { measureEventLoopBlock } from '../../../../test/performance/measure-event-loop-block.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'

/** The parts of JSON Schema that occur in the OpenAPI document. */
interface Schema {
  $ref?: string
  anyOf?: Schema[]
  enum?: unknown[]
  type?: string
  format?: string
  items?: Schema
  properties?: Record<string, Schema>
}

const BODY = 'application/json'

interface Request {
  method: string
  url: string
  payload: object
}

interface Operation {
  requestBody?: { content?: Record<string, { schema: Schema } | undefined> }
}

/** Longer than any text may be, in a body just below the size limit. */
const TEXTS = ['@a ', '#a '].map((piece) => piece.repeat(600_000))

/** Measured: a rejection takes at most 40 ms, mostly for parsing JSON; processing the text took 290 ms. */
const MAX_STALL_MS = 150

// Advanced, so that no throttle applies.
let hours = 0
const testServer = await openTestServer({ effects: false, now: () => new Date(Date.now() + hours * 3_600_000) })
after(testServer.close)

/** Returns a value of a schema with the text wherever it takes a string; undefined if it takes none. */
function sampleOf({ anyOf = [], enum: values, type, format, items, properties }: Schema, text: string): unknown {
  if (values) return values[0]
  if (anyOf[0]) return sampleOf(anyOf[0], text)
  if (type === 'string') return format === 'binary' ? undefined : text
  if (type === 'boolean') return false
  if (type === 'integer' || type === 'number') return 600
  if (type === 'array') return items && [sampleOf(items, text)]
  if (!properties) return undefined
  return Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, sampleOf(inner, text)]))
}

/** Yields for each field that takes a text a request with only that field, which contains the text. */
function* listRequests(paths: Record<string, Record<string, Operation>>, id: string, text: string): Generator<Request> {
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { requestBody }] of Object.entries(operations)) {
      const properties = Object.entries(requestBody?.content?.[BODY]?.schema.properties ?? {})
      for (const [name, schema] of properties) {
        const json = JSON.stringify(sampleOf(schema, text))
        if (json === undefined || json.length < text.length || json.length > 1.1 * text.length) continue
        const payload = { [name]: sampleOf(schema, text) }
        yield { method: method.toUpperCase(), url: path.replaceAll(/\{[^}]+\}/g, id), payload }
      }
    }
  }
}

test('BI16 BI18 rejecting a text of almost 2 MB does not block the event loop, for any field of the API', async () => {
  const user = await testServer.createUser()
  const { paths } = (await testServer.server.inject('/api/openapi.json')).json<{
    paths: Record<string, Record<string, Operation>>
  }>()
  const headers = { authorization: `Bearer ${user.token}` }
  const requests = TEXTS.flatMap((text) => [...listRequests(paths, user.accountId, text)])
  assert.ok(requests.length > 80 * TEXTS.length, `${requests.length} parameters`)
  const slow: string[] = []
  for (const request of requests) {
    hours += 3
    const send = () =>
      measureEventLoopBlock(async () => {
        const { statusCode } = await testServer.server.inject({ ...request, method: request.method as 'POST', headers })
        assert.ok(statusCode < 500 && statusCode !== 429, `${request.url}: ${statusCode}`)
      })
    // On the first request the schema of the route may have to be compiled too.
    const first = await send()
    const stallMs = first > MAX_STALL_MS ? await send() : first
    if (stallMs > MAX_STALL_MS) slow.push(`${request.method} ${request.url}: ${stallMs.toFixed(0)} ms`)
  }
  assert.deepEqual(slow, [])
})
