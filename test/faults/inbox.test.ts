// Slow: starts servers, and kills or stops them under load.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { sql } from 'kysely'
import { createUser } from '../servers/create-user.ts'
import { eventually } from '../servers/linnet-process.ts'
import { openPeer } from '../federation/peer/open-peer.ts'
import type { PeerActor } from '../federation/peer/actor.ts'
import type { Activity } from '../federation/peer/inbox.ts'
import { cloneDatabase } from '../services/database/test-database.ts'
import { chooseSeed, createRandom } from '../oracles/random.ts'
import { createServerProcess } from './support/server-process.ts'
import type { ServerProcess } from './support/server-process.ts'
import { countRemainingJobs } from './support/check-consistency.ts'

const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 1)

const NOTES = 120
const KILLS = 3
/** The number of concurrent deliveries. */
const CONCURRENCY = 6

/** Delivers all activities, each until it is answered with 202. Returns the number of lost responses. */
async function deliverAll(
  actor: PeerActor,
  { activities, rig, onAnswer }: { activities: readonly Activity[]; rig: ServerProcess; onAnswer: () => void },
): Promise<number> {
  const queue = activities.values()
  let lost = 0
  const run = async () => {
    for (const activity of queue) {
      for (;;) {
        await rig.waitUntilReady()
        const answer = await actor.send(activity, { via: rig.origin }).catch(() => null)
        if (answer?.status === 202) break
        lost += 1
      }
      onAnswer()
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, run))
  return lost
}

async function killWhileReceiving(t: TestContext): Promise<void> {
  const random = createRandom(chooseSeed())
  t.diagnostic(`FAULT_SEED=${random.seed}`)
  const peer = await openPeer({ hosts: ['remote.test'] })
  const database = await cloneDatabase()
  const rig = await createServerProcess({
    connection: database.connection,
    env: { ...peer.env, NODE_EXTRA_CA_CERTS: peer.caFile, LOCAL_HTTPS: 'true' },
  })
  t.after(async () => {
    await rig.close()
    await database.drop()
    await peer.close()
  })
  const { app, close } = await rig.open()
  t.after(close)
  const { db, config } = app.ctx
  peer.connect(config.origin, rig.origin)
  const alice = await createUser(app.ctx, { username: 'alice' })
  const uri = `${config.origin}/ap/users/${alice.accountId}`
  const bob = await peer.host('remote.test').createActor('bob')
  const tag = [{ type: 'Mention', href: uri, name: '@alice' }]
  const activities = Array.from({ length: NOTES }, () => bob.activity('Create', bob.note({ cc: [uri], tag })))

  await rig.start()
  let answered = 0
  const delivering = deliverAll(bob, { activities, rig, onAnswer: () => (answered += 1) })
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const moment = Math.floor((NOTES * kill) / (KILLS + 1))
    await eventually(async () => assert.ok(answered >= moment))
    await rig.kill({ afterMs: random.between(0, 20) })
    await rig.start()
  }
  const lost = await delivering

  await eventually(async () => {
    const { rows } = await sql`select from received_activities where processed_at is null`.execute(db)
    assert.deepEqual([rows.length, await countRemainingJobs(db)], [0, 0])
  })
  const { rows } = await sql<{ statuses: number; mentions: number; notifications: number }>`
    select (select count(*)::int from statuses) as statuses, (select count(*)::int from mentions) as mentions,
      (select count(*)::int from notifications) as notifications`.execute(db)
  assert.deepEqual(rows, [{ statuses: NOTES, mentions: NOTES, notifications: NOTES }])
  t.diagnostic(`${NOTES} notes, ${lost} responses lost by ${KILLS} kills`)
}

for (let round = 1; round <= ROUNDS; round += 1) {
  test(
    `F6 activities accepted before a kill are processed once, unanswered ones are delivered again (${round})`,
    killWhileReceiving,
  )
}
