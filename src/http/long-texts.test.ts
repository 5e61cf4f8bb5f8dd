// Slow: sends megabytes to every route.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { measureStall } from '../../test/stall.ts'
import { openWorld } from '../../test/world.ts'

/** Of JSON Schema what the description of the API has. */
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

/** Longer than any text may be, in a body that is just not too large. */
const TEXT = '@a '.repeat(600_000)

/** As measured, refusing takes at most 40 ms, most of them for reading JSON; working with the text took 290 ms. */
const MAX_STALL_MS = 150

// Moved on, so that no throttle is reached.
let hours = 0
const world = await openWorld({ effects: false, now: () => new Date(Date.now() + hours * 3_600_000) })
after(world.close)

/** A value with a text in each place for one; undefined where there is none. */
function fill({ anyOf = [], enum: words, type, format, items, properties }: Schema, text: string): unknown {
  if (words) return words[0]
  if (anyOf[0]) return fill(anyOf[0], text)
  if (type === 'string') return format === 'binary' ? undefined : text
  if (type === 'boolean') return false
  if (type === 'integer' || type === 'number') return 600
  if (type === 'array') return items && [fill(items, text)]
  if (!properties) return undefined
  return Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, fill(inner, text)]))
}

/** A request for each parameter that takes a text, with nothing but that one, which is far too long. */
function* listRequests(paths: Record<string, Record<string, Operation>>, id: string): Generator<Request> {
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { requestBody }] of Object.entries(operations)) {
      const properties = Object.entries(requestBody?.content?.[BODY]?.schema.properties ?? {})
      for (const [name, schema] of properties) {
        const long = JSON.stringify(fill(schema, TEXT))
        if (long === undefined || long.length < TEXT.length || long.length > 1.1 * TEXT.length) continue
        const payload = { [name]: fill(schema, TEXT) }
        yield { method: method.toUpperCase(), url: path.replaceAll(/\{[^}]+\}/g, id), payload }
      }
    }
  }
}

test('BI16 BI18 whichever text of the API is nearly two megabytes long, nobody else waits while it is refused', async () => {
  const person = await world.createPerson()
  const { paths } = (await world.server.inject('/api/openapi.json')).json<{
    paths: Record<string, Record<string, Operation>>
  }>()
  const headers = { authorization: `Bearer ${person.token}` }
  const requests = [...listRequests(paths, person.accountId)]
  assert.ok(requests.length > 80, `${requests.length} parameters`)
  const slow: string[] = []
  for (const request of requests) {
    hours += 3
    const send = () =>
      measureStall(async () => {
        const { statusCode } = await world.server.inject({ ...request, method: request.method as 'POST', headers })
        assert.ok(statusCode < 500 && statusCode !== 429, `${request.url}: ${statusCode}`)
      })
    // The first time the route may also have to be compiled.
    const first = await send()
    const stallMs = first > MAX_STALL_MS ? await send() : first
    if (stallMs > MAX_STALL_MS) slow.push(`${request.method} ${request.url}: ${stallMs.toFixed(0)} ms`)
  }
  assert.deepEqual(slow, [])
})
