import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { walkPages } from '../../../../../test/http/walk-pages.ts'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'

const testServer = await openTestServer({ env: { DB_POOL: '10' } })
after(testServer.close)

const post = async (author: TestUser, fields: object = {}): Promise<string> =>
  (await author.client.post('/api/v1/statuses', { status: 'worth saving', ...fields })).body.id
const act = (user: TestUser, id: string, action: string) => user.client.post(`/api/v1/statuses/${id}/${action}`)
const idsOf = async (user: TestUser, path: string) =>
  (await user.client.get(path)).body.map(({ id }: { id: string }) => id)

const LISTS = [
  ['/api/v1/favourites', 'favourite', 'unfavourite', 'favourited'],
  ['/api/v1/bookmarks', 'bookmark', 'unbookmark', 'bookmarked'],
] as const

for (const [path, save, undo, key] of LISTS) {
  test(`${path} has each ${key} status once, the latest addition first`, async () => {
    const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
    const ids: string[] = []
    for (let n = 0; n < 7; n += 1) ids.push(await post(bob))
    // So that the first cursor belongs to another user than the one whose pages are read.
    await act(bob, ids[0]!, save)
    const order = [3, 0, 6, 1, 5, 2, 4].map((n) => ids[n]!)
    for (const id of order) assert.equal((await act(alice, id, save)).body[key], true)
    await act(alice, order[0]!, save)
    const pages = await walkPages(alice.client, `${path}?limit=3`)
    assert.deepEqual(pages.flat(), order.toReversed())
    assert.deepEqual(
      pages.map((page) => page.length),
      [3, 3, 1],
    )
    const up = await walkPages(alice.client, `${path}?limit=3&min_id=1`, 'prev')
    assert.deepEqual(up.toReversed().flat(), order.toReversed())
    const { body } = await alice.client.get(path, { limit: 1 })
    assertEntity('Status', body[0])
    assert.equal(body[0][key], true)
    assert.equal((await act(alice, order[0]!, undo)).body[key], false)
    assert.equal((await act(alice, order[0]!, undo)).body[key], false)
    assert.deepEqual(await idsOf(alice, path), order.slice(1).toReversed())
    assert.deepEqual(await idsOf(bob, path), [ids[0]])
  })

  test(`VI9 VI20 ${path} leaves out deleted and hidden statuses; a hidden status can be removed`, async () => {
    const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
    await alice.client.post(`/api/v1/accounts/${bob.accountId}/follow`)
    const [publicId, privateId, deletedId] = [
      await post(bob),
      await post(bob, { visibility: 'private' }),
      await post(bob),
    ]
    for (const id of [publicId, privateId, deletedId]) assert.equal((await act(alice, id, save)).status, 200)
    await bob.client.delete(`/api/v1/statuses/${deletedId}`)
    assert.deepEqual(await idsOf(alice, path), [privateId, publicId])
    await alice.client.post(`/api/v1/accounts/${bob.accountId}/unfollow`)
    assert.deepEqual(await idsOf(alice, path), [publicId])
    assert.equal((await act(alice, privateId, save)).status, 404)
    await act(alice, privateId, undo)
    await alice.client.post(`/api/v1/accounts/${bob.accountId}/follow`)
    assert.deepEqual(await idsOf(alice, path), [publicId])
  })
}

test('VI1 undoing an interaction with a status that is hidden by now returns no content', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const id = await post(bob, { status: 'public' })
  for (const action of ['favourite', 'reblog', 'bookmark']) await act(alice, id, action)
  await bob.client.post(`/api/v1/accounts/${alice.accountId}/block`)
  const edit = {
    status: 'not for @alice #secret',
    spoiler_text: 'hush',
    poll: { options: ['a', 'b'], expires_in: 600 },
  }
  assert.equal((await bob.client.put(`/api/v1/statuses/${id}`, edit)).status, 200)
  for (const [undo, key] of [
    ['unfavourite', 'favourited'],
    ['unreblog', 'reblogged'],
    ['unbookmark', 'bookmarked'],
  ] as const) {
    const { status, body } = await act(alice, id, undo)
    assertEntity('Status', body)
    assert.deepEqual([status, body.id, body[key]], [200, id, false])
    assert.deepEqual(
      [body.content, body.spoiler_text, body.tags, body.poll, body.edited_at],
      ['', '', [], null, null],
      undo,
    )
    assert.equal((await act(alice, id, undo)).status, 404)
  }
})

test('a bookmark has no counter and no notification; bookmarking a boost bookmarks the original', async () => {
  const [alice, bob, carol] = [
    await testServer.createUser(),
    await testServer.createUser(),
    await testServer.createUser(),
  ]
  const id = await post(bob)
  const reblog = (await act(carol, id, 'reblog')).body.id
  const { body } = await act(alice, reblog, 'bookmark')
  assert.deepEqual([body.id, body.bookmarked, body.favourites_count], [id, true, 0])
  await testServer.waitForJobs()
  const types = (await bob.client.get('/api/v1/notifications')).body.map(({ type }: { type: string }) => type)
  assert.deepEqual(types, ['reblog'])
  assert.equal((await bob.client.get(`/api/v1/statuses/${id}`)).body.bookmarked, false)
})

test('BI17 fifty concurrent bookmarks of a status create one', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const id = await post(bob)
  const responses = await Promise.all(Array.from({ length: 50 }, () => act(alice, id, 'bookmark')))
  assert.deepEqual([...new Set(responses.map(({ status }) => status))], [200])
  assert.deepEqual(await idsOf(alice, '/api/v1/bookmarks'), [id])
})
