// Slow: plays through random histories.
import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { openFediverse } from '../../../test/fediverse.ts'
import type { PeerActor } from '../../../test/peer/actor.ts'
import type { Activity } from '../../../test/peer/inbox.ts'

let clock = () => new Date()
const fediverse = await openFediverse({ hosts: ['remote.test'], now: () => clock() })
const { world, peer, uriOf, notified } = fediverse
after(fediverse.close)

const { db } = world.ctx
const remote = peer.host('remote.test')
const { keys } = await remote.createActor('first')
const alice = await world.createPerson({ username: 'alice' })
const { body: status } = await alice.client.post('/api/v1/statuses', { status: 'ours' })

const KINDS = ['Follow', 'Like', 'Announce', 'Block'] as const
type Kind = (typeof KINDS)[number]

let actors = 0
const newActor = () => remote.createActor(`actor${(actors += 1)}`, { keys })

const HOUR_MS = 3_600_000
const start = Date.now() - 2 * HOUR_MS
/** A moment at which an activity is signed: so many seconds after the beginning of these tests' histories. */
const second = (n: number) => new Date(start + n * 1000)

/** An activity with an id that depends only on the actor, the kind and a number, as Misskey's follows have it. */
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

/** How often an interaction of an actor is in place, and how many notifications it left. */
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

const present = (kind: Kind) => ({ inPlace: 1, notifications: kind === 'Block' ? 0 : 1 })
const absent = { inPlace: 0, notifications: 0 }

suite('an activity id that is used again', () => {
  for (const kind of KINDS) {
    test(`does the ${kind} again after its Undo, as often as that happens`, async () => {
      const actor = await newActor()
      const activity = interact(actor, kind)
      for (let n = 0; n < 6; n += 2) {
        await send(actor, activity, second(n))
        await world.settle()
        assert.deepEqual(await stateOf(actor, kind), present(kind))
        await send(actor, undo(actor, activity), second(n + 1))
        await world.settle()
        assert.deepEqual(await stateOf(actor, kind), absent)
      }
    })

    test(`does nothing when the signed request of the ${kind} is replayed, or that of its Undo`, async () => {
      for (const as of ['cavage', 'rfc9421'] as const) {
        const actor = await newActor()
        const activity = interact(actor, kind)
        // RFC 9421 signatures count for an hour, cavage ones for twelve.
        const at = (n: number) => new Date(second(n).getTime() + 1.5 * HOUR_MS)
        const replay = async (what: Activity, n: number) => {
          assert.equal((await actor.send(what, { as, now: at(n) })).status, 202)
          await world.settle()
        }
        await replay(activity, 0)
        await replay(activity, 0)
        assert.deepEqual(await stateOf(actor, kind), present(kind))
        await replay(undo(actor, activity), 1)
        await replay(activity, 0)
        assert.deepEqual(await stateOf(actor, kind), absent)
        await replay(activity, 2)
        await replay(undo(actor, activity), 1)
        assert.deepEqual(await stateOf(actor, kind), present(kind))
      }
    })
  }

  test('answers each Follow of a follower with an Accept, and notifies once', async () => {
    const [actor, person] = [await newActor(), await world.createPerson()]
    const follow = actor.activity('Follow', uriOf(person), { id: `${actor.id}/follows/once` })
    for (let n = 0; n < 3; n += 1) {
      await send(actor, follow, second(n))
      const { activity } = await actor.inbox.next(({ type }) => type === 'Accept')
      assert.equal(activity['object'].id, follow['id'])
      await world.settle()
    }
    assert.deepEqual(await notified(person), ['follow'])
  })

  test('is undone by an Undo that names only the id', async () => {
    const actor = await newActor()
    const activity = interact(actor, 'Follow')
    for (let n = 0; n < 4; n += 2) {
      await send(actor, activity, second(n))
      await world.settle()
      assert.deepEqual(await stateOf(actor, 'Follow'), present('Follow'))
      await send(actor, undo(actor, activity, activity['id']), second(n + 1))
      await world.settle()
      assert.deepEqual(await stateOf(actor, 'Follow'), absent)
    }
  })

  test('does the interaction again also when the first one was received longer ago than is remembered', async () => {
    for (const kind of KINDS) {
      const actor = await newActor()
      const activity = interact(actor, kind)
      await send(actor, activity, second(0))
      await world.settle()
      await sql`delete from received_activities where actor_uri = ${actor.id}`.execute(db)
      await send(actor, undo(actor, activity), second(1))
      await world.settle()
      assert.deepEqual(await stateOf(actor, kind), absent)
      await send(actor, activity, second(2))
      await world.settle()
      assert.deepEqual(await stateOf(actor, kind), present(kind))
    }
  })
})

/** A signed delivery; its place in the history is that of its arrival. */
interface Delivery {
  isUndo: boolean
  /** Which of the ids it uses. */
  id: number
  signedAt: number
}

const deliveries: fc.Arbitrary<Delivery[]> = fc.array(
  fc.record({ isUndo: fc.boolean(), id: fc.nat({ max: 2 }), signedAt: fc.nat({ max: 5 }) }),
  { minLength: 1, maxLength: 9 },
)

/**
 * Says from the whole history whether the interaction is in place in the end: the delivery that was signed last decides,
 * of one second the one that arrived last. What arrives twice with one signature counts once. An Undo that arrives
 * before anything else of its id cancels the first delivery of it.
 */
function isInPlace(kind: Kind, history: readonly Delivery[]): boolean {
  const same = (a: Delivery, b: Delivery) => a.isUndo === b.isUndo && a.id === b.id && a.signedAt === b.signedAt
  const arrived = history
    .filter((one, place) => history.findIndex((other) => same(one, other)) === place)
    .map((one, place) => ({ ...one, place }))
  return arrived.some((one) => {
    if (one.isUndo) return false
    const [first] = arrived.filter(({ id }) => id === one.id)
    const isFirst = arrived.find(({ id, isUndo }) => id === one.id && !isUndo) === one
    if (first!.isUndo && isFirst) return false
    return !arrived.some(
      (other) =>
        other.isUndo &&
        (kind !== 'Like' || other.id === one.id) &&
        (other.signedAt > one.signedAt || (other.signedAt === one.signedAt && other.place > one.place)),
    )
  })
}

test(
  'F16 FP6 interactions and their Undos with equal and with fresh ids, in any order and some of them twice, end as they were signed',
  { timeout: 120_000 },
  async () => {
    const histories = fc.record({
      kind: fc.constantFrom(...KINDS),
      history: deliveries,
      isOneId: fc.boolean(),
      isSettledEach: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(histories, async ({ kind, history: made, isOneId, isSettledEach }) => {
        const history = isOneId ? made.map((one) => ({ ...one, id: 0 })) : made
        const actor = await newActor()
        for (const { isUndo, id, signedAt } of history) {
          const activity = interact(actor, kind, id)
          // With its object an Undo of an id that nobody knows ends any favourite, as some servers mean it.
          const object = kind === 'Like' && !isOneId ? activity['id'] : activity
          await send(actor, isUndo ? undo(actor, activity, object) : activity, second(signedAt))
          if (isSettledEach) await world.settle()
        }
        await world.settle()
        const expected = isInPlace(kind, history) ? present(kind) : absent
        assert.deepEqual(await stateOf(actor, kind), expected, JSON.stringify({ kind, history }))
      }),
      { numRuns: 40 },
    )
  },
)
