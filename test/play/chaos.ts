import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { createRandom } from '../random.ts'
import { agree } from './agreement.ts'
import type { Post } from './agreement.ts'
import { meet, send } from './correspondent.ts'
import type { Actor, Status } from './correspondent.ts'
import type { Pair } from './pair.ts'
import { step } from './step.ts'
import { until } from './until.ts'

/** How long both servers may take to agree after the last kill. */
const AGREE_SECONDS = 180

/** So many deletions and undone boosts a person may make in half an hour. */
const MAX_REMOVALS = 14

/** Between two deeds: people are quick here, not endless. */
const PAUSE_MS = 120

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
  const since = performance.now()
  const agreed = () =>
    agree(posts, { alice, bob }).then(
      () => true,
      () => false,
    )
  await until('agreement', agreed, { seconds: AGREE_SECONDS, pauseMs: 3_000 }).catch(() => {})
  await agree(posts, { alice, bob })
  const seconds = ((performance.now() - since) / 1000).toFixed(0)
  step(`After ${seconds} s both servers hold what was acknowledged: nothing is missing, nothing is there twice`)
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
