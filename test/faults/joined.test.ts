// Slow: starts servers, and kills or stops them under load.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { sql } from 'kysely'
import { createPerson } from '../create-person.ts'
import type { CreatedPerson } from '../create-person.ts'
import { eventually } from '../linnet.ts'
import { cloneDatabase } from '../postgres.ts'
import { chooseSeed, createRandom } from '../random.ts'
import { idOf, openSocket } from '../streams.ts'
import type { Socket } from '../streams.ts'
import { noValkey, openValkey } from '../valkey.ts'
import type { RunningValkey } from '../valkey.ts'
import { gatherFollowers } from './gather-followers.ts'
import { createRig } from './rig.ts'
import type { Rig } from './rig.ts'
import { checkConsequences, countOpenJobs } from './verdict.ts'
import type { BuilderDb } from '../query-builder.ts'

const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 1)

const AUTHORS = 4

/** What is promised of those who are not hit: they go on, and what the dead one held is done by them. */
const GO_ON_MS = 5_000
const TAKEOVER_MS = 10_000

/** Two whole servers and one for streams alone, on one database. */
interface Trio {
  a: Rig
  b: Rig
  streams: Rig
  db: BuilderDb
  authors: CreatedPerson[]
  /** Posts at `b`. */
  neighbour: CreatedPerson
  /** Follows all of them, and listens. */
  reader: CreatedPerson
}

async function openTrio(t: TestContext, { valkey }: { valkey: RunningValkey | null }): Promise<Trio> {
  const database = await cloneDatabase()
  const a = await createRig({
    connection: database.connection,
    env: { DB_POOL: '8', ...(valkey && { REDIS_URL: valkey.url }) },
  })
  const b = await createRig({ connection: database.connection, beside: a })
  const streams = await createRig({ connection: database.connection, beside: a, only: 'streaming' })
  for (const rig of [a, b, streams]) await rig.start()
  const { app, close } = await a.open()
  t.after(async () => {
    await close()
    for (const rig of [streams, b, a]) await rig.close()
    await database.drop()
  })
  const { ctx } = app
  const authors: CreatedPerson[] = []
  for (let n = 0; n < AUTHORS; n += 1) authors.push(await createPerson(ctx, { username: `author${n}` }))
  const neighbour = await createPerson(ctx, { username: 'neighbour' })
  const reader = await createPerson(ctx, { username: 'reader' })
  const others = [reader.accountId]
  for (const { accountId } of [...authors, neighbour]) await gatherFollowers(ctx, { accountId, count: 0, others })
  return { a, b, streams, db: ctx.db, authors, neighbour, reader }
}

