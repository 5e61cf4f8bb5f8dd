// Slow: plays through random histories.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { openFediverse } from '../../../test/fediverse.ts'
import type { Activity } from '../../../test/peer/inbox.ts'

const fediverse = await openFediverse({ hosts: ['remote.test'] })
const { world, peer, uriOf, origin } = fediverse
after(fediverse.close)

const { db } = world.ctx
const remote = peer.host('remote.test')
const { keys } = await remote.createActor('first')
const alice = await world.createPerson({ username: 'alice' })
let rounds = 0

/** What somebody new does, in the order in which they do it, and what is left of it in the end. */
async function makeHistory() {
  const bob = await remote.createActor(`bob${(rounds += 1)}`, { keys })
  const mine = (await alice.client.post('/api/v1/statuses', { status: `round ${rounds}` })).body
  const at = (seconds: number) => new Date(Date.now() - 600_000 + seconds * 1000).toISOString()
  const addressed = { cc: [uriOf(alice)], published: at(0) }
  const [kept, gone] = [bob.note({ ...addressed, content: 'version 0' }), bob.note(addressed)]
  const version = (n: number) => bob.activity('Update', { ...kept, content: `version ${n}`, updated: at(n) })
  const [follow, like, boost, block] = [
    bob.activity('Follow', uriOf(alice)),
    bob.activity('Like', mine.uri),
    bob.activity('Announce', mine.uri, { published: at(1) }),
    bob.activity('Block', uriOf(alice)),
  ]
  const activities: Activity[] = [
    bob.activity('Create', kept),
    version(1),
    version(2),
    version(3),
    bob.activity('Create', gone),
    bob.activity('Update', { ...gone, content: 'changed', updated: at(1) }),
    bob.activity('Delete', gone['id']),
    follow,
    bob.activity('Undo', follow),
    like,
    bob.activity('Undo', like),
    boost,
    bob.activity('Undo', boost),
    block,
    bob.activity('Undo', block),
  ]
  const outcome = async () => {
    const { rows } = await sql<{ content: string }>`
      select content from statuses where account_id = (select id from accounts where uri = ${bob.id})`.execute(db)
    const { rows: ties } = await sql<{ n: number }>`
      select (select count(*)::int from follows f where f.account_id = a.id)
        + (select count(*)::int from favourites f where f.account_id = a.id)
        + (select count(*)::int from blocks b where b.account_id = a.id) as n
      from accounts a where a.uri = ${bob.id}`.execute(db)
    const { body } = await alice.client.get(`/api/v1/statuses/${mine.id}`)
    return {
      contents: rows.map((row) => row.content),
      ties: ties[0]?.n,
      counts: [body.favourites_count, body.reblogs_count],
    }
  }
  return { bob, activities, outcome }
}

test(
  'F16 FP6 a history that comes in any order, some of it twice, at once or one by one, ends the same',
  { timeout: 120_000 },
  async () => {
    const order = fc.record({
      places: fc.array(fc.nat(), { minLength: 15, maxLength: 15 }),
      twice: fc.subarray(Array.from({ length: 15 }, (_one, n) => n)),
      atOnce: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(order, async ({ places, twice, atOnce }) => {
        const { bob, activities, outcome } = await makeHistory()
        const shuffled = activities
          .map((activity, n) => ({ activity, place: places[n]! }))
          .toSorted((a, b) => a.place - b.place)
        const once = shuffled.map(({ activity }, n) => ({
          activity,
          to: n % 2 === 0 ? `${origin}/inbox` : `${uriOf(alice)}/inbox`,
          signedAt: null as Date | null,
        }))
        const sent = [...once, ...twice.map((n) => once[n]!)]
        // What comes twice is the same request with the same signature.
        const send = async (request: (typeof once)[number]) => {
          const now = (request.signedAt ??= new Date())
          assert.equal((await bob.send(request.activity, { to: request.to, now })).status, 202)
        }
        if (atOnce) await Promise.all(sent.map(send))
        else {
          for (const request of sent) {
            await send(request)
            await world.settle()
          }
        }
        await world.settle()
        assert.deepEqual(await outcome(), { contents: ['version 3'], ties: 0, counts: [0, 0] })
      }),
      { numRuns: 15 },
    )
  },
)
