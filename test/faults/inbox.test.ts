// Slow: starts servers, and kills or stops them under load.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { sql } from 'kysely'
import { createPerson } from '../create-person.ts'
import { eventually } from '../linnet.ts'
import { openPeer } from '../peer.ts'
import type { PeerActor } from '../peer/actor.ts'
import type { Activity } from '../peer/inbox.ts'
import { cloneDatabase } from '../postgres.ts'
import { chooseSeed, createRandom } from '../random.ts'
import { createRig } from './rig.ts'
import type { Rig } from './rig.ts'
import { countLeftJobs } from './verdict.ts'

const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 1)

const NOTES = 120
const KILLS = 3
/** As a server that delivers: so many at a time. */
const AT_ONCE = 6

/** Delivers all, each again until it is answered with 202. Counts the answers that were lost. */
async function deliverAll(
  actor: PeerActor,
  { activities, rig, onAnswer }: { activities: readonly Activity[]; rig: Rig; onAnswer: () => void },
): Promise<number> {
  const queue = activities.values()
  let lost = 0
  const run = async () => {
    for (const activity of queue) {
      for (;;) {
        await rig.up()
        const answer = await actor.send(activity, { via: rig.origin }).catch(() => null)
        if (answer?.status === 202) break
        lost += 1
      }
      onAnswer()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, run))
  return lost
}

async function killWhileReceiving(t: TestContext): Promise<void> {
  const random = createRandom(chooseSeed())
  t.diagnostic(`FAULT_SEED=${random.seed}`)
  const peer = await openPeer({ hosts: ['remote.test'] })
  const database = await cloneDatabase()
  const rig = await createRig({
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
  const alice = await createPerson(app.ctx, { username: 'alice' })
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
    const { rows } = await sql`select from received_activities where handled_at is null`.execute(db)
    assert.deepEqual([rows.length, await countLeftJobs(db)], [0, 0])
  })
  const { rows } = await sql<{ statuses: number; mentions: number; notifications: number }>`
    select (select count(*)::int from statuses) as statuses, (select count(*)::int from mentions) as mentions,
      (select count(*)::int from notifications) as notifications`.execute(db)
  assert.deepEqual(rows, [{ statuses: NOTES, mentions: NOTES, notifications: NOTES }])
  t.diagnostic(`${NOTES} notes, ${lost} answers lost by ${KILLS} kills`)
}

for (let round = 1; round <= ROUNDS; round += 1) {
  test(
    `F6 what was answered before a kill is understood once, and what was not comes again (${round})`,
    killWhileReceiving,
  )
}
