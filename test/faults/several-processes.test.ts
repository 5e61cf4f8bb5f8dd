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
import { idOf, openSocket } from '../streaming/streams.ts'
import type { Socket } from '../streaming/streams.ts'
import { noValkey, openValkey } from '../services/valkey.ts'
import type { RunningValkey } from '../services/valkey.ts'
import { createFollowers } from './support/create-followers.ts'
import { createServerProcess } from './support/server-process.ts'
import type { ServerProcess } from './support/server-process.ts'
import { checkConsequences, countOpenJobs } from './support/check-consistency.ts'
import type { BuilderDb } from '../query-builder.ts'

const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 1)

const AUTHORS = 4

/**
 * The other processes must respond within the first time, and take over the jobs of the killed one within the second.
 */
const RESPONSE_MS = 5_000
const TAKEOVER_MS = 10_000

/** Two processes with all roles and one for streams only, on one database. */
interface Trio {
  a: ServerProcess
  b: ServerProcess
  streams: ServerProcess
  db: BuilderDb
  authors: CreatedUser[]
  /** Posts at `b`. */
  authorAtB: CreatedUser
  /** Follows all authors and has the open streams. */
  reader: CreatedUser
}

async function openTrio(t: TestContext, { valkey }: { valkey: RunningValkey | null }): Promise<Trio> {
  const database = await cloneDatabase()
  const a = await createServerProcess({
    connection: database.connection,
    env: { DB_POOL: '8', ...(valkey && { REDIS_URL: valkey.url }) },
  })
  const b = await createServerProcess({ connection: database.connection, isSecondary: a })
  const streams = await createServerProcess({ connection: database.connection, isSecondary: a, only: 'streaming' })
  for (const rig of [a, b, streams]) await rig.start()
  const { app, close } = await a.open()
  t.after(async () => {
    await close()
    for (const rig of [streams, b, a]) await rig.close()
    await database.drop()
  })
  const { ctx } = app
  const authors: CreatedUser[] = []
  for (let n = 0; n < AUTHORS; n += 1) authors.push(await createUser(ctx, { username: `author${n}` }))
  const authorAtB = await createUser(ctx, { username: 'neighbour' })
  const reader = await createUser(ctx, { username: 'reader' })
  const others = [reader.accountId]
  for (const { accountId } of [...authors, authorAtB]) await createFollowers(ctx, { accountId, count: 0, others })
  return { a, b, streams, db: ctx.db, authors, authorAtB, reader }
}

