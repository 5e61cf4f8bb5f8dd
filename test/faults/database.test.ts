// Slow: starts servers, and kills or stops them under load.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { sql } from 'kysely'
import { createUser } from '../servers/create-user.ts'
import type { CreatedUser } from '../servers/create-user.ts'
import { eventually } from '../servers/linnet-process.ts'
import { chooseSeed, createRandom } from '../oracles/random.ts'
import type { Random } from '../oracles/random.ts'
import { openSocket } from '../streaming/streams.ts'
import { runRandomUsers, AcknowledgedState } from './support/random-users.ts'
import { openExternalPostgres } from './support/external-postgres.ts'
import { createFollowers } from './support/create-followers.ts'
import { createKillableEmbedded } from './support/killable-database.ts'
import type { KillableDatabase } from './support/killable-database.ts'
import { createServerProcess } from './support/server-process.ts'
import type { ServerProcess } from './support/server-process.ts'
import { checkUpload, uploadRepeatedly } from './support/uploads.ts'
import { checkConsequences, checkAcknowledged, countRemainingJobs, countOpenJobs } from './support/check-consistency.ts'
import { repeatRequests } from './support/repeat-requests.ts'
import type { RepeatedRequest } from './support/repeat-requests.ts'
import type { BuilderDb } from '../query-builder.ts'

const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 1)

/** The server must respond again this long after the database accepts connections. */
const RECOVERY_MS = 10_000

/** So many users, with this pause in milliseconds, stay below the throttles of a token during all rounds. */
const ACTORS = 2 * Math.max(ROUNDS, 20)
const PAUSE_MS = 15 * Math.max(ROUNDS, 20)

interface TestUsers {
  actors: CreatedUser[]
  reader: CreatedUser
  /** Posts only at the end, so that no throttle applies. The reader follows this user. */
  last: CreatedUser
  audience: string[]
}

async function createTestUsers(rig: ServerProcess): Promise<TestUsers> {
  const { app, close } = await rig.open()
  try {
    const actors: CreatedUser[] = []
    for (let n = 0; n < ACTORS; n += 1) actors.push(await createUser(app.ctx, { username: `actor${n}` }))
    const reader = await createUser(app.ctx, { username: 'reader' })
    const audience = await createFollowers(app.ctx, {
      accountId: actors[0]!.accountId,
      count: 100,
      others: [reader.accountId],
    })
    const last = await createUser(app.ctx, { username: 'last' })
    await createFollowers(app.ctx, { accountId: last.accountId, count: 0, others: [reader.accountId] })
    return { actors, reader, last, audience }
  } finally {
    await close()
  }
}

