// Slow: starts servers, and kills or stops them under load.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { sql } from 'kysely'
import { QUEUES, SCHEMAS } from '../../src/platform/jobs/queues.ts'
import { createPerson } from '../create-person.ts'
import type { CreatedPerson } from '../create-person.ts'
import { eventually } from '../linnet.ts'
import { chooseSeed, createRandom } from '../random.ts'
import type { Random } from '../random.ts'
import { openSocket } from '../streams.ts'
import { play, Promises } from './actors.ts'
import { openExternalPostgres } from './external-postgres.ts'
import { gatherFollowers } from './gather-followers.ts'
import { killableEmbedded } from './kill-embedded.ts'
import type { KillableDatabase } from './kill-embedded.ts'
import { createRig } from './rig.ts'
import type { Rig } from './rig.ts'
import { checkUpload, uploadRepeatedly } from './uploads.ts'
import { checkConsequences, checkPromises, countLeftJobs, countOpenJobs } from './verdict.ts'
import { visitRepeatedly } from './visitors.ts'
import type { Visit } from './visitors.ts'
import type { BuilderDb } from '../query-builder.ts'

const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 1)

/** Required of the server: it answers again this long after the database accepts connections. */
const RECOVERY_MS = 10_000

/** Enough of them, and slow enough, to stay below the throttles of a token during twenty rounds. */
const ACTORS = 40
const PAUSE_MS = 300

interface Cast {
  actors: CreatedPerson[]
  reader: CreatedPerson
  audience: string[]
}

async function createCast(rig: Rig): Promise<Cast> {
  const { app, close } = await rig.open()
  try {
    const actors: CreatedPerson[] = []
    for (let n = 0; n < ACTORS; n += 1) actors.push(await createPerson(app.ctx, { username: `actor${n}` }))
    const reader = await createPerson(app.ctx, { username: 'reader' })
    const audience = await gatherFollowers(app.ctx, {
      accountId: actors[0]!.accountId,
      count: 100,
      others: [reader.accountId],
    })
    return { actors, reader, audience }
  } finally {
    await close()
  }
}

/** Addresses of all kinds of answers: the API, pages, documents for servers, health checks. */
function visitsOf({ actors, reader }: Cast, { domain }: { domain: string }): Visit[] {
  const html = { accept: 'text/html' }
  const activity = { accept: 'application/activity+json' }
  const { token } = reader
  return [
    { path: '/api/v1/timelines/home', token },
    { path: '/', headers: html },
    { path: '/health' },
    { path: '/@actor0', headers: html },
    { path: '/api/v1/notifications', token: actors[0]!.token },
    { path: '/metrics' },
    { path: `/ap/users/${actors[0]!.accountId}`, headers: activity },
    { path: '/readyz' },
    { path: `/.well-known/webfinger?resource=acct:actor0@${domain}` },
    { path: '/nodeinfo/2.0' },
    { path: '/auth/sign_in', headers: html },
    {
      path: '/inbox',
      method: 'POST',
      headers: { 'content-type': 'application/activity+json' },
      body: JSON.stringify({ id: 'https://remote.test/1', type: 'Like', actor: 'https://remote.test/2' }),
    },
  ]
}

/** Resolves with the milliseconds until `/health` of every process is 200. */
async function measureRecovery(rigs: readonly Rig[]): Promise<number> {
  const start = performance.now()
  await Promise.all(
    rigs.map((rig) =>
      eventually(async () => {
        const { status } = await fetch(`${rig.origin}/health`)
        assert.equal(status, 200)
      }),
    ),
  )
  return performance.now() - start
}

/** A job that failed while the database was away waits longer than the test should. */
async function retryJobsNow(db: BuilderDb): Promise<void> {
  for (const queue of QUEUES) {
    await sql`
      update ${sql.table(`${SCHEMAS[queue]}._private_jobs`)} set run_at = now()
      where attempts > 0 and locked_at is null and run_at > now()`.execute(db)
  }
}