/** Posts a status and returns its id after the response. */
async function post({ origin }: ServerProcess, { token }: CreatedUser, status: string): Promise<string> {
  const response = await fetch(`${origin}/api/v1/statuses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ status }),
  })
  assert.equal(response.status, 200)
  return ((await response.json()) as { id: string }).id
}

async function listen(t: TestContext, rig: ServerProcess, reader: CreatedUser): Promise<Socket> {
  const socket = await openSocket(rig.origin, { token: reader.token })
  t.after(() => socket.ws.terminate())
  await socket.subscribe('user', 'public:local')
  return socket
}

/** Returns the ids of the posts received on each of the two streams, with repetitions. */
function readUpdates({ received }: Socket): string[][] {
  return ['user', 'public:local'].map((name) =>
    received.filter(({ event, stream }) => event === 'update' && stream[0] === name).map(idOf),
  )
}

const missingOf = (ids: readonly string[], socket: Socket): string[] =>
  readUpdates(socket).flatMap((received) => ids.filter((id) => !received.includes(id)))

/** Waits until all sockets have received all posts; returns the milliseconds. */
async function waitForAll(sockets: readonly Socket[], ids: readonly string[]): Promise<number> {
  const start = performance.now()
  await eventually(async () => assert.deepEqual([...new Set(sockets.flatMap((one) => missingOf(ids, one)))], []))
  return performance.now() - start
}

function checkReceivedOnce(sockets: readonly Socket[]): void {
  for (const received of sockets.flatMap(readUpdates)) assert.deepEqual(received, [...new Set(received)])
}

/** All authors post at process A, each one post after the other, until it is killed. Returns the acknowledged ids. */
async function killDuringPosts(trio: Trio, { afterMs }: { afterMs: number }): Promise<string[]> {
  const acknowledged: string[] = []
  const posting = trio.authors.map(async (author, place) => {
    for (let n = 0; ; n += 1) {
      const id = await post(trio.a, author, `${place}-${n} of A`).catch(() => null)
      if (id === null) return
      acknowledged.push(id)
    }
  })
  await trio.a.kill({ afterMs })
  await Promise.all(posting)
  return acknowledged
}

async function killOne(t: TestContext, trio: Trio): Promise<void> {
  const random = createRandom(chooseSeed())
  t.diagnostic(`FAULT_SEED=${random.seed}`)
  const { b, streams, db, authorAtB, reader } = trio
  const sockets = [await listen(t, b, reader), await listen(t, streams, reader)]
  await waitForAll(sockets, [await post(trio.a, trio.authors[0]!, 'hello'), await post(b, authorAtB, 'hello from b')])

  const acknowledged = await killDuringPosts(trio, { afterMs: random.between(500, 2_000) })
  const ownMs = await waitForAll(sockets, [await post(b, authorAtB, 'after the kill')])
  assert.ok(ownMs < RESPONSE_MS, `a post of the other process took ${ownMs.toFixed(0)} ms`)
  const allMs = ownMs + (await waitForAll(sockets, acknowledged))
  assert.ok(allMs < TAKEOVER_MS, `the posts of the killed process took ${allMs.toFixed(0)} ms`)
  await eventually(async () => assert.equal(await countOpenJobs(db), 0))
  await checkConsequences(db)
  // This post arrives after any repeated event.
  await waitForAll(sockets, [await post(b, authorAtB, 'the last')])
  checkReceivedOnce(sockets)
  t.diagnostic(
    `${acknowledged.length} posts; one of the other process was received after ${ownMs.toFixed(0)} ms, all after ${allMs.toFixed(0)}`,
  )
}

for (let round = 1; round <= ROUNDS; round += 1) {
  test(`F3 F5 one of two processes connected by PostgreSQL is killed, and readers of the other miss no post (${round})`, async (t) => {
    await killOne(t, await openTrio(t, { valkey: null }))
  })

  test(
    `F3 F5 F9 the same with processes connected by Valkey, which is killed and restarted before (${round})`,
    { skip: noValkey },
    async (t) => {
      const valkey = await openValkey()
      t.after(() => valkey.kill())
      const trio = await openTrio(t, { valkey })
      const { a, b, streams, db, authors, authorAtB, reader } = trio
      const sockets = [await listen(t, b, reader), await listen(t, streams, reader)]
      const before = await post(a, authors[0]!, 'before')
      await waitForAll(sockets, [before])
      await valkey.kill()
      const meanwhile = [await post(a, authors[0]!, 'meanwhile'), await post(b, authorAtB, 'meanwhile at b')]
      await eventually(async () => assert.equal(await countOpenJobs(db), 0))
      await valkey.start()
      const start = performance.now()
      const later: string[] = []
      await eventually(async () => {
        later.push(await post(a, authors[1]!, `later ${later.length}`))
        assert.ok(sockets.every((socket) => readUpdates(socket).every((ids) => ids.some((id) => later.includes(id)))))
      })
      const resumedMs = performance.now() - start
      assert.ok(resumedMs < RESPONSE_MS, `the streams resumed after ${resumedMs.toFixed(0)} ms`)
      t.diagnostic(`the streams resumed ${resumedMs.toFixed(0)} ms after the restart of Valkey`)
      await eventually(async () => assert.equal(await countOpenJobs(db), 0))
      const { rows } = await sql<{ id: string }>`
        select status_id as id from feed_entries where account_id = ${reader.accountId} order by status_id`.execute(db)
      assert.deepEqual(
        rows.map(({ id }) => id),
        [before, ...meanwhile, ...later].toSorted(),
      )
      checkReceivedOnce(sockets)
      for (const { ws } of sockets) assert.equal(ws.readyState, ws.OPEN)
      await killOne(t, trio)
    },
  )
}
