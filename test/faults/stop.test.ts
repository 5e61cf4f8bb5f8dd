// Slow: starts servers, and kills or stops them under load.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { sql } from 'kysely'
import { createUser } from '../servers/create-user.ts'
import type { CreatedUser } from '../servers/create-user.ts'
import { eventually } from '../servers/linnet-process.ts'
import { cloneDatabase } from '../services/database/test-database.ts'
import { chooseSeed, createRandom } from '../oracles/random.ts'
import { createFollowers } from './support/create-followers.ts'
import { createServerProcess } from './support/server-process.ts'
import type { ServerProcess } from './support/server-process.ts'
import { checkConsequences, countOpenJobs } from './support/check-consistency.ts'
import type { BuilderDb } from '../query-builder.ts'

const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 1)
const ACTORS = 8
/** The jobs and requests of these tests are short, so a stop never needs the 25 s that it may take. */
const STOP_MS = 8_000

async function startServer(t: TestContext): Promise<{ rig: ServerProcess; db: BuilderDb; actors: CreatedUser[] }> {
  const database = await cloneDatabase()
  const rig = await createServerProcess({ connection: database.connection })
  await rig.start()
  const { app, close } = await rig.open()
  t.after(async () => {
    await close()
    await rig.close()
    await database.drop()
  })
  const actors: CreatedUser[] = []
  for (let n = 0; n < ACTORS; n += 1) actors.push(await createUser(app.ctx, { username: `actor${n}` }))
  await createFollowers(app.ctx, { accountId: actors[0]!.accountId, count: 1_000 })
  return { rig, db: app.ctx.db, actors }
}

async function post(rig: ServerProcess, { token }: CreatedUser, status: string): Promise<number> {
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

async function countLockedJobs(db: BuilderDb): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from jobs j where locked_by is not null`.execute(db)
  return rows[0]!.count
}

for (let round = 1; round <= ROUNDS; round += 1) {
  test(`F21 a server stopped under load answers each committed post, has committed each answered post, and exits with 0 (${round})`, async (t) => {
    const random = createRandom(chooseSeed())
    t.diagnostic(`FAULT_SEED=${random.seed}`)
    const { rig, db, actors } = await startServer(t)
    const answered: string[] = []
    const rejected: number[] = []
    const posting = actors.map(async (actor, place) => {
      for (let n = 0; ; n += 1) {
        const text = `${place}-${n}`
        const status = await post(rig, actor, text).catch(() => null)
        if (status === 200) answered.push(text)
        else if (status !== null) rejected.push(status)
        if (status !== 200) return
      }
    })
    const { code, stderr, ms } = await rig.stop({ afterMs: random.between(300, 1_500) })
    await Promise.all(posting)

    assert.deepEqual([code, stderr], [0, ''])
    assert.ok(ms < STOP_MS, `it took ${ms.toFixed(0)} ms`)
    // Each answered post exists, and each post was answered.
    assert.deepEqual(await readTexts(db), answered.toSorted())
    assert.deepEqual(
      [...new Set(rejected)].filter((status) => status !== 503),
      [],
    )
    assert.equal(await countLockedJobs(db), 0)
    const remaining = await countOpenJobs(db)
    await rig.start()
    await eventually(async () => assert.equal(await countOpenJobs(db), 0))
    await checkConsequences(db)
    t.diagnostic(`${answered.length} posts; stopped in ${(ms / 1000).toFixed(1)} s; ${remaining} jobs remained`)
  })
}

test('F21 a request that began before the stop is answered', async (t) => {
  const { rig, db, actors } = await startServer(t)
  const release = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const blocking = db.transaction().execute(async (trx) => {
    await sql`lock table statuses in exclusive mode`.execute(trx)
    locked.resolve()
    await release.promise
  })
  await locked.promise
  const posting = post(rig, actors[0]!, 'slow')
  await eventually(async () => {
    // Scheduled jobs may wait for the table, too.
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like 'with given as (%'`.execute(db)
    assert.equal(rows.length, 1)
  })
  const stopping = rig.stop()
  await rig.waitForOutput(/^Stopping$/m)
  release.resolve()
  await blocking
  assert.equal(await posting, 200)
  const { code, ms } = await stopping
  assert.equal(code, 0)
  // The open connection of a client does not delay the stop.
  assert.ok(ms < STOP_MS, `it took ${ms.toFixed(0)} ms`)
  assert.deepEqual(await readTexts(db), ['slow'])
})
