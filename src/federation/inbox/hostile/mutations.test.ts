// Slow: plays through random histories.
// In a process of its own: measures processor time, of which the garbage collection of other files would be a part.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import { PUBLIC } from '../../../../test/federation/peer/actor.ts'
import type { Activity } from '../../../../test/federation/peer/inbox.ts'
import { measureEventLoopBlock } from '../../../../test/performance/measure-event-loop-block.ts'

const fediverse = await openFediverse({ hosts: ['remote.test', 'other.test'] })
const { testServer, peer, uriOf, origin, countRows } = fediverse
after(fediverse.close)

const bob = await peer.host('remote.test').createActor('bob')
const mallory = await peer.host('other.test').createActor('mallory', { keys: bob.keys })
const alice = await testServer.createUser({ username: 'alice' })
const localStatus = (await alice.client.post('/api/v1/statuses', { status: 'canary' })).body
const note = bob.note({
  cc: [uriOf(alice)],
  summary: 'x',
  inReplyTo: localStatus.uri,
  contentMap: { en: '<p>x</p>' },
  tag: [
    { type: 'Mention', href: uriOf(alice), name: '@alice' },
    { type: 'Hashtag', name: '#tag' },
    { type: 'Emoji', name: ':e:', icon: { type: 'Image', url: 'https://remote.test/e.png' } },
  ],
  attachment: [{ type: 'Document', mediaType: 'image/png', url: 'https://remote.test/1.png', focalPoint: [0, 0] }],
  replies: { type: 'Collection', totalItems: 3 },
})
const question = bob.note({
  type: 'Question',
  cc: [uriOf(alice)],
  oneOf: [
    { type: 'Note', name: 'a', replies: { totalItems: 1 } },
    { type: 'Note', name: 'b' },
  ],
  endTime: '2027-01-01T00:00:00Z',
})
const follow = bob.activity('Follow', uriOf(alice))
const KINDS: readonly Activity[] = [
  bob.activity('Create', note, { to: [PUBLIC] }),
  bob.activity('Create', question),
  bob.activity('Update', { ...note, content: 'y', updated: '2026-12-01T00:00:00Z' }),
  bob.activity('Update', bob.document),
  bob.activity('Delete', { type: 'Tombstone', id: note['id'] }),
  follow,
  bob.activity('Accept', { type: 'Follow', actor: uriOf(alice), object: bob.id }),
  bob.activity('Reject', { type: 'Follow', actor: uriOf(alice), object: bob.id }),
  bob.activity('Like', localStatus.uri),
  bob.activity('Announce', localStatus.uri),
  bob.activity('Block', uriOf(alice)),
  ...['Follow', 'Like', 'Announce', 'Block', 'Accept'].map((type) =>
    bob.activity('Undo', bob.activity(type, type === 'Follow' || type === 'Block' ? uriOf(alice) : localStatus.uri)),
  ),
]

/** URLs and texts with a meaning for some component. */
const SPECIAL_VALUES = [
  bob.id,
  bob.keyId,
  bob.followersUrl,
  mallory.id,
  mallory.note()['id'],
  note['id'],
  localStatus.uri,
  uriOf(alice),
  origin,
  `${origin}/actor`,
  PUBLIC,
  'as:Public',
  'https://remote.test/',
  'http://remote.test/x',
  'https://remote.test:1/x',
  'javascript:x',
  '',
  '\0',
  '\ud800',
  '__proto__',
  '9999-12-31T23:59:59Z',
  '9999-12-31T23:59:59-14:00',
  '0000-01-01T00:00:00Z',
  // Within the limit of characters, but too many bytes for an index of the database.
  `https://remote.test/${Array.from({ length: 1_900 }, (_, n) => String.fromCodePoint(0x4e00 + ((n * 7_919) % 20_000))).join('')}`,
  '2026-02-30',
  '<script>x</script>',
  'Follow',
  'Note',
  'Person',
  '@id',
] as string[]

