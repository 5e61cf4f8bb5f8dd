import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { countQueries } from '../../../test/performance/count-queries.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'
import { assertEntity } from '../../../test/http/entities/entity-schemas.ts'
import type { RelationshipWithObjects } from '../../entities/accounts/relationship.ts'
import { renderRelationships } from './render-relationships.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)

const PATH = '/api/v1/accounts/relationships'
const act = (from: TestUser, action: string, to: TestUser, body: object = {}) =>
  from.client.post(`/api/v1/accounts/${to.accountId}/${action}`, body)

const alice = await testServer.createUser()
const [followed, requested, muted, blocked, unrelated] = [
  await testServer.createUser(),
  await testServer.createUser({ locked: true }),
  await testServer.createUser(),
  await testServer.createUser(),
  await testServer.createUser(),
]
await act(alice, 'follow', followed, { reblogs: false, notify: true, languages: ['en'] })
await act(followed, 'follow', alice)
await act(alice, 'follow', requested)
await act(alice, 'mute', muted, { notifications: false, duration: 600 })
await act(alice, 'block', blocked)
const order = [unrelated, blocked, muted, requested, followed, alice].map((user) => user.accountId)

test('relationships are in the requested order, without duplicates and unknown ids', async () => {
  const { body } = await alice.client.get(PATH, { id: [...order, '999999', 'x', order[0]] })
  assert.deepEqual(
    body.map(({ id }: { id: string }) => id),
    order,
  )
  for (const relationship of body) assertEntity('Relationship', relationship)
  const nothing = {
    following: false,
    showing_reblogs: false,
    notifying: false,
    languages: null,
    followed_by: false,
    blocking: false,
    blocked_by: false,
    muting: false,
    muting_notifications: false,
    muting_expires_at: null,
    requested: false,
    requested_by: false,
    domain_blocking: false,
    endorsed: false,
    note: '',
  }
  const expected = [
    nothing,
    { ...nothing, blocking: true },
    { ...nothing, muting: true, muting_expires_at: body[2].muting_expires_at },
    { ...nothing, requested: true, showing_reblogs: true },
    { ...nothing, following: true, notifying: true, languages: ['en'], followed_by: true },
    nothing,
  ]
  assert.deepEqual(
    body,
    expected.map((fields, n) => ({ id: order[n], ...fields })),
  )
  assert.equal((await alice.client.get(`${PATH}?id=${order[0]}`)).body.length, 1)
  assert.deepEqual((await alice.client.get(PATH)).body, [])
})

test('the object form is returned only if it is requested', async () => {
  const { body } = await alice.client.get<RelationshipWithObjects[]>(PATH, { id: order, relationship_format: 'object' })
  for (const relationship of body) assertEntity('RelationshipWithObjects', relationship)
  const forms = body.map(({ following, requested, muting }) => ({ following, requested, muting }))
  assert.deepEqual(forms, [
    { following: false, requested: false, muting: false },
    { following: false, requested: false, muting: false },
    { following: false, requested: false, muting: { notifications: false } },
    { following: false, requested: { reblogs: true }, muting: false },
    { following: { reblogs: false, notify: true }, requested: false, muting: false },
    { following: false, requested: false, muting: false },
  ])
  const muteAgain = await alice.client.post(`/api/v1/accounts/${order[2]}/mute?relationship_format=object`)
  assert.deepEqual([muteAgain.body.muting, muteAgain.body.muting_notifications], [{ notifications: true }, true])
  for (const word of ['', 'boolean', 'OBJECT']) {
    const plain = await alice.client.get(`${PATH}?id[]=${order[4]}&relationship_format=${word}`)
    assert.equal(plain.body[0].following, true)
  }
})

test('relationships with any number of accounts take one statement', async () => {
  const count = (ids: string[]) =>
    countQueries(() => renderRelationships(testServer.ctx, { ids, viewerId: alice.accountId }))
  assert.deepEqual([await count([]), await count(order.slice(0, 1)), await count(order)], [0, 1, 1])
})
