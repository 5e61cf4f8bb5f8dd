// Slow: starts servers, and kills or stops them under load.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { createUser } from '../servers/create-user.ts'
import type { CreatedUser } from '../servers/create-user.ts'
import { eventually } from '../servers/linnet-process.ts'
import { chooseSeed, createRandom } from '../oracles/random.ts'
import { runRandomUsers, AcknowledgedState } from './support/random-users.ts'
import { watchHome } from './support/home-watcher.ts'
import { createFollowers } from './support/create-followers.ts'
import { createServerProcess } from './support/server-process.ts'
import type { ServerProcess } from './support/server-process.ts'
import {
  checkConsequences,
  checkAcknowledged,
  countRemainingJobs,
  countOpenJobs,
  findJobsOfDeadWorkers,
} from './support/check-consistency.ts'

const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 1)

const ACTORS = 8
/** The longest time that the server runs before each kill; in the longest run it continues interrupted jobs. */
const RUNS_MS = [1_500, 1_500, 6_000, 1_500, 1_500]

/** More followers than one statement writes, so that a kill may happen between two statements. */
const FOLLOWERS = 2_500

/** Another worker must take over the jobs of a dead worker within this time. */
const TAKEOVER_MS = 10_000

interface TestUsers {
  actors: CreatedUser[]
  fan: CreatedUser
  audience: string[]
}

/** Creates actors, the first of whom has thousands of followers, and a fan among these. */
async function createTestUsers(rig: ServerProcess): Promise<TestUsers> {
  const { app, close } = await rig.open()
  try {
    const { ctx } = app
    const actors: CreatedUser[] = []
    for (let n = 0; n < ACTORS; n += 1) actors.push(await createUser(ctx, { username: `actor${n}` }))
    const follower = await createUser(ctx, { username: 'fan' })
    const [star] = actors
    const audience = await createFollowers(ctx, {
      accountId: star!.accountId,
      count: FOLLOWERS,
      others: [follower.accountId],
    })
    return { actors, fan: follower, audience: audience.slice(0, 200) }
  } finally {
    await close()
  }
}

/** Returns the number of jobs that the killed process had locked. */
async function countInterrupted(rig: ServerProcess): Promise<number> {
  const { app, close } = await rig.open()
  const jobs = await findJobsOfDeadWorkers(app.ctx.db)
  await close()
  return jobs.length
}

async function killAtRandom(t: TestContext, rig: ServerProcess): Promise<void> {
  const random = createRandom(chooseSeed())
  t.diagnostic(`FAULT_SEED=${random.seed}`)
  await rig.start()
  const { actors, fan: follower, audience } = await createTestUsers(rig)
  const acknowledged = new AcknowledgedState()
  const { origin } = rig
  let over = false
  const watcher = watchHome({ origin, token: follower.token, waitUntilReady: rig.waitUntilReady })
  const activity = runRandomUsers({
    origin,
    users: actors,
    audience,
    random,
    acknowledged,
    waitUntilReady: rig.waitUntilReady,
    isOver: () => over,
  })
  t.after(async () => {
    over = true
    await Promise.allSettled([activity, watcher.stop()])
  })

  const interrupted: number[] = []
  for (const longest of RUNS_MS) {
    await Promise.race([activity, rig.kill({ afterMs: random.between(100, longest) })])
    await rig.start()
    interrupted.push(await countInterrupted(rig))
  }
  const lastStart = performance.now()
  over = true
  await activity

  const { app, close } = await rig.open()
  const { db } = app.ctx
  try {
    await eventually(async () => assert.deepEqual(await findJobsOfDeadWorkers(db), []))
    const takeover = performance.now() - lastStart
    assert.ok(takeover < TAKEOVER_MS, `the jobs of the killed process were taken over after ${takeover.toFixed(0)} ms`)
    await eventually(async () => assert.equal(await countOpenJobs(db), 0))
    const posts = [...acknowledged.posts.values()].filter(({ by }) => by === actors[0]!.accountId)
    await eventually(async () =>
      assert.deepEqual(
        posts.filter(({ id }) => !watcher.seen.has(id)),
        [],
        'posts that neither the stream nor the timeline contained',
      ),
    )
    await checkAcknowledged(db, { acknowledged, actorIds: actors.map((actor) => actor.accountId) })
    await checkConsequences(db)
    assert.equal(await countRemainingJobs(db), 0, 'a job is dead or parked')
    assert.ok(watcher.breaks >= RUNS_MS.length)
    t.diagnostic(
      `${acknowledged.posts.size} posts, ${acknowledged.favourites.size} favourites, ${acknowledged.reblogs.size} reblogs, ` +
        `${acknowledged.follows.size} follows, ${acknowledged.deleted.size} deletions; ${acknowledged.retries} responses lost; ` +
        `jobs interrupted by each kill: ${interrupted.join(', ')}; taken over after ${(takeover / 1000).toFixed(1)} s`,
    )
  } finally {
    await close()
  }
}

for (let round = 1; round <= ROUNDS; round += 1) {
  test(`F1 F2 F3 F5 every request answered with 2xx took effect once, with all its effects, after ${RUNS_MS.length} kills (${round})`, async (t) => {
    const rig = await createServerProcess()
    t.after(rig.close)
    await killAtRandom(t, rig)
  })
}
