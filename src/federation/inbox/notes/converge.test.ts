// Slow: plays through random histories.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import type { Activity } from '../../../../test/federation/peer/inbox.ts'

const fediverse = await openFediverse({ hosts: ['remote.test'] })
const { testServer, peer, uriOf, origin } = fediverse
after(fediverse.close)

const { db } = testServer.ctx
const remote = peer.host('remote.test')
const { keys } = await remote.createActor('first')
const alice = await testServer.createUser({ username: 'alice' })
let rounds = 0

/** Returns the activities of a new actor in order, and a function that reads their final result. */
async function makeHistory() {
  const bob = await remote.createActor(`bob${(rounds += 1)}`, { keys })
  const localStatus = (await alice.client.post('/api/v1/statuses', { status: `round ${rounds}` })).body
  const at = (seconds: number) => new Date(Date.now() - 600_000 + seconds * 1000).toISOString()
  const addressed = { cc: [uriOf(alice)], published: at(0) }
  const [remaining, deleted] = [bob.note({ ...addressed, content: 'version 0' }), bob.note(addressed)]
  const version = (n: number) => bob.activity('Update', { ...remaining, content: `version ${n}`, updated: at(n) })
  const [follow, like, reblog, block] = [
    bob.activity('Follow', uriOf(alice)),
    bob.activity('Like', localStatus.uri),
    bob.activity('Announce', localStatus.uri, { published: at(1) }),
    bob.activity('Block', uriOf(alice)),
  ]
  const activities: Activity[] = [
    bob.activity('Create', remaining),
    version(1),
    version(2),
    version(3),
    bob.activity('Create', deleted),
    bob.activity('Update', { ...deleted, content: 'changed', updated: at(1) }),
    bob.activity('Delete', deleted['id']),
    follow,
    bob.activity('Undo', follow),
    like,
    bob.activity('Undo', like),
    reblog,
    bob.activity('Undo', reblog),
    block,
    bob.activity('Undo', block),
  ]
  const outcome = async () => {
    const { rows } = await sql<{ content: string }>`
      select content from statuses where account_id = (select id from accounts where uri = ${bob.id})`.execute(db)
    const { rows: relationships } = await sql<{ n: number }>`
      select (select count(*)::int from follows f where f.account_id = a.id)
        + (select count(*)::int from favourites f where f.account_id = a.id)
        + (select count(*)::int from blocks b where b.account_id = a.id) as n
      from accounts a where a.uri = ${bob.id}`.execute(db)
    const { body } = await alice.client.get(`/api/v1/statuses/${localStatus.id}`)
    return {
      contents: rows.map((row) => row.content),
      relationships: relationships[0]?.n,
      counts: [body.favourites_count, body.reblogs_count],
    }
  }
  return { bob, activities, outcome }
}

test(
  'F16 FP6 a history has the same result in any order, with repetitions, concurrently or sequentially',
  { timeout: 300_000 },
  async () => {
    const order = fc.record({
      positions: fc.array(fc.nat(), { minLength: 15, maxLength: 15 }),
      twice: fc.subarray(Array.from({ length: 15 }, (_one, n) => n)),
      atOnce: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(order, async ({ positions, twice, atOnce }) => {
        const { bob, activities, outcome } = await makeHistory()
        const shuffled = activities
          .map((activity, n) => ({ activity, position: positions[n]! }))
          .toSorted((a, b) => a.position - b.position)
        const startedAt = new Date()
        const once = shuffled.map(({ activity }, n) => ({
          activity,
          to: n % 2 === 0 ? `${origin}/inbox` : `${uriOf(alice)}/inbox`,
          // At once: in the same second, since an Undo must not be signed before what it undoes.
          signedAt: atOnce ? startedAt : (null as Date | null),
        }))
        const sent = [...once, ...twice.map((n) => once[n]!)]
        // A repetition is the same request with the same signature.
        const send = async (request: (typeof once)[number]) => {
          const now = (request.signedAt ??= new Date())
          assert.equal((await bob.send(request.activity, { to: request.to, now })).status, 202)
        }
        if (atOnce) await Promise.all(sent.map(send))
        else {
          for (const request of sent) {
            await send(request)
            await testServer.waitForJobs({ retries: 3 })
          }
        }
        await testServer.waitForJobs({ retries: 3 })
        assert.deepEqual(await outcome(), { contents: ['version 3'], relationships: 0, counts: [0, 0] })
      }),
      // Without shrinking, whose deliveries would exceed the throttle of the host and hide the failure.
      { numRuns: 15, endOnFailure: true },
    )
  },
)