/** Kills the database again and again while users write and read, and checks what was promised to them. */
async function killRepeatedly(
  t: TestContext,
  { rig, others, database, random }: { rig: Rig; others: readonly Rig[]; database: KillableDatabase; random: Random },
): Promise<void> {
  t.diagnostic(`FAULT_SEED=${random.seed}`)
  const rigs = [rig, ...others]
  const cast = await createCast(rig)
  const { actors, reader, audience } = cast
  const { origin } = rig
  const promises = new Promises()
  const visitors = visitRepeatedly(origin, visitsOf(cast, { domain: rig.env['LOCAL_DOMAIN']! }))
  const sockets = await Promise.all(
    rigs.filter(({ only }) => only !== 'worker').map((one) => openSocket(one.origin, { token: reader.token })),
  )
  for (const socket of sockets) await socket.subscribe('user')

  let over = false
  let ended: string | null = null
  for (const { ended: end } of rigs) void end.then(({ stdout, stderr }) => (ended = stdout + stderr))
  const up = async () => assert.equal(ended, null, 'every process is still alive')
  const isOver = () => over
  const playing = Promise.all([
    uploadRepeatedly({ origin, people: actors, random, isOver }),
    play({ origin, people: actors, audience, random, promises, up, isOver, pauseMs: PAUSE_MS }),
    visitors.done,
  ])
  t.after(async () => {
    over = true
    visitors.stop()
    for (const { ws } of sockets) ws.terminate()
    await Promise.allSettled([playing])
  })

  const outages: number[] = []
  const recoveries: number[] = []
  const runRounds = async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      // Sometimes sooner than the workers have begun again.
      const moment = { afterMs: random.between(500, 3_000), downMs: random.between(100, 1_500) }
      const start = performance.now()
      await database.kill(moment)
      const recovery = await measureRecovery(rigs)
      assert.ok(recovery < RECOVERY_MS, `the server answered ${recovery.toFixed(0)} ms after the database`)
      await up()
      recoveries.push(recovery)
      outages.push(performance.now() - start - moment.afterMs)
    }
    over = true
    visitors.stop()
  }
  await Promise.race([runRounds(), playing])
  const [uploads] = await playing
  await up()
  assert.equal(promises.retries, 0, 'every request was answered')

  for (const one of uploads) await checkUpload(origin, one)
  const { app, close } = await rig.open()
  const { db } = app.ctx
  try {
    await eventually(async () => {
      await retryJobsNow(db)
      assert.equal(await countOpenJobs(db), 0)
    })
    await checkPromises(db, { promises, actorIds: actors.map((actor) => actor.accountId) })
    await checkConsequences(db)
    assert.equal(await countLeftJobs(db), 0, 'a job is dead or parked')
  } finally {
    await close()
  }

  // The streams are connected to the bus again, and no socket was closed.
  for (const { received } of sockets) received.length = 0
  const last = await fetch(`${origin}/api/v1/statuses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${actors[0]!.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ status: 'the last' }),
  })
  assert.equal(last.status, 200)
  for (const { received } of sockets) {
    await eventually(async () => assert.ok(received.some(({ payload }) => payload.includes('the last'))))
  }
  t.diagnostic(
    `${ROUNDS} kills; ${promises.answered} writes answered, ${promises.unavailable} refused with 503; ` +
      `${uploads.length} uploads accepted; ` +
      `other requests by status: ${JSON.stringify(visitors.counts)}; ` +
      `the server answered ${Math.max(...recoveries).toFixed(0)} ms after the database at the latest, ` +
      `and ${Math.max(...outages).toFixed(0)} ms after the kill`,
  )
}

test(`F7 requests get 503 while the embedded PostgreSQL is killed ${ROUNDS} times, and nothing acknowledged is lost`, async (t) => {
  const random = createRandom(chooseSeed())
  const rig = await createRig()
  t.after(rig.close)
  await rig.start()
  const database = killableEmbedded({ dataDir: rig.env['DATA_DIR']! })
  await killRepeatedly(t, { rig, others: [], database, random })
})

test(`F7 the same with an external PostgreSQL that is killed ${ROUNDS} times, and processes of all parts`, async (t) => {
  const random = createRandom(chooseSeed())
  const postgres = await openExternalPostgres()
  const connection = { connectionString: postgres.url }
  const rig = await createRig({ connection })
  const others = [
    await createRig({ connection, beside: rig, only: 'worker' }),
    await createRig({ connection, beside: rig, only: 'streaming' }),
  ]
  t.after(async () => {
    for (const one of [...others, rig]) await one.close()
    await postgres.close()
  })
  await rig.start()
  await Promise.all(others.map((one) => one.start()))
  await killRepeatedly(t, { rig, others, database: postgres, random })
})
