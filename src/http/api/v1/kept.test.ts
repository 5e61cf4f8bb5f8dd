import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { walkPages } from '../../../../test/walk.ts'
import { assertOnWire } from '../../../../test/wire.ts'
import { openWorld } from '../../../../test/world.ts'
import type { Person } from '../../../../test/world.ts'

const world = await openWorld({ env: { DB_POOL: '10' } })
after(world.close)

const post = async (author: Person, fields: object = {}): Promise<string> =>
  (await author.client.post('/api/v1/statuses', { status: 'worth keeping', ...fields })).body.id
const act = (person: Person, id: string, action: string) => person.client.post(`/api/v1/statuses/${id}/${action}`)
const idsOf = async (person: Person, path: string) =>
  (await person.client.get(path)).body.map(({ id }: { id: string }) => id)

const LISTS = [
  ['/api/v1/favourites', 'favourite', 'unfavourite', 'favourited'],
  ['/api/v1/bookmarks', 'bookmark', 'unbookmark', 'bookmarked'],
] as const

for (const [path, keep, drop, key] of LISTS) {
  test(`${path} holds each ${key} status once, in the order in which it came there`, async () => {
    const [alice, bob] = [await world.createPerson(), await world.createPerson()]
    const ids: string[] = []
    for (let n = 0; n < 7; n += 1) ids.push(await post(bob))
    // So that the first cursor of all is nobody's whose pages are walked.
    await act(bob, ids[0]!, keep)
    const order = [3, 0, 6, 1, 5, 2, 4].map((n) => ids[n]!)
    for (const id of order) assert.equal((await act(alice, id, keep)).body[key], true)
    await act(alice, order[0]!, keep)
    const pages = await walkPages(alice.client, `${path}?limit=3`)
    assert.deepEqual(pages.flat(), order.toReversed())
    assert.deepEqual(
      pages.map((page) => page.length),
      [3, 3, 1],
    )
    const up = await walkPages(alice.client, `${path}?limit=3&min_id=1`, 'prev')
    assert.deepEqual(up.toReversed().flat(), order.toReversed())
    const { body } = await alice.client.get(path, { limit: 1 })
    assertOnWire('Status', body[0])
    assert.equal(body[0][key], true)
    assert.equal((await act(alice, order[0]!, drop)).body[key], false)
    assert.equal((await act(alice, order[0]!, drop)).body[key], false)
    assert.deepEqual(await idsOf(alice, path), order.slice(1).toReversed())
    assert.deepEqual(await idsOf(bob, path), [ids[0]])
  })

  test(`VI9 VI20 ${path} leaves out what was deleted or may not be seen any more, and what is hidden can still be dropped`, async () => {
    const [alice, bob] = [await world.createPerson(), await world.createPerson()]
    await alice.client.post(`/api/v1/accounts/${bob.accountId}/follow`)
    const [open, secret, gone] = [await post(bob), await post(bob, { visibility: 'private' }), await post(bob)]
    for (const id of [open, secret, gone]) assert.equal((await act(alice, id, keep)).status, 200)
    await bob.client.delete(`/api/v1/statuses/${gone}`)
    assert.deepEqual(await idsOf(alice, path), [secret, open])
    await alice.client.post(`/api/v1/accounts/${bob.accountId}/unfollow`)
    assert.deepEqual(await idsOf(alice, path), [open])
    assert.equal((await act(alice, secret, keep)).status, 404)
    await act(alice, secret, drop)
    await alice.client.post(`/api/v1/accounts/${bob.accountId}/follow`)
    assert.deepEqual(await idsOf(alice, path), [open])
  })
}

test('VI1 whoever drops what they may not see any more is not told what it says now', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const id = await post(bob, { status: 'for all' })
  for (const keep of ['favourite', 'reblog', 'bookmark']) await act(alice, id, keep)
  await bob.client.post(`/api/v1/accounts/${alice.accountId}/block`)
  const edit = {
    status: 'not for @alice #secret',
    spoiler_text: 'hush',
    poll: { options: ['a', 'b'], expires_in: 600 },
  }
  assert.equal((await bob.client.put(`/api/v1/statuses/${id}`, edit)).status, 200)
  for (const [drop, key] of [
    ['unfavourite', 'favourited'],
    ['unreblog', 'reblogged'],
    ['unbookmark', 'bookmarked'],
  ] as const) {
    const { status, body } = await act(alice, id, drop)
    assertOnWire('Status', body)
    assert.deepEqual([status, body.id, body[key]], [200, id, false])
    assert.deepEqual(
      [body.content, body.spoiler_text, body.tags, body.poll, body.edited_at],
      ['', '', [], null, null],
      drop,
    )
    assert.equal((await act(alice, id, drop)).status, 404)
  }
})

test('a bookmark is nobody else’s business: no counter, no notification, and of a boost it is the original’s', async () => {
  const [alice, bob, carol] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
  const id = await post(bob)
  const boost = (await act(carol, id, 'reblog')).body.id
  const { body } = await act(alice, boost, 'bookmark')
  assert.deepEqual([body.id, body.bookmarked, body.favourites_count], [id, true, 0])
  await world.settle()
  const kinds = (await bob.client.get('/api/v1/notifications')).body.map(({ type }: { type: string }) => type)
  assert.deepEqual(kinds, ['reblog'])
  assert.equal((await bob.client.get(`/api/v1/statuses/${id}`)).body.bookmarked, false)
})

test('BI17 fifty bookmarks at once are one', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const id = await post(bob)
  const answers = await Promise.all(Array.from({ length: 50 }, () => act(alice, id, 'bookmark')))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  assert.deepEqual(await idsOf(alice, '/api/v1/bookmarks'), [id])
})
