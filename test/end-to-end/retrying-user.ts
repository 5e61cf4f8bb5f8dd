import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { ServerPair } from './server-pair.ts'
import type { Server } from './server.ts'
import { until } from './until.ts'

/** Each token is allowed 300 requests in five minutes. */
const TOKENS = 5

/** A user on one of the two servers who repeats each request until it is answered. */
export interface RetryingUser {
  name: string
  handle: string
  server: Server
  /** Several, because each is allowed 300 requests in five minutes. */
  tokens: string[]
  /** The id of the other user's account on this user's server. */
  otherId: string
  removals: number
}

export interface Answer<T> {
  status: number
  body: T
}

export interface Status {
  id: string
  uri: string
  content: string
  favourites_count: number
  reblogs_count: number
  favourited: boolean
  reblogged: boolean
  reblog: Status | null
}

let requests = 0

/** Repeats a request until it is answered: a killed server does not respond, and a repetition must be harmless. */
export async function sendUntilAnswered<T>(
  actor: RetryingUser,
  method: string,
  path: string,
  body?: object,
): Promise<Answer<T>> {
  const key = randomUUID()
  return until(
    `an answer to ${method} ${path}`,
    async () => {
      try {
        const response = await fetch(`${actor.server.address}${path}`, {
          method,
          headers: {
            authorization: `Bearer ${actor.tokens[(requests += 1) % actor.tokens.length]}`,
            'content-type': 'application/json',
            ...(method === 'POST' ? { 'idempotency-key': key } : {}),
          },
          ...(body ? { body: JSON.stringify(body) } : {}),
        })
        const text = await response.text()
        if (response.status === 503) return null
        assert.notEqual(response.status, 429, `${method} ${path} is throttled`)
        assert.ok(response.status < 500, `${method} ${path}: ${response.status} ${text}`)
        return { status: response.status, body: JSON.parse(text) as T } satisfies Answer<T>
      } catch (err) {
        if (err instanceof assert.AssertionError) throw err
        return null
      }
    },
    { seconds: 60 },
  )
}

/** Returns all items of a list, page by page. */
export async function readAllPages(actor: RetryingUser, path: string): Promise<Status[]> {
  const all: Status[] = []
  for (let maxId = ''; ;) {
    const { body } = await sendUntilAnswered<Status[]>(
      actor,
      'GET',
      `${path}${path.includes('?') ? '&' : '?'}limit=40${maxId && `&max_id=${maxId}`}`,
    )
    if (body.length === 0) return all
    all.push(...body)
    maxId = body.at(-1)!.id
  }
}

export async function byIds(actor: RetryingUser, ids: string[]): Promise<Status[]> {
  const all: Status[] = []
  for (let from = 0; from < ids.length; from += 20) {
    const query = ids.slice(from, from + 20).map((id) => `id[]=${id}`)
    all.push(...(await sendUntilAnswered<Status[]>(actor, 'GET', `/api/v1/statuses?${query.join('&')}`)).body)
  }
  return all
}

/** Creates a user on each server who follow each other. */
export async function createFollowingUsers(pair: ServerPair): Promise<[RetryingUser, RetryingUser]> {
  const createRetryingUser = async (server: Server, name: string, domain: string): Promise<RetryingUser> => {
    await server.run('accounts', 'create', name, '--email', `${name}@mail.example`, '--confirmed', '--approved')
    const tokens: string[] = []
    while (tokens.length < TOKENS) tokens.push(await server.run('tokens', 'create', name))
    return { name, handle: `${name}@${domain}`, server, tokens, otherId: '', removals: 0 }
  }
  const [alice, bob] = await Promise.all([
    createRetryingUser(pair.a, 'alice', 'a.test'),
    createRetryingUser(pair.b, 'bob', 'b.test'),
  ])
  for (const [actor, other] of [
    [alice, bob],
    [bob, alice],
  ] as const) {
    const { body } = await sendUntilAnswered<{ accounts: { id: string }[] }>(
      actor,
      'GET',
      `/api/v2/search?q=${other.handle}&resolve=true&type=accounts`,
    )
    actor.otherId = body.accounts[0]!.id
    await sendUntilAnswered(actor, 'POST', `/api/v1/accounts/${actor.otherId}/follow`)
    await until('the follow', async () => {
      const answer = await sendUntilAnswered<{ following: boolean; requested: boolean }[]>(
        actor,
        'GET',
        `/api/v1/accounts/relationships?id[]=${actor.otherId}`,
      )
      return answer.body[0]!.following && !answer.body[0]!.requested
    })
  }
  return [alice, bob]
}
