import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { createRandom } from '../random.ts'
import type { Pair } from './pair.ts'
import type { Server } from './server.ts'
import { step } from './step.ts'
import { until } from './until.ts'

/** How long both servers may take to agree after the last kill. */
const AGREE_SECONDS = 180

/** So many deletions and undone boosts a person may make in half an hour. */
const MAX_REMOVALS = 14

const TOKENS = 5

/** Between two deeds: people are quick here, not endless. */
const PAUSE_MS = 120

interface Actor {
  name: string
  handle: string
  server: Server
  /** Several, because each is allowed 300 requests in five minutes. */
  tokens: string[]
  /** The other one's id on this one's server. */
  otherId: string
  removals: number
}

/** What was acknowledged of a post, and so must be true of it on both servers in the end. */
interface Post {
  author: Actor
  id: string
  uri: string
  text: string
  visibility: string
  deleted: boolean
  favourited: boolean
  boosted: boolean
}

interface Answer<T> {
  status: number
  body: T
}

interface Status {
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

/** Sends a request until it is answered: a killed server answers nothing, and the same request again must be harmless. */
async function send<T>(actor: Actor, method: string, path: string, body?: object): Promise<Answer<T>> {
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

async function everyPage(actor: Actor, path: string): Promise<Status[]> {
  const all: Status[] = []
  for (let maxId = ''; ;) {
    const { body } = await send<Status[]>(
      actor,
      'GET',
      `${path}${path.includes('?') ? '&' : '?'}limit=40${maxId && `&max_id=${maxId}`}`,
    )
    if (body.length === 0) return all
    all.push(...body)
    maxId = body.at(-1)!.id
  }
}

async function byIds(actor: Actor, ids: string[]): Promise<Status[]> {
  const all: Status[] = []
  for (let from = 0; from < ids.length; from += 20) {
    const query = ids.slice(from, from + 20).map((id) => `id[]=${id}`)
    all.push(...(await send<Status[]>(actor, 'GET', `/api/v1/statuses?${query.join('&')}`)).body)
  }
  return all
}

/** Two people talk at random while either server is killed again and again. */
export async function playChaos(pair: Pair, { seed, kills }: { seed: number; kills: number }): Promise<void> {
  const { between, pick } = createRandom(seed)
  const chance = (n: number) => between(0, n - 1)
  console.log(`seed ${seed}, ${kills} kills`)
  const [alice, bob] = await meet(pair)
  step('alice@a.test and bob@b.test follow each other')

  const posts: Post[] = []
  let running = true
  const killing = (async () => {
    for (let n = 1; n <= kills; n += 1) {
      await wait(200 + chance(1_500))
      const victim = pick([pair.a, pair.b])
      await victim.killAndStart()
      console.log(`    kill ${n}: ${victim === pair.a ? 'a' : 'b'}.test, back after ${victim.seconds.toFixed(1)} s`)
    }
    running = false
  })()
  let deeds = 0
  while (running) {
    const actor = pick([alice, bob])
    await act({ actor, other: actor === alice ? bob : alice, posts, chance, pick })
    deeds += 1
    await wait(PAUSE_MS)
    // The limit of three hours is for people, and these two are many.
    if (posts.length > 200) break
  }
  await killing
  step(`${deeds} deeds and ${posts.length} posts were acknowledged`)
  await until(
    'both servers to hold the same',
    () =>
      agree(posts, { alice, bob }).then(
        () => true,
        () => false,
      ),
    { seconds: AGREE_SECONDS },
  ).catch(() => {})
  await agree(posts, { alice, bob })
  step('Both servers hold what was acknowledged: nothing is missing, nothing is there twice')
}

async function meet(pair: Pair): Promise<[Actor, Actor]> {
  const settle = async (server: Server, name: string, domain: string): Promise<Actor> => {
    await server.run('accounts', 'create', name, '--email', `${name}@mail.example`, '--confirmed', '--approved')
    const tokens: string[] = []
    while (tokens.length < TOKENS) tokens.push(await server.run('tokens', 'create', name))
    return { name, handle: `${name}@${domain}`, server, tokens, otherId: '', removals: 0 }
  }
  const [alice, bob] = await Promise.all([settle(pair.a, 'alice', 'a.test'), settle(pair.b, 'bob', 'b.test')])
  for (const [actor, other] of [
    [alice, bob],
    [bob, alice],
  ] as const) {
    const { body } = await send<{ accounts: { id: string }[] }>(
      actor,
      'GET',
      `/api/v2/search?q=${other.handle}&resolve=true&type=accounts`,
    )
    actor.otherId = body.accounts[0]!.id
    await send(actor, 'POST', `/api/v1/accounts/${actor.otherId}/follow`)
    await until('the follow', async () => {
      const answer = await send<{ following: boolean; requested: boolean }[]>(
        actor,
        'GET',
        `/api/v1/accounts/relationships?id[]=${actor.otherId}`,
      )
      return answer.body[0]!.following && !answer.body[0]!.requested
    })
  }
  return [alice, bob]
}

interface Scene {
  actor: Actor
  other: Actor
  posts: Post[]
  chance(n: number): number
  pick<T>(list: readonly T[]): T
}

/** The actor's own copy of a post of the other, once it has arrived. */
async function copyOf(actor: Actor, post: Post): Promise<Status | undefined> {
  const { body } = await send<Status[]>(actor, 'GET', `/api/v1/accounts/${actor.otherId}/statuses?limit=40`)
  return body.find(({ uri }) => uri === post.uri)
}

async function act(scene: Scene): Promise<void> {
  const { actor, other, posts, chance, pick } = scene
  const theirs = posts.filter(({ author, deleted }) => author === other && !deleted).slice(-15)
  const own = posts.filter(({ author, deleted }) => author === actor && !deleted)
  const deed = chance(10)
  if (deed < 4 || theirs.length === 0) return post(scene)
  if (deed === 4 && own.length > 3 && actor.removals < MAX_REMOVALS) return remove(actor, pick(own))
  if (deed === 5 && own.length > 0) return edit(actor, pick(own), chance)
  const target = pick(theirs)
  const copy = await copyOf(actor, target)
  if (!copy || target.deleted) return
  if (deed < 8) {
    const answer = await send(
      actor,
      'POST',
      `/api/v1/statuses/${copy.id}/${target.favourited ? 'unfavourite' : 'favourite'}`,
    )
    if (answer.status === 200) target.favourited = !target.favourited
  } else if (target.visibility === 'public' || target.visibility === 'unlisted') {
    if (target.boosted && (actor.removals += 1) > MAX_REMOVALS) return
    const answer = await send(actor, 'POST', `/api/v1/statuses/${copy.id}/${target.boosted ? 'unreblog' : 'reblog'}`)
    if (answer.status === 200) target.boosted = !target.boosted
  }
}

async function post({ actor, other, posts, chance, pick }: Scene): Promise<void> {
  const visibility = pick(['public', 'public', 'unlisted', 'private', 'direct'])
  const text = `${actor.name} ${posts.length} ${chance(1_000_000)}`
  const status = visibility === 'direct' ? `@${other.handle} ${text}` : text
  const { status: code, body } = await send<Status>(actor, 'POST', '/api/v1/statuses', { status, visibility })
  assert.equal(code, 200)
  posts.push({
    author: actor,
    id: body.id,
    uri: body.uri,
    text,
    visibility,
    deleted: false,
    favourited: false,
    boosted: false,
  })
}

async function edit(actor: Actor, target: Post, chance: (n: number) => number): Promise<void> {
  if (target.visibility === 'direct') return
  const text = `${target.text} edited ${chance(1_000_000)}`
  const { status } = await send(actor, 'PUT', `/api/v1/statuses/${target.id}`, { status: text })
  if (status === 200) target.text = text
}

async function remove(actor: Actor, target: Post): Promise<void> {
  actor.removals += 1
  // Sent again after a kill it finds nothing: that is the answer of a deletion that was done.
  const { status } = await send(actor, 'DELETE', `/api/v1/statuses/${target.id}`)
  assert.ok(status === 200 || status === 404)
  target.deleted = true
}

/** @throws AssertionError that says where the servers differ from what they acknowledged */
async function agree(posts: Post[], { alice, bob }: { alice: Actor; bob: Actor }): Promise<void> {
  for (const [author, reader] of [
    [alice, bob],
    [bob, alice],
  ] as const) {
    const mine = posts.filter((one) => one.author === author)
    const alive = mine.filter(({ deleted }) => !deleted)
    const copies = (await everyPage(reader, `/api/v1/accounts/${reader.otherId}/statuses`)).filter(
      ({ reblog }) => !reblog,
    )
    assert.deepEqual(
      copies.map(({ uri }) => uri).toSorted(),
      alive.map(({ uri }) => uri).toSorted(),
      `copies of ${author.name}'s posts`,
    )
    const home = await everyPage(reader, '/api/v1/timelines/home')
    assert.equal(new Set(home.map(({ id }) => id)).size, home.length, 'the home timeline has something twice')
    const originals = await byIds(
      author,
      alive.map(({ id }) => id),
    )
    for (const one of alive) {
      const [original, copy] = [originals, copies].map((list) => list.find(({ uri }) => uri === one.uri))
      const expected = { text: true, favourites: one.favourited ? 1 : 0, boosts: one.boosted ? 1 : 0 }
      const tell = (status: Status | undefined) => ({
        text: status?.content.includes(one.text),
        favourites: status?.favourites_count,
        boosts: status?.reblogs_count,
      })
      assert.deepEqual(tell(original), expected, `${one.uri} on its own server`)
      assert.deepEqual(tell(copy), expected, `${one.uri} on the other server`)
      assert.deepEqual([copy?.favourited, copy?.reblogged], [one.favourited, one.boosted])
      assert.ok(
        home.some(({ uri }) => uri === one.uri),
        `${one.uri} is missing in the home timeline of ${reader.name}`,
      )
    }
    await agreeOnNotifications(author, alive)
  }
}

async function agreeOnNotifications(author: Actor, alive: Post[]): Promise<void> {
  for (const [type, done] of [
    ['favourite', (one: Post) => one.favourited],
    ['reblog', (one: Post) => one.boosted],
  ] as const) {
    const told = (await everyPage(author, `/api/v1/notifications?types[]=${type}`)) as unknown as { status: Status }[]
    const expected = alive.filter(done).map(({ id }) => id)
    assert.deepEqual(
      told.map(({ status }) => status.id).toSorted(),
      expected.toSorted(),
      `${type} notifications of ${author.name}`,
    )
  }
}
