// Slow: starts servers, and kills or stops them under load.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createUser } from '../servers/create-user.ts'
import type { CreatedUser } from '../servers/create-user.ts'
import { eventually } from '../servers/linnet-process.ts'
import { runCommand } from '../run-command.ts'
import { cloneDatabase } from '../services/database/test-database.ts'
import { enqueueJobs } from '../../src/platform/jobs/job-queue.ts'
import { createFollowers } from './support/create-followers.ts'
import { createServerProcess } from './support/server-process.ts'
import { checkConsequences, countOpenJobs, findJobsOfDeadWorkers } from './support/check-consistency.ts'

const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 1)

/** Another worker must take over the jobs of a dead worker within this time. */
const TAKEOVER_MS = 10_000

const POSTS = 20
const JOBS_AT_ONCE = 10

/** After so many rounds, the web server is restarted: a new one has counted no posts towards the rate limit. */
const ROUNDS_PER_SERVER = 10

const database = await cloneDatabase()
const web = await createServerProcess({ only: 'web', connection: database.connection })
const workers = [
  await createServerProcess({ only: 'worker', connection: database.connection, isSecondary: web }),
  await createServerProcess({ only: 'worker', connection: database.connection, isSecondary: web }),
]
await web.start()
const { app, close } = await web.open()
const { db } = app.ctx
after(async () => {
  await close()
  await Promise.all(workers.map((worker) => worker.close()))
  await web.close()
  await database.drop()
})

async function post({ token }: CreatedUser, status: string): Promise<void> {
  const response = await fetch(`${web.origin}/api/v1/statuses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ status }),
  })
  assert.equal(response.status, 200)
  await response.json()
}

async function countLockedJobs(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from jobs j where locked_by is not null`.execute(db)
  return rows[0]!.count
}

const star = await createUser(app.ctx, { username: 'star' })
const audience = await createFollowers(app.ctx, { accountId: star.accountId, count: 500 })

for (let round = 1; round <= ROUNDS; round += 1) {
  const [first, second] = round % 2 === 1 ? [workers[0]!, workers[1]!] : [workers[1]!, workers[0]!]
  test(`F3 another process takes over the jobs of a killed worker (${round})`, async (t) => {
    if (round > 1) await first.stop()
    if (round % ROUNDS_PER_SERVER === 0) {
      await web.stop()
      await web.start()
    }
    // While the test locks the table, no feed can be written, so the worker is killed while its jobs run.
    const release = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const blocking = db.transaction().execute(async (trx) => {
      await sql`lock table feed_entries in exclusive mode`.execute(trx)
      locked.resolve()
      await release.promise
    })
    await locked.promise
    try {
      for (let n = 0; n < POSTS; n += 1) await post(star, `${round}.${n} @${audience[n]!}`)
      // A worker that runs already takes the jobs one by one, and the first ones block the others.
      await first.start()
      await eventually(async () => assert.ok((await countLockedJobs()) >= JOBS_AT_ONCE))
      await second.start()
      await first.kill()
    } finally {
      release.resolve()
      await blocking
    }
    const killed = performance.now()
    await eventually(async () => assert.deepEqual(await findJobsOfDeadWorkers(db), []))
    const takeover = performance.now() - killed
    assert.ok(takeover < TAKEOVER_MS, `it took ${takeover.toFixed(0)} ms`)
    await eventually(async () => assert.equal(await countOpenJobs(db), 0))
    await checkConsequences(db)
    t.diagnostic(`taken over after ${(takeover / 1000).toFixed(1)} s`)
  })

  test(`F17 a job that always fails is dead with its error, an unknown job is parked, and other jobs run (${round})`, async () => {
    const invalidId = `invalid ${round}`
    await enqueueJobs(db, [
      { name: 'fanOutStatus', payload: { statusId: invalidId }, maxAttempts: 2 },
      { name: `effectOfTomorrow${round}`, payload: {}, maxAttempts: 25 },
    ])
    await post(star, `beside the failing job ${round}`)
    await eventually(async () => {
      const dead = await runCommand(['jobs', 'list', '--state', 'dead'], web.env)
      assert.match(
        dead.stdout,
        new RegExp(`^\\d+ +dead +fanOutStatus +2/2 .* invalid input syntax for type bigint: "${invalidId}"$`, 'm'),
      )
    })
    const parked = await runCommand(['jobs', 'list', '--state', 'parked'], web.env)
    assert.match(parked.stdout, new RegExp(`^\\d+ +parked +effectOfTomorrow${round} +0/25 `, 'm'))
    const counts = await runCommand(['jobs'], web.env)
    assert.match(counts.stdout, new RegExp(`^dead +${round}$`, 'm'))
    assert.match(counts.stdout, new RegExp(`^parked +${round}$`, 'm'))
    await checkConsequences(db)
  })
}
