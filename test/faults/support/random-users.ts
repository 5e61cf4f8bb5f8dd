import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import type { CreatedUser } from '../../servers/create-user.ts'
import type { Random } from '../../oracles/random.ts'
import { ANSWER_MS } from './repeat-requests.ts'

/** The kinds of actions of an actor. */
type ActionKind = 'post' | 'favourite' | 'reblog' | 'follow' | 'delete'

/** Posts are the most frequent action, because they have the most effects. */
const ACTION_KINDS: readonly ActionKind[] = [
  'post',
  'post',
  'post',
  'post',
  'favourite',
  'favourite',
  'reblog',
  'follow',
  'delete',
]

/** The pause before a request is repeated after a 503: shorter than that of clients, so that more requests fail. */
const UNAVAILABLE_PAUSE_MS = 200

/** The state that the server acknowledged with 2xx. */
export class AcknowledgedState {
  /** The posts that exist, by their text, which is unique. */
  readonly posts = new Map<string, { id: string; by: string }>()
  readonly deleted = new Set<string>()
  /** `ACCOUNT_ID:STATUS_ID`, as the keys of `reblogs`; `follows` has two account ids. */
  readonly favourites = new Set<string>()
  readonly reblogs = new Map<string, string>()
  readonly follows = new Set<string>()
  /** Requests that were answered, but not with 503. */
  answered = 0
  /** Requests that were answered with 503, and repeated. */
  unavailable = 0
  /** Requests without a response, which were repeated. */
  retries = 0

  /** Returns the interactions without those with deleted posts. */
  ofExistingPosts(interactions: Iterable<string>): string[] {
    return [...interactions].filter((key) => !this.deleted.has(key.split(':')[1] ?? '')).toSorted()
  }
}

interface RandomUsersOptions {
  origin: string
  users: readonly CreatedUser[]
  /** Names that posts mention. */
  audience: readonly string[]
  random: Random
  acknowledged: AcknowledgedState
  /** Resolves when the server accepts requests. */
  waitUntilReady(): Promise<void>
  /** If true, the users finish the current action and stop. */
  isOver(): boolean
  /** The pause of each user after each action; default: none. */
  pauseMs?: number
}

interface RequestInput {
  token: string
  method: 'POST' | 'DELETE' | 'GET'
  path: string
  body?: object
  key?: string
}

interface Reply {
  status: number
  retryAfter: string | null
  body: { id?: string; reblog?: { id: string } } & Record<string, unknown>
}

async function sendOnce(origin: string, { token, method, path, body, key }: RequestInput): Promise<Reply> {
  const response = await fetch(origin + path, {
    method,
    signal: AbortSignal.timeout(ANSWER_MS),
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    body: (await response.json()) as Reply['body'],
  }
}

/** Repeats a request until it is answered: without a response, a client cannot know whether it took effect. */
async function sendUntilAnswered(
  { origin, acknowledged, waitUntilReady }: RandomUsersOptions,
  request: RequestInput,
): Promise<Reply> {
  for (;;) {
    await waitUntilReady()
    const reply = await sendOnce(origin, request).catch(() => null)
    if (reply !== null && reply.status !== 503) {
      assert.ok(reply.status < 500, `${request.method} ${request.path} answered ${reply.status}`)
      acknowledged.answered += 1
      return reply
    }
    if (reply === null) acknowledged.retries += 1
    else {
      assert.match(reply.retryAfter ?? '', /^[1-9]\d*$/, 'a 503 has Retry-After')
      acknowledged.unavailable += 1
    }
    await wait(reply === null ? 20 : UNAVAILABLE_PAUSE_MS)
  }
}

/** All users perform random actions concurrently, each one action after the other, until `isOver`. */
export async function runRandomUsers(options: RandomUsersOptions): Promise<void> {
  await Promise.all(options.users.map(async (user, index) => performActions(options, user, index)))
}

async function performActions(options: RandomUsersOptions, user: CreatedUser, index: number): Promise<void> {
  for (let n = 0; !options.isOver(); n += 1) {
    const kind = options.random.pick(ACTION_KINDS)
    if (kind === 'post') await post(options, user, `${options.random.seed}-${index}-${n}`)
    else if (kind === 'follow') await follow(options, user)
    else if (kind === 'delete') await remove(options, user)
    else await favouriteOrReblog(options, user, kind)
    if (options.pauseMs !== undefined) await wait(options.pauseMs)
  }
}

async function post(options: RandomUsersOptions, user: CreatedUser, name: string): Promise<void> {
  const { random, acknowledged, audience } = options
  const mentions = random.some(audience, random.between(0, 4)).map((handle) => `@${handle}`)
  const text = [name, ...mentions].join(' ')
  const request = { token: user.token, path: '/api/v1/statuses', body: { status: text }, key: name }
  const { status, body } = await sendUntilAnswered(options, { ...request, method: 'POST' })
  if (status !== 200) return
  acknowledged.posts.set(text, { id: body.id!, by: user.accountId })
  if (random.next() > 0.1) return
  // A repeated idempotency key returns the same status, also without a fault.
  const again = await sendUntilAnswered(options, { ...request, method: 'POST' })
  if (again.status === 200) assert.equal(again.body.id, body.id)
}

async function favouriteOrReblog(
  options: RandomUsersOptions,
  { accountId, token }: CreatedUser,
  kind: 'favourite' | 'reblog',
): Promise<void> {
  const { random, acknowledged } = options
  const targets = [...acknowledged.posts.values()].slice(-50)
  if (targets.length === 0) return
  const { id } = random.pick(targets)
  const { status, body } = await sendUntilAnswered(options, {
    token,
    method: 'POST',
    path: `/api/v1/statuses/${id}/${kind}`,
  })
  if (status !== 200) return
  const action = `${accountId}:${id}`
  if (kind === 'favourite') acknowledged.favourites.add(action)
  else {
    assert.equal(acknowledged.reblogs.get(action) ?? body.id, body.id)
    acknowledged.reblogs.set(action, body.id!)
  }
}

async function follow(options: RandomUsersOptions, { accountId, token }: CreatedUser): Promise<void> {
  const target = options.random.pick(options.users)
  if (target.accountId === accountId) return
  const path = `/api/v1/accounts/${target.accountId}/follow`
  const { status } = await sendUntilAnswered(options, { token, method: 'POST', path })
  if (status === 200) options.acknowledged.follows.add(`${accountId}:${target.accountId}`)
}

async function remove(options: RandomUsersOptions, { accountId, token }: CreatedUser): Promise<void> {
  const { random, acknowledged } = options
  const own = [...acknowledged.posts].filter(([, { by }]) => by === accountId)
  if (own.length === 0) return
  const [text, { id }] = random.pick(own)
  const { status } = await sendUntilAnswered(options, { token, method: 'DELETE', path: `/api/v1/statuses/${id}` })
  // 404 if an unanswered request has deleted the status already.
  if (status !== 200 && status !== 404) return
  acknowledged.posts.delete(text)
  acknowledged.deleted.add(id)
}