const value = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<unknown>(...SPECIAL_VALUES) },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(null, true, 0, -1, 1e30, 2 ** 53, [], {}, [[]], [null]) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom(...KINDS).map((kind): unknown => kind['object']) },
)
const change = fc.record({
  at: fc.nat(),
  how: fc.constantFrom('replace', 'remove', 'wrap', 'rename', 'double', 'add'),
  value,
  name: fc.constantFrom('id', 'type', 'actor', 'object', 'attributedTo', 'to', 'tag', 'url', '@graph', 'toString'),
})
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

type Property = { holder: Record<string, unknown>; name: string }

/** Returns all properties of a document at any depth, including list items. */
function propertiesOf(node: unknown, properties: Property[] = []): Property[] {
  if (typeof node !== 'object' || node === null) return properties
  for (const [name, inner] of Object.entries(node)) {
    properties.push({ holder: node as Record<string, unknown>, name })
    propertiesOf(inner, properties)
  }
  return properties
}

function mutate(activity: Activity, changes: readonly Change[]): Activity {
  const copy = structuredClone(activity)
  for (const { at, how, value: next, name: other } of changes) {
    const properties = propertiesOf(copy)
    const { holder, name } = properties[at % properties.length] ?? { holder: copy, name: 'x' }
    const before = holder[name]
    if (how === 'replace') holder[name] = structuredClone(next)
    else if (how === 'remove') delete holder[name]
    else if (how === 'wrap') holder[name] = [before]
    else if (how === 'double') holder[name] = [before, structuredClone(before)]
    else if (how === 'add') holder[other] = structuredClone(next)
    else {
      delete holder[name]
      holder[other] = before
    }
  }
  return copy
}

const mutated = fc
  .tuple(fc.nat(), fc.array(change, { minLength: 1, maxLength: 4 }))
  .map(([kind, changes]) => mutate(KINDS[kind % KINDS.length]!, changes))

/** Gives an activity a new id, so that it is not a repetition of a received one. */
let count = 0
const renew = (activity: Activity): Activity =>
  activity['id'] === follow['id'] || typeof activity['id'] === 'string'
    ? { ...activity, id: `${bob.id}/activities/mutated-${(count += 1)}` }
    : activity

test('IN1 an activity without a valid signature has no effect, whatever it contains', async () => {
  await bob.send(follow)
  await testServer.waitForJobs()
  const before = await countRows()
  const wrong = { keyId: bob.keyId, privateKey: (await peer.host('other.test').createActor('eve')).keys.privateKey }
  await fc.assert(
    fc.asyncProperty(mutated, fc.constantFrom('unsigned', 'wrong'), async (activity, how) => {
      const { status } = await bob.send(renew(activity), how === 'wrong' ? { signer: wrong } : { as: 'unsigned' })
      assert.equal(status, 401)
    }),
    { numRuns: 100 },
  )
  await testServer.waitForJobs()
  assert.deepEqual(await countRows(), before)
})

test(
  'IN11 an activity with any mutation is accepted or refused, without internal errors',
  { timeout: 300_000 },
  async () => {
    const seen = new Set<number>()
    const longest = await measureEventLoopBlock(async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(mutated, { minLength: 20, maxLength: 20 }),
          fc.boolean(),
          async (activities, hasNewIds) => {
            for (const activity of activities) {
              const { status } = await bob.send(hasNewIds ? renew(activity) : activity)
              seen.add(status)
              assert.ok(status < 500, `${status} for ${JSON.stringify(activity)}`)
            }
            // A job that fails because of an activity would be retried, and delay this.
            await testServer.waitForJobs()
          },
        ),
        { numRuns: 15 },
      )
    })
    assert.ok(longest < 250, `${longest} ms`)
    assert.deepEqual(
      [...seen].toSorted((a, b) => a - b),
      [202, 400, 401],
    )
    assert.match((await alice.client.get(`/api/v1/statuses/${localStatus.id}`)).body.content, /canary/)
    const { rows } = await sql`select from jobs j where last_error is not null`.execute(testServer.ctx.db)
    assert.equal(rows.length, 0)
  },
)
