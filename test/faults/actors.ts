import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import type { CreatedPerson } from '../create-person.ts'
import type { Random } from '../random.ts'
import { ANSWER_MS } from './visitors.ts'

/** What an actor does next. */
type Kind = 'post' | 'favourite' | 'boost' | 'follow' | 'delete'

/** Posting most, since most follows from it. */
const KINDS: readonly Kind[] = ['post', 'post', 'post', 'post', 'favourite', 'favourite', 'boost', 'follow', 'delete']

/** Before a request that was answered with 503 is repeated: earlier than clients would, so that more requests fail. */
const UNAVAILABLE_PAUSE_MS = 200

/** Everything that the server promised by a 2xx, and nothing else. */
export class Promises {
  /** Ids of living posts by their text, which is never the same twice. */
  readonly posts = new Map<string, { id: string; by: string }>()
  readonly deleted = new Set<string>()
  /** `who:what`. */
  readonly favourites = new Set<string>()
  readonly boosts = new Map<string, string>()
  readonly follows = new Set<string>()
  /** Requests that were answered, but not with 503. */
  answered = 0
  /** Requests that were answered with 503, and repeated. */
  unavailable = 0
  /** How often an answer did not come, so that the same was asked again. */
  retries = 0

  /** Without those that hung on posts which are deleted now. */
  living(deeds: Iterable<string>): string[] {
    return [...deeds].filter((deed) => !this.deleted.has(deed.split(':')[1] ?? '')).toSorted()
  }
}

interface Stage {
  origin: string
  people: readonly CreatedPerson[]
  /** Names that posts mention. */
  audience: readonly string[]
  random: Random
  promises: Promises
  /** Resolves when the server can be asked again. */
  up(): Promise<void>
  /** true: finish what was begun, and no more. */
  isOver(): boolean
  /** Pause of each actor after each request; none, unless said. */
  pauseMs?: number
}

interface Question {
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

async function ask(origin: string, { token, method, path, body, key }: Question): Promise<Reply> {
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

/** Asks until there is an answer: whoever gets none can't know whether it was done. */
async function insist({ origin, promises, up }: Stage, question: Question): Promise<Reply> {
  for (;;) {
    await up()
    const reply = await ask(origin, question).catch(() => null)
    if (reply !== null && reply.status !== 503) {
      assert.ok(reply.status < 500, `${question.method} ${question.path} answered ${reply.status}`)
      promises.answered += 1
      return reply
    }
    if (reply === null) promises.retries += 1
    else {
      assert.match(reply.retryAfter ?? '', /^[1-9]\d*$/, 'a 503 says when to try again')
      promises.unavailable += 1
    }
    await wait(reply === null ? 20 : UNAVAILABLE_PAUSE_MS)
  }
}

/** Everybody does one thing after another at random, all of them at once, until it is over. */
export async function play(stage: Stage): Promise<void> {
  await Promise.all(stage.people.map(async (person, place) => act(stage, person, place)))
}

async function act(stage: Stage, person: CreatedPerson, place: number): Promise<void> {
  for (let n = 0; !stage.isOver(); n += 1) {
    const kind = stage.random.pick(KINDS)
    if (kind === 'post') await post(stage, person, `${stage.random.seed}-${place}-${n}`)
    else if (kind === 'follow') await follow(stage, person)
    else if (kind === 'delete') await remove(stage, person)
    else await like(stage, person, kind)
    if (stage.pauseMs !== undefined) await wait(stage.pauseMs)
  }
}

async function post(stage: Stage, person: CreatedPerson, name: string): Promise<void> {
  const { random, promises, audience } = stage
  const mentions = random.some(audience, random.between(0, 4)).map((handle) => `@${handle}`)
  const text = [name, ...mentions].join(' ')
  const question = { token: person.token, path: '/api/v1/statuses', body: { status: text }, key: name }
  const { status, body } = await insist(stage, { ...question, method: 'POST' })
  if (status !== 200) return
  promises.posts.set(text, { id: body.id!, by: person.accountId })
  if (random.next() > 0.1) return
  // Also without any fault, a key that comes again gives what it gave before.
  const again = await insist(stage, { ...question, method: 'POST' })
  if (again.status === 200) assert.equal(again.body.id, body.id)
}

async function like(stage: Stage, { accountId, token }: CreatedPerson, kind: 'favourite' | 'boost'): Promise<void> {
  const { random, promises } = stage
  const targets = [...promises.posts.values()].slice(-50)
  if (targets.length === 0) return
  const { id } = random.pick(targets)
  const verb = kind === 'boost' ? 'reblog' : 'favourite'
  const { status, body } = await insist(stage, { token, method: 'POST', path: `/api/v1/statuses/${id}/${verb}` })
  if (status !== 200) return
  const deed = `${accountId}:${id}`
  if (kind === 'favourite') promises.favourites.add(deed)
  else {
    assert.equal(promises.boosts.get(deed) ?? body.id, body.id)
    promises.boosts.set(deed, body.id!)
  }
}

async function follow(stage: Stage, { accountId, token }: CreatedPerson): Promise<void> {
  const target = stage.random.pick(stage.people)
  if (target.accountId === accountId) return
  const path = `/api/v1/accounts/${target.accountId}/follow`
  const { status } = await insist(stage, { token, method: 'POST', path })
  if (status === 200) stage.promises.follows.add(`${accountId}:${target.accountId}`)
}

async function remove(stage: Stage, { accountId, token }: CreatedPerson): Promise<void> {
  const { random, promises } = stage
  const own = [...promises.posts].filter(([, { by }]) => by === accountId)
  if (own.length === 0) return
  const [text, { id }] = random.pick(own)
  const { status } = await insist(stage, { token, method: 'DELETE', path: `/api/v1/statuses/${id}` })
  // An answer that was lost had done it already.
  if (status !== 200 && status !== 404) return
  promises.posts.delete(text)
  promises.deleted.add(id)
}
