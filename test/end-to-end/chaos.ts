import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { createRandom } from '../oracles/random.ts'
import { checkAgreement } from './check-agreement.ts'
import type { AcknowledgedPost } from './check-agreement.ts'
import { createFollowingUsers, sendUntilAnswered } from './retrying-user.ts'
import type { RetryingUser, Status } from './retrying-user.ts'
import type { ServerPair } from './server-pair.ts'
import { logStep } from './step.ts'
import { until } from './until.ts'

/** The time that both servers may take to agree after the last kill. */
const CONVERGENCE_SECONDS = 180

/** A user may delete and unreblog so many statuses in half an hour. */
const MAX_REMOVALS = 14

/** The pause between two actions. */
const PAUSE_MS = 120

/** Two users perform random actions while the servers are killed repeatedly. */
export async function runChaos(pair: ServerPair, { seed, kills }: { seed: number; kills: number }): Promise<void> {
  const { between: randomBetween, pick } = createRandom(seed)
  const chance = (n: number) => randomBetween(0, n - 1)
  console.log(`seed ${seed}, ${kills} kills`)
  const [alice, bob] = await createFollowingUsers(pair)
  logStep('alice@a.test and bob@b.test follow each other')

  const posts: AcknowledgedPost[] = []
  let running = true
  const killing = (async () => {
    for (let n = 1; n <= kills; n += 1) {
      await wait(200 + chance(1_500))
      const serverToKill = pick([pair.a, pair.b])
      await serverToKill.killAndRestart()
      console.log(
        `    kill ${n}: ${serverToKill === pair.a ? 'a' : 'b'}.test, back after ${serverToKill.seconds.toFixed(1)} s`,
      )
    }
    running = false
  })()
  let actions = 0
  while (running) {
    const actor = pick([alice, bob])
    await performRandomAction({ actor, other: actor === alice ? bob : alice, posts, chance, pick })
    actions += 1
    await wait(PAUSE_MS)
    // Stays below the limit of posts in three hours, which is meant for one person.
    if (posts.length > 200) break
  }
  await killing
  logStep(`${actions} actions and ${posts.length} posts were acknowledged`)
  const since = performance.now()
  const agreed = () =>
    checkAgreement(posts, { alice, bob }).then(
      () => true,
      () => false,
    )
  await until('agreement', agreed, { seconds: CONVERGENCE_SECONDS, pauseMs: 3_000 }).catch(() => {})
  await checkAgreement(posts, { alice, bob })
  const seconds = ((performance.now() - since) / 1000).toFixed(0)
  logStep(`After ${seconds} s both servers have every acknowledged change: nothing is missing, nothing is duplicated`)
}

interface ChaosContext {
  actor: RetryingUser
  other: RetryingUser
  posts: AcknowledgedPost[]
  chance(n: number): number
  pick<T>(list: readonly T[]): T
}

/** Returns the copy of a remote post on the actor's server, or undefined before it has arrived. */
async function remoteCopyOf(actor: RetryingUser, post: AcknowledgedPost): Promise<Status | undefined> {
  const { body } = await sendUntilAnswered<Status[]>(
    actor,
    'GET',
    `/api/v1/accounts/${actor.otherId}/statuses?limit=40`,
  )
  return body.find(({ uri }) => uri === post.uri)
}

async function performRandomAction(context: ChaosContext): Promise<void> {
  const { actor, other, posts, chance, pick } = context
  const remotePosts = posts.filter(({ author, deleted }) => author === other && !deleted).slice(-15)
  const own = posts.filter(({ author, deleted }) => author === actor && !deleted)
  const action = chance(10)
  if (action < 4 || remotePosts.length === 0) return post(context)
  if (action === 4 && own.length > 3 && actor.removals < MAX_REMOVALS) return remove(actor, pick(own))
  if (action === 5 && own.length > 0) return edit(actor, pick(own), chance)
  const target = pick(remotePosts)
  const copy = await remoteCopyOf(actor, target)
  if (!copy || target.deleted) return
  if (action < 8) {
    const answer = await sendUntilAnswered(
      actor,
      'POST',
      `/api/v1/statuses/${copy.id}/${target.favourited ? 'unfavourite' : 'favourite'}`,
    )
    if (answer.status === 200) target.favourited = !target.favourited
  } else if (target.visibility === 'public' || target.visibility === 'unlisted') {
    if (target.reblogged && (actor.removals += 1) > MAX_REMOVALS) return
    const answer = await sendUntilAnswered(
      actor,
      'POST',
      `/api/v1/statuses/${copy.id}/${target.reblogged ? 'unreblog' : 'reblog'}`,
    )
    if (answer.status === 200) target.reblogged = !target.reblogged
  }
}

async function post({ actor, other, posts, chance, pick }: ChaosContext): Promise<void> {
  const visibility = pick(['public', 'public', 'unlisted', 'private', 'direct'])
  const text = `${actor.name} ${posts.length} ${chance(1_000_000)}`
  const status = visibility === 'direct' ? `@${other.handle} ${text}` : text
  const { status: code, body } = await sendUntilAnswered<Status>(actor, 'POST', '/api/v1/statuses', {
    status,
    visibility,
  })
  assert.equal(code, 200)
  posts.push({
    author: actor,
    id: body.id,
    uri: body.uri,
    text,
    visibility,
    deleted: false,
    favourited: false,
    reblogged: false,
  })
}

async function edit(actor: RetryingUser, target: AcknowledgedPost, chance: (n: number) => number): Promise<void> {
  if (target.visibility === 'direct') return
  const text = `${target.text} edited ${chance(1_000_000)}`
  const { status } = await sendUntilAnswered(actor, 'PUT', `/api/v1/statuses/${target.id}`, { status: text })
  if (status === 200) target.text = text
}

async function remove(actor: RetryingUser, target: AcknowledgedPost): Promise<void> {
  actor.removals += 1
  // After a kill the request is repeated; it gets 404 if the first one deleted the status.
  const { status } = await sendUntilAnswered(actor, 'DELETE', `/api/v1/statuses/${target.id}`)
  assert.ok(status === 200 || status === 404)
  target.deleted = true
}
