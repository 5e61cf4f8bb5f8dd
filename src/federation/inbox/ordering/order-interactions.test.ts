// Slow: plays through random histories.
import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import type { PeerActor } from '../../../../test/federation/peer/actor.ts'
import type { Activity } from '../../../../test/federation/peer/inbox.ts'

let clock = () => new Date()
const fediverse = await openFediverse({ hosts: ['remote.test'], now: () => clock() })
const { testServer, peer, uriOf, notificationsOf } = fediverse
after(fediverse.close)

const { db } = testServer.ctx
const remote = peer.host('remote.test')
const { keys } = await remote.createActor('first')
const alice = await testServer.createUser({ username: 'alice' })
const { body: status } = await alice.client.post('/api/v1/statuses', { status: 'ours' })

const KINDS = ['Follow', 'Like', 'Announce', 'Block'] as const
type Kind = (typeof KINDS)[number]

let actors = 0
const newActor = () => remote.createActor(`actor${(actors += 1)}`, { keys })

const HOUR_MS = 3_600_000
const start = Date.now() - 2 * HOUR_MS
/** Returns the time of signing, in seconds after the start of the histories of these tests. */
const second = (n: number) => new Date(start + n * 1000)

/** Returns an activity whose id depends only on the actor, the type and a number, like Misskey's follows. */
function interact(actor: PeerActor, kind: Kind, n = 0): Activity {
  const object = kind === 'Follow' || kind === 'Block' ? uriOf(alice) : status.uri
  return actor.activity(kind, object, { id: `${actor.id}/${kind}/${n}` })
}

function undo(actor: PeerActor, undone: Activity, object: unknown = undone): Activity {
  return actor.activity('Undo', object, { id: `${undone['id']}/undo` })
}

async function send(actor: PeerActor, activity: Activity, now: Date): Promise<void> {
  assert.equal((await actor.send(activity, { now })).status, 202)
}

/** Returns how many interactions and notifications of an actor are stored. */
async function stateOf(actor: PeerActor, kind: Kind): Promise<{ inPlace: number; notifications: number }> {
  const [table, type] = {
    Follow: ['follows', 'follow'],
    Like: ['favourites', 'favourite'],
    Announce: ['statuses', 'reblog'],
    Block: ['blocks', 'none'],
  }[kind] as [string, string]
  const { rows } = await sql<{ inPlace: number; notifications: number }>`
    select (select count(*)::int from ${sql.table(table)} t where t.account_id = a.id) as "inPlace",
      (select count(*)::int from notifications n where n.from_account_id = a.id and n.type = ${type}) as notifications
    from accounts a where a.uri = ${actor.id}`.execute(db)
  return rows[0] ?? { inPlace: 0, notifications: 0 }
}

const inPlace = (kind: Kind) => ({ inPlace: 1, notifications: kind === 'Block' ? 0 : 1 })
const absent = { inPlace: 0, notifications: 0 }

