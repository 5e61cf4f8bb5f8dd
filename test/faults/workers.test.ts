// Slow: starts servers, and kills or stops them under load.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { everyJob } from '../every-job.ts'
import { createPerson } from '../create-person.ts'
import type { CreatedPerson } from '../create-person.ts'
import { eventually } from '../linnet.ts'
import { runCommand } from '../run-command.ts'
import { cloneDatabase } from '../postgres.ts'
import { gatherFollowers } from './gather-followers.ts'
import { createRig } from './rig.ts'
import { checkConsequences, countOpenJobs, findStranded } from './verdict.ts'

const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 1)

/** Promised: a dead worker's jobs are somebody else's after so long. */
const TAKEOVER_MS = 10_000

const POSTS = 20
const JOBS_AT_ONCE = 10

const database = await cloneDatabase()
const web = await createRig({ only: 'web', connection: database.connection })
const workers = [
  await createRig({ only: 'worker', connection: database.connection, beside: web }),
  await createRig({ only: 'worker', connection: database.connection, beside: web }),
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

async function post({ token }: CreatedPerson, status: string): Promise<void> {
  const response = await fetch(`${web.origin}/api/v1/statuses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ status }),
  })
  assert.equal(response.status, 200)
  await response.json()
}

async function countHeldJobs(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${everyJob} j where locked_by is not null`.execute(db)
  return rows[0]!.count
}

const star = await createPerson(app.ctx, { username: 'star' })
const audience = await gatherFollowers(app.ctx, { accountId: star.accountId, count: 500 })

for (let round = 1; round <= ROUNDS; round += 1) {
  const [first, second] = round % 2 === 1 ? [workers[0]!, workers[1]!] : [workers[1]!, workers[0]!]
  test(`F3 another process takes over what a killed worker held (${round})`, async (t) => {
    if (round === 1) await first.start()
    // While somebody else holds the table, nobody's feed can be written: the worker is in the middle of its jobs.
    const release = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const blocking = db.transaction().execute(async (trx) => {
      await sql`lock table feed_entries in exclusive mode`.execute(trx)
      held.resolve()
      await release.promise
    })
    await held.promise
    try {
      for (let n = 0; n < POSTS; n += 1) await post(star, `${round}.${n} @${audience[n]!}`)
      await eventually(async () => assert.ok((await countHeldJobs()) >= JOBS_AT_ONCE))
      await second.start()
      await first.kill()
    } finally {
      release.resolve()
      await blocking
    }
    const killed = performance.now()
    await eventually(async () => assert.deepEqual(await findStranded(db), []))
    const takeover = performance.now() - killed
    assert.ok(takeover < TAKEOVER_MS, `it took ${takeover.toFixed(0)} ms`)
    await eventually(async () => assert.equal(await countOpenJobs(db), 0))
    await checkConsequences(db)
    t.diagnostic(`taken over after ${(takeover / 1000).toFixed(1)} s`)
  })

  test(`F17 a job that fails each time is dead and shows why, an unknown one is kept, and others flow (${round})`, async () => {
    const poison = `poison ${round}`
    await sql`
      select graphile_worker.add_job('addToFeeds', json_build_object('statusId', ${poison}::text), max_attempts := 2),
        graphile_worker.add_job(${`effectOfTomorrow${round}`}::text, '{}')`.execute(db)
    await post(star, `beside the poison ${round}`)
    await eventually(async () => {
      const dead = await runCommand(['jobs', 'list', '--state', 'dead'], web.env)
      assert.match(
        dead.stdout,
        new RegExp(`^\\d+ +dead +addToFeeds +2/2 .* invalid input syntax for type bigint: "${poison}"$`, 'm'),
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