/** Requests for all kinds of responses: the API, pages, documents for servers, health checks. */
function requestsFor({ actors, reader }: TestUsers, { domain }: { domain: string }): RepeatedRequest[] {
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

/** Returns the milliseconds until `/health` of every process is 200. */
async function measureRecovery(rigs: readonly ServerProcess[]): Promise<number> {
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

/** Makes failed jobs due: after a failure during the outage, their backoff is longer than the test should take. */
async function retryJobsNow(db: BuilderDb): Promise<void> {
  await sql`update jobs set run_at = now() where attempts > 0 and locked_at is null and run_at > now()`.execute(db)
}

/** Kills the database repeatedly while users write and read, and checks that acknowledged writes are there. */
async function killRepeatedly(
  t: TestContext,
  {
    rig,
    others,
    database,
    random,
  }: { rig: ServerProcess; others: readonly ServerProcess[]; database: KillableDatabase; random: Random },
): Promise<void> {
  t.diagnostic(`FAULT_SEED=${random.seed}`)
  const rigs = [rig, ...others]
  const testUsers = await createTestUsers(rig)
  const { actors, reader, last, audience } = testUsers
  const { origin } = rig
  const acknowledged = new AcknowledgedState()
  const repeated = repeatRequests(origin, requestsFor(testUsers, { domain: rig.env['LOCAL_DOMAIN']! }))
  const sockets = await Promise.all(
    rigs.filter(({ only }) => only !== 'worker').map((one) => openSocket(one.origin, { token: reader.token })),
  )
  for (const socket of sockets) await socket.subscribe('user')

  let over = false
  let ended: string | null = null
  for (const { ended: end } of rigs) void end.then(({ stdout, stderr }) => (ended = stdout + stderr))
  const waitUntilReady = async () => assert.equal(ended, null, 'every process still runs')
  const isOver = () => over
  const activity = Promise.all([
    uploadRepeatedly({ origin, users: actors, random, isOver }),
    runRandomUsers({
      origin,
      users: actors,
      audience,
      random,
      acknowledged,
      waitUntilReady,
      isOver,
      pauseMs: PAUSE_MS,
    }),
    repeated.done,
  ])
  t.after(async () => {
    over = true
    repeated.stop()
    for (const { ws } of sockets) ws.terminate()
    await Promise.allSettled([activity])
  })

  const outages: number[] = []
  const recoveries: number[] = []
  const runRounds = async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      // The next kill may come before the workers run again.
      const moment = { afterMs: random.between(500, 3_000), downMs: random.between(100, 1_500) }
      const start = performance.now()
      await database.kill(moment)
      const recovery = await measureRecovery(rigs)
      assert.ok(recovery < RECOVERY_MS, `the server responded ${recovery.toFixed(0)} ms after the database`)
      await waitUntilReady()
      recoveries.push(recovery)
      outages.push(performance.now() - start - moment.afterMs)
    }
    over = true
    repeated.stop()
  }
  await Promise.race([runRounds(), activity])
  const [uploads] = await activity
  await waitUntilReady()
  assert.equal(acknowledged.retries, 0, 'every request was answered')

  for (const one of uploads) await checkUpload(origin, one)
  const { app, close } = await rig.open()
  const { db } = app.ctx
  try {
    await eventually(async () => {
      await retryJobsNow(db)
      assert.equal(await countOpenJobs(db), 0)
    })
    await checkAcknowledged(db, { acknowledged, actorIds: actors.map((actor) => actor.accountId) })
    await checkConsequences(db)
    assert.equal(await countRemainingJobs(db), 0, 'a job is dead or parked')
  } finally {
    await close()
  }

  // The streams have reconnected to the bus, and no socket was closed.
  for (const { received } of sockets) received.length = 0
  const response = await fetch(`${origin}/api/v1/statuses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${last.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ status: 'the last' }),
  })
  assert.equal(response.status, 200)
  for (const { received } of sockets) {
    await eventually(async () => assert.ok(received.some(({ payload }) => payload.includes('the last'))))
  }
  t.diagnostic(
    `${ROUNDS} kills; ${acknowledged.answered} writes answered, ${acknowledged.unavailable} rejected with 503; ` +
      `${uploads.length} uploads accepted; ` +
      `other requests by status: ${JSON.stringify(repeated.counts)}; ` +
      `the server responded at most ${Math.max(...recoveries).toFixed(0)} ms after the database, ` +
      `and ${Math.max(...outages).toFixed(0)} ms after the kill`,
  )
}

test(`F7 requests get 503 while the embedded PostgreSQL is killed ${ROUNDS} times, and nothing acknowledged is lost`, async (t) => {
  const random = createRandom(chooseSeed())
  const rig = await createServerProcess()
  t.after(rig.close)
  await rig.start()
  const database = createKillableEmbedded({ dataDir: rig.env['DATA_DIR']! })
  await killRepeatedly(t, { rig, others: [], database, random })
})

test(`F7 the same with an external PostgreSQL that is killed ${ROUNDS} times, and a process for each role`, async (t) => {
  const random = createRandom(chooseSeed())
  const postgres = await openExternalPostgres()
  const connection = { connectionString: postgres.url }
  const rig = await createServerProcess({ connection })
  const others = [
    await createServerProcess({ connection, isSecondary: rig, only: 'worker' }),
    await createServerProcess({ connection, isSecondary: rig, only: 'streaming' }),
  ]
  t.after(async () => {
    for (const one of [...others, rig]) await one.close()
    await postgres.close()
  })
  await rig.start()
  await Promise.all(others.map((one) => one.start()))
  await killRepeatedly(t, { rig, others, database: postgres, random })
})