/** Posts, and gives the id when the server has taken it on. */
async function post({ origin }: Rig, { token }: CreatedPerson, status: string): Promise<string> {
  const response = await fetch(`${origin}/api/v1/statuses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ status }),
  })
  assert.equal(response.status, 200)
  return ((await response.json()) as { id: string }).id
}

async function listen(t: TestContext, rig: Rig, reader: CreatedPerson): Promise<Socket> {
  const socket = await openSocket(rig.origin, { token: reader.token })
  t.after(() => socket.ws.terminate())
  await socket.subscribe('user', 'public:local')
  return socket
}

/** The ids of the posts that came on each of the two streams, as often as they came. */
function readUpdates({ received }: Socket): string[][] {
  return ['user', 'public:local'].map((name) =>
    received.filter(({ event, stream }) => event === 'update' && stream[0] === name).map(idOf),
  )
}

const missingOf = (ids: readonly string[], socket: Socket): string[] =>
  readUpdates(socket).flatMap((heard) => ids.filter((id) => !heard.includes(id)))

async function hasAll(sockets: readonly Socket[], ids: readonly string[]): Promise<number> {
  const start = performance.now()
  await eventually(async () => assert.deepEqual([...new Set(sockets.flatMap((one) => missingOf(ids, one)))], []))
  return performance.now() - start
}

function isHeardOnce(sockets: readonly Socket[]): void {
  for (const heard of sockets.flatMap(readUpdates)) assert.deepEqual(heard, [...new Set(heard)])
}

/** Everybody posts at A, one after the other, until it is dead. Gives what it said yes to. */
async function killInTheMiddle(trio: Trio, { afterMs }: { afterMs: number }): Promise<string[]> {
  const taken: string[] = []
  const posting = trio.authors.map(async (author, place) => {
    for (let n = 0; ; n += 1) {
      const id = await post(trio.a, author, `${place}-${n} of A`).catch(() => null)
      if (id === null) return
      taken.push(id)
    }
  })
  await trio.a.kill({ afterMs })
  await Promise.all(posting)
  return taken
}

async function killOne(t: TestContext, trio: Trio): Promise<void> {
  const random = createRandom(chooseSeed())
  t.diagnostic(`FAULT_SEED=${random.seed}`)
  const { b, streams, db, neighbour, reader } = trio
  const sockets = [await listen(t, b, reader), await listen(t, streams, reader)]
  await hasAll(sockets, [await post(trio.a, trio.authors[0]!, 'hello'), await post(b, neighbour, 'hello to you')])

  const taken = await killInTheMiddle(trio, { afterMs: random.between(500, 2_000) })
  const ownMs = await hasAll(sockets, [await post(b, neighbour, 'what was that?')])
  assert.ok(ownMs < GO_ON_MS, `a post of the other process took ${ownMs.toFixed(0)} ms`)
  const takenMs = ownMs + (await hasAll(sockets, taken))
  assert.ok(takenMs < TAKEOVER_MS, `what was left undone took ${takenMs.toFixed(0)} ms`)
  await eventually(async () => assert.equal(await countOpenJobs(db), 0))
  await checkConsequences(db)
  // It comes after whatever may have been told twice.
  await hasAll(sockets, [await post(b, neighbour, 'the last')])
  isHeardOnce(sockets)
  t.diagnostic(
    `${taken.length} posts; one of the other process was heard after ${ownMs.toFixed(0)} ms, all after ${takenMs.toFixed(0)}`,
  )
}

for (let round = 1; round <= ROUNDS; round += 1) {
  test(`F3 F5 of two processes joined by PostgreSQL one is killed, and readers of the other miss nothing (${round})`, async (t) => {
    await killOne(t, await openTrio(t, { valkey: null }))
  })

  test(
    `F3 F5 F9 the same joined by Redis, which is killed before, and comes back (${round})`,
    { skip: noValkey },
    async (t) => {
      const valkey = await openValkey()
      t.after(() => valkey.kill())
      const trio = await openTrio(t, { valkey })
      const { a, b, streams, db, authors, neighbour, reader } = trio
      const sockets = [await listen(t, b, reader), await listen(t, streams, reader)]
      const before = await post(a, authors[0]!, 'before')
      await hasAll(sockets, [before])
      await valkey.kill()
      const meanwhile = [await post(a, authors[0]!, 'meanwhile'), await post(b, neighbour, 'meanwhile, there')]
      await eventually(async () => assert.equal(await countOpenJobs(db), 0))
      await valkey.start()
      const start = performance.now()
      const later: string[] = []
      await eventually(async () => {
        later.push(await post(a, authors[1]!, `back? ${later.length}`))
        assert.ok(
          sockets.every((socket) => readUpdates(socket).every((heard) => heard.some((id) => later.includes(id)))),
        )
      })
      const backMs = performance.now() - start
      assert.ok(backMs < GO_ON_MS, `the readers went on after ${backMs.toFixed(0)} ms`)
      t.diagnostic(`the readers went on ${backMs.toFixed(0)} ms after Redis was back`)
      await eventually(async () => assert.equal(await countOpenJobs(db), 0))
      const { rows } = await sql<{ id: string }>`
        select status_id as id from feed_entries where account_id = ${reader.accountId} order by status_id`.execute(db)
      assert.deepEqual(
        rows.map(({ id }) => id),
        [before, ...meanwhile, ...later].toSorted(),
      )
      isHeardOnce(sockets)
      for (const { ws } of sockets) assert.equal(ws.readyState, ws.OPEN)
      await killOne(t, trio)
    },
  )
}
