// Slow: starts servers, and kills or stops them under load.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { sql } from 'kysely'
import { everyJob } from '../every-job.ts'
import { createPerson } from '../create-person.ts'
import type { CreatedPerson } from '../create-person.ts'
import { eventually } from '../linnet.ts'
import { cloneDatabase } from '../postgres.ts'
import { chooseSeed, createRandom } from '../random.ts'
import { gatherFollowers } from './gather-followers.ts'
import { createRig } from './rig.ts'
import type { Rig } from './rig.ts'
import { checkConsequences, countOpenJobs } from './verdict.ts'
import type { BuilderDb } from '../query-builder.ts'

const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 1)
const ACTORS = 8
/** Nothing that these tests begin takes long, so the 25 s that a stop may last are never needed. */
const STOP_MS = 8_000

async function openStage(t: TestContext): Promise<{ rig: Rig; db: BuilderDb; actors: CreatedPerson[] }> {
  const database = await cloneDatabase()
  const rig = await createRig({ connection: database.connection })
  await rig.start()
  const { app, close } = await rig.open()
  t.after(async () => {
    await close()
    await rig.close()
    await database.drop()
  })
  const actors: CreatedPerson[] = []
  for (let n = 0; n < ACTORS; n += 1) actors.push(await createPerson(app.ctx, { username: `actor${n}` }))
  await gatherFollowers(app.ctx, { accountId: actors[0]!.accountId, count: 1_000 })
  return { rig, db: app.ctx.db, actors }
}

async function post(rig: Rig, { token }: CreatedPerson, status: string): Promise<number> {
  const response = await fetch(`${rig.origin}/api/v1/statuses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ status }),
  })
  await response.arrayBuffer()
  return response.status
}

async function readTexts(db: BuilderDb): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`select text from statuses order by text collate "C"`.execute(db)
  return rows.map((row) => row.text)
}

async function countHeldJobs(db: BuilderDb): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${everyJob} j where locked_by is not null`.execute(db)
  return rows[0]!.count
}

for (let round = 1; round <= ROUNDS; round += 1) {
  test(`F21 a stop under load answers what it did, does what it answered, and ends with 0 (${round})`, async (t) => {
    const random = createRandom(chooseSeed())
    t.diagnostic(`FAULT_SEED=${random.seed}`)
    const { rig, db, actors } = await openStage(t)
    const answered: string[] = []
    const refused: number[] = []
    const playing = actors.map(async (actor, place) => {
      for (let n = 0; ; n += 1) {
        const text = `${place}-${n}`
        const status = await post(rig, actor, text).catch(() => null)
        if (status === 200) answered.push(text)
        else if (status !== null) refused.push(status)
        if (status !== 200) return
      }
    })
    const { code, stderr, ms } = await rig.stop({ afterMs: random.between(300, 1_500) })
    await Promise.all(playing)

    assert.deepEqual([code, stderr], [0, ''])
    assert.ok(ms < STOP_MS, `it took ${ms.toFixed(0)} ms`)
    // Neither is an answer without its post, nor a post without its answer.
    assert.deepEqual(await readTexts(db), answered.toSorted())
    assert.deepEqual(
      [...new Set(refused)].filter((status) => status !== 503),
      [],
    )
    assert.equal(await countHeldJobs(db), 0)
    const left = await countOpenJobs(db)
    await rig.start()
    await eventually(async () => assert.equal(await countOpenJobs(db), 0))
    await checkConsequences(db)
    t.diagnostic(`${answered.length} posts; stopped in ${(ms / 1000).toFixed(1)} s; ${left} jobs left for later`)
  })
}

test('F21 a request that was begun before the stop is answered', async (t) => {
  const { rig, db, actors } = await openStage(t)
  const release = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const blocking = db.transaction().execute(async (trx) => {
    await sql`lock table statuses in exclusive mode`.execute(trx)
    held.resolve()
    await release.promise
  })
  await held.promise
  const posting = post(rig, actors[0]!, 'slow')
  await eventually(async () => {
    const { rows } = await sql`select from pg_locks where not granted and relation = 'statuses'::regclass`.execute(db)
    assert.equal(rows.length, 1)
  })
  const stopping = rig.stop()
  await rig.says(/^Stopping$/m)
  release.resolve()
  await blocking
  assert.equal(await posting, 200)
  const { code, ms } = await stopping
  assert.equal(code, 0)
  // A client that keeps its connection open does not hold up the end.
  assert.ok(ms < STOP_MS, `it took ${ms.toFixed(0)} ms`)
  assert.deepEqual(await readTexts(db), ['slow'])
})
