import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import type { InjectOptions } from 'fastify'
import { openTestServer } from '../servers/test-server.ts'
import type { TestServer } from '../servers/test-server.ts'

/** The errors that the authorization of a route can return, by outcome. */
export const ERROR_TEXTS = {
  invalid: [401, 'The access token is invalid'],
  revoked: [401, 'The access token was revoked'],
  scope: [403, 'This action is outside the authorized scopes'],
  unconfirmed: [403, 'Your login is missing a confirmed e-mail address'],
  pending: [403, 'Your login is currently pending approval'],
  disabled: [403, 'Your login is currently disabled'],
  permission: [403, 'This action is not allowed'],
  user: [422, 'This method requires an authenticated user'],
  csrf: [422, 'This page has expired. Please go back, reload it, and try again.'],
} as const

const DOCUMENT = { accept: 'application/activity+json' }

export type AuthorizationOutcome = keyof typeof ERROR_TEXTS | 'passed'

/** Sends a request to a route, given by its key in the route policy table, and returns the outcome. */
export type SendRequest = (key: string, options?: InjectOptions) => Promise<RouteResponse>

interface RouteResponse {
  outcome: AuthorizationOutcome
  status: number
  body: string
  headers: Record<string, unknown>
}

/**
 * Opens a test server and a function that sends requests without reaching a throttle: each request has another address
 * and is a day later. `ids` are inserted into paths by the segment after the version; the default is 1. Streams are not
 * read.
 */
export async function openAuthorizationServer({
  ids = {},
  env = {},
}: { ids?: Record<string, string>; env?: Record<string, string> } = {}): Promise<{
  testServer: TestServer
  request: SendRequest
}> {
  let now = new Date('2026-11-05T00:00:00Z')
  let count = 0
  const testServer = await openTestServer({ effects: false, now: () => now, env })
  const request: SendRequest = async (key, options = {}) => {
    const [method, path, , kind] = key.split(' ') as ['GET', string, string?, string?]
    now = new Date(now.getTime() + 86_400_000)
    count += 1
    const ip = `198.${18 + (count >> 16)}.${(count >> 8) & 255}.${count & 255}`
    const answer = await testServer.server.inject({
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
  return { testServer, request }
}

function outcomeOf(status: number, body: string): AuthorizationOutcome {
  for (const [name, [rejected, error]] of Object.entries(ERROR_TEXTS)) {
    if (status === rejected && body === JSON.stringify({ error })) return name as AuthorizationOutcome
  }
  return 'passed'
}
