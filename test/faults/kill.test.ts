// Slow: starts servers, and kills or stops them under load.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { createPerson } from '../create-person.ts'
import type { CreatedPerson } from '../create-person.ts'
import { eventually } from '../linnet.ts'
import { chooseSeed, createRandom } from '../random.ts'
import { play, Promises } from './actors.ts'
import { watchHome } from './fan.ts'
import { gatherFollowers } from './gather-followers.ts'
import { createRig } from './rig.ts'
import type { Rig } from './rig.ts'
import { checkConsequences, checkPromises, countLeftJobs, countOpenJobs, findStranded } from './verdict.ts'

const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 1)

const ACTORS = 8
/** How long each life of the server lasts at most; in the longest it begins what its predecessors left undone. */
const LIVES_MS = [1_500, 1_500, 6_000, 1_500, 1_500]

/** More than one statement writes at once, so that a kill may fall between two. */
const FOLLOWERS = 2_500

/** Promised: a dead worker's jobs are somebody else's after so long. */
const TAKEOVER_MS = 10_000

interface Cast {
  actors: CreatedPerson[]
  fan: CreatedPerson
  audience: string[]
}

/** Actors, the first of whom has thousands of followers, and a fan among these. */
async function cast(rig: Rig): Promise<Cast> {
  const { app, close } = await rig.open()
  try {
    const { ctx } = app
    const actors: CreatedPerson[] = []
    for (let n = 0; n < ACTORS; n += 1) actors.push(await createPerson(ctx, { username: `actor${n}` }))
    const fan = await createPerson(ctx, { username: 'fan' })
    const [star] = actors
    const audience = await gatherFollowers(ctx, {
      accountId: star!.accountId,
      count: FOLLOWERS,
      others: [fan.accountId],
    })
    return { actors, fan, audience: audience.slice(0, 200) }
  } finally {
    await close()
  }
}

/** Right after a start: the jobs that the killed process held. */
async function countInterrupted(rig: Rig): Promise<number> {
  const { app, close } = await rig.open()
  const stranded = await findStranded(app.ctx.db)
  await close()
  return stranded.length
}

async function killAtRandom(t: TestContext, rig: Rig): Promise<void> {
  const random = createRandom(chooseSeed())
  t.diagnostic(`FAULT_SEED=${random.seed}`)
  await rig.start()
  const { actors, fan, audience } = await cast(rig)
  const promises = new Promises()
  const { origin } = rig
  let over = false
  const watcher = watchHome({ origin, token: fan.token, up: rig.up })
  const playing = play({ origin, people: actors, audience, random, promises, up: rig.up, isOver: () => over })
  t.after(async () => {
    over = true
    await Promise.allSettled([playing, watcher.stop()])
  })

  const interrupted: number[] = []
  for (const longest of LIVES_MS) {
    await Promise.race([playing, rig.kill({ afterMs: random.between(100, longest) })])
    await rig.start()
    interrupted.push(await countInterrupted(rig))
  }
  const lastStart = performance.now()
  over = true
  await playing

  const { app, close } = await rig.open()
  const { db } = app.ctx
  try {
    await eventually(async () => assert.deepEqual(await findStranded(db), []))
    const takeover = performance.now() - lastStart
    assert.ok(takeover < TAKEOVER_MS, `the jobs of the killed process were taken over after ${takeover.toFixed(0)} ms`)
    await eventually(async () => assert.equal(await countOpenJobs(db), 0))
    const posts = [...promises.posts.values()].filter(({ by }) => by === actors[0]!.accountId)
    await eventually(async () =>
      assert.deepEqual(
        posts.filter(({ id }) => !watcher.seen.has(id)),
        [],
        'what neither the stream nor the timeline brought',
      ),
    )
    await checkPromises(db, { promises, actorIds: actors.map((actor) => actor.accountId) })
    await checkConsequences(db)
    assert.equal(await countLeftJobs(db), 0, 'a job is dead or parked')
    assert.ok(watcher.breaks >= LIVES_MS.length)
    t.diagnostic(
      `${promises.posts.size} posts, ${promises.favourites.size} favourites, ${promises.boosts.size} boosts, ` +
        `${promises.follows.size} follows, ${promises.deleted.size} deletions; ${promises.retries} answers lost; ` +
        `jobs interrupted by each kill: ${interrupted.join(', ')}; taken over after ${(takeover / 1000).toFixed(1)} s`,
    )
  } finally {
    await close()
  }
}

for (let round = 1; round <= ROUNDS; round += 1) {
  test(`F1 F2 F3 F5 what was answered with 2xx is there once, with all that follows, after ${LIVES_MS.length} kills (${round})`, async (t) => {
    const rig = await createRig()
    t.after(rig.close)
    await killAtRandom(t, rig)
  })
}
