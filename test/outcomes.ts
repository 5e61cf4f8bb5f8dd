import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import type { InjectOptions } from 'fastify'
import { openWorld } from './world.ts'
import type { World } from './world.ts'

/** What the table of authorisation can say to a caller. */
export const REFUSALS = {
  invalid: [401, 'The access token is invalid'],
  revoked: [401, 'The access token was revoked'],
  scope: [403, 'This action is outside the authorized scopes'],
  unconfirmed: [403, 'Your login is missing a confirmed e-mail address'],
  pending: [403, 'Your login is currently pending approval'],
  disabled: [403, 'Your login is currently disabled'],
  person: [422, 'This method requires an authenticated user'],
  csrf: [422, 'This page has expired. Please go back, reload it, and try again.'],
} as const

const DOCUMENT = { accept: 'application/activity+json' }

export type Outcome = keyof typeof REFUSALS | 'passed'

/** What a route, as it is called in the table of authorisation, says to a request. */
export type Ask = (key: string, options?: InjectOptions) => Promise<Told>

interface Told {
  outcome: Outcome
  status: number
  body: string
  headers: Record<string, unknown>
}

/**
 * A world, and the way to ask its routes without ever reaching a throttle: each request is from another address, and a
 * day later. `ids` are put into paths by the word after the version, 1 elsewhere. A stream is not read to its end.
 */
export async function openAskingWorld({ ids = {} }: { ids?: Record<string, string> } = {}): Promise<{
  world: World
  ask: Ask
}> {
  let now = new Date('2026-11-05T00:00:00Z')
  let count = 0
  const world = await openWorld({ effects: false, now: () => now })
  const ask: Ask = async (key, options = {}) => {
    const [method, path, , kind] = key.split(' ') as ['GET', string, string?, string?]
    now = new Date(now.getTime() + 86_400_000)
    count += 1
    const ip = `198.${18 + (count >> 16)}.${(count >> 8) & 255}.${count & 255}`
    const answer = await world.server.inject({
      method,
      url: path.replace(/:\w+|\*/g, ids[path.split('/')[3] ?? ''] ?? '1'),
      payloadAsStream: true,
      ...options,
      headers: { 'x-forwarded-for': ip, ...(kind === 'document' ? DOCUMENT : {}), ...options.headers },
    })
    const isStream = String(answer.headers['content-type']).startsWith('text/event-stream')
    const body = isStream ? '' : await text(answer.stream())
    if (isStream) answer.stream().destroy()
    assert.ok(answer.statusCode < 500, `${key} fails: ${answer.statusCode} ${body}`)
    assert.notEqual(answer.statusCode, 429, `${key} is throttled`)
    return { outcome: outcomeOf(answer.statusCode, body), status: answer.statusCode, body, headers: answer.headers }
  }
  return { world, ask }
}

function outcomeOf(status: number, body: string): Outcome {
  for (const [name, [refused, error]] of Object.entries(REFUSALS)) {
    if (status === refused && body === JSON.stringify({ error })) return name as Outcome
  }
  return 'passed'
}