suite('a reused activity id', () => {
  for (const kind of KINDS) {
    test(`performs the ${kind} again after each Undo`, async () => {
      const actor = await newActor()
      const activity = interact(actor, kind)
      for (let n = 0; n < 6; n += 2) {
        await send(actor, activity, second(n))
        await testServer.waitForJobs()
        assert.deepEqual(await stateOf(actor, kind), inPlace(kind))
        await send(actor, undo(actor, activity), second(n + 1))
        await testServer.waitForJobs()
        assert.deepEqual(await stateOf(actor, kind), absent)
      }
    })

    test(`has no effect if the signed request of the ${kind} or of its Undo is replayed`, async () => {
      for (const as of ['cavage', 'rfc9421'] as const) {
        const actor = await newActor()
        const activity = interact(actor, kind)
        // RFC 9421 signatures are valid for an hour, cavage signatures for twelve.
        const at = (n: number) => new Date(second(n).getTime() + 1.5 * HOUR_MS)
        const replay = async (what: Activity, n: number) => {
          assert.equal((await actor.send(what, { as, now: at(n) })).status, 202)
          await testServer.waitForJobs()
        }
        await replay(activity, 0)
        await replay(activity, 0)
        assert.deepEqual(await stateOf(actor, kind), inPlace(kind))
        await replay(undo(actor, activity), 1)
        await replay(activity, 0)
        assert.deepEqual(await stateOf(actor, kind), absent)
        await replay(activity, 2)
        await replay(undo(actor, activity), 1)
        assert.deepEqual(await stateOf(actor, kind), inPlace(kind))
      }
    })
  }

  test('causes an Accept for each Follow of a follower, and one notification', async () => {
    const [actor, user] = [await newActor(), await testServer.createUser()]
    const follow = actor.activity('Follow', uriOf(user), { id: `${actor.id}/follows/once` })
    for (let n = 0; n < 3; n += 1) {
      await send(actor, follow, second(n))
      const { activity } = await actor.inbox.next(({ type }) => type === 'Accept')
      assert.equal(activity['object'].id, follow['id'])
      await testServer.waitForJobs()
    }
    assert.deepEqual(await notificationsOf(user), ['follow'])
  })

  test('is undone by an Undo that names only the id', async () => {
    const actor = await newActor()
    const activity = interact(actor, 'Follow')
    for (let n = 0; n < 4; n += 2) {
      await send(actor, activity, second(n))
      await testServer.waitForJobs()
      assert.deepEqual(await stateOf(actor, 'Follow'), inPlace('Follow'))
      await send(actor, undo(actor, activity, activity['id']), second(n + 1))
      await testServer.waitForJobs()
      assert.deepEqual(await stateOf(actor, 'Follow'), absent)
    }
  })

  test('performs the interaction again even if the record of the first one has been deleted', async () => {
    for (const kind of KINDS) {
      const actor = await newActor()
      const activity = interact(actor, kind)
      await send(actor, activity, second(0))
      await testServer.waitForJobs()
      await sql`delete from received_activities where actor_uri = ${actor.id}`.execute(db)
      await send(actor, undo(actor, activity), second(1))
      await testServer.waitForJobs()
      assert.deepEqual(await stateOf(actor, kind), absent)
      await send(actor, activity, second(2))
      await testServer.waitForJobs()
      assert.deepEqual(await stateOf(actor, kind), inPlace(kind))
    }
  })
})

/** A signed delivery. Histories are in the order of arrival. */
interface Delivery {
  isUndo: boolean
  /** The number of its id. */
  id: number
  signedAt: number
}

const deliveries: fc.Arbitrary<Delivery[]> = fc.array(
  fc.record({ isUndo: fc.boolean(), id: fc.nat({ max: 2 }), signedAt: fc.nat({ max: 5 }) }),
  { minLength: 1, maxLength: 9 },
)

/**
 * Returns whether the interaction is stored at the end of a history. The delivery that was signed last decides; within
 * a second, the one that arrived last. Deliveries with the same signature count once. An Undo that arrives before
 * anything else with its id cancels the first delivery with that id.
 */
function isInPlace(kind: Kind, history: readonly Delivery[]): boolean {
  const same = (a: Delivery, b: Delivery) => a.isUndo === b.isUndo && a.id === b.id && a.signedAt === b.signedAt
  const arrived = history
    .filter((one, position) => history.findIndex((other) => same(one, other)) === position)
    .map((one, position) => ({ ...one, position }))
  return arrived.some((one) => {
    if (one.isUndo) return false
    const [first] = arrived.filter(({ id }) => id === one.id)
    const isFirst = arrived.find(({ id, isUndo }) => id === one.id && !isUndo) === one
    if (first!.isUndo && isFirst) return false
    return !arrived.some(
      (other) =>
        other.isUndo &&
        (kind !== 'Like' || other.id === one.id) &&
        (other.signedAt > one.signedAt || (other.signedAt === one.signedAt && other.position > one.position)),
    )
  })
}

test(
  'F16 FP6 interactions and Undos, with reused and new ids and repetitions, in any order end as they were signed',
  { timeout: 300_000 },
  async () => {
    const histories = fc.record({
      kind: fc.constantFrom(...KINDS),
      history: deliveries,
      isOneId: fc.boolean(),
      isSequential: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(histories, async ({ kind, history: generated, isOneId, isSequential }) => {
        const history = isOneId ? generated.map((one) => ({ ...one, id: 0 })) : generated
        const actor = await newActor()
        for (const { isUndo, id, signedAt } of history) {
          const activity = interact(actor, kind, id)
          // An Undo with an unknown id and an object ends any favourite of the object, as some servers intend.
          const object = kind === 'Like' && !isOneId ? activity['id'] : activity
          await send(actor, isUndo ? undo(actor, activity, object) : activity, second(signedAt))
          if (isSequential) await testServer.waitForJobs()
        }
        await testServer.waitForJobs()
        const expected = isInPlace(kind, history) ? inPlace(kind) : absent
        assert.deepEqual(await stateOf(actor, kind), expected, JSON.stringify({ kind, history }))
      }),
      { numRuns: 40 },
    )
  },
)
