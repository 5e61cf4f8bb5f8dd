import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createImage } from '../../../../../test/media/images.ts'
import { uploadFile } from '../../../../../test/http/upload-file.ts'
import { walkPages } from '../../../../../test/http/walk-pages.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'

const testServer = await openTestServer({ env: { DB_POOL: '10' } })
after(testServer.close)

const post = async (author: TestUser, fields: object = {}): Promise<string> =>
  (await author.client.post('/api/v1/statuses', { status: 'a post', ...fields })).body.id
const act = (user: TestUser, id: string, action: string) => user.client.post(`/api/v1/statuses/${id}/${action}`)
const pinnedOf = async (viewer: Pick<TestUser, 'client'>, author: TestUser, filter = {}) =>
  (await viewer.client.get(`/api/v1/accounts/${author.accountId}/statuses`, { pinned: true, ...filter })).body.map(
    ({ id }: { id: string }) => id,
  )
const notificationTypesOf = async (user: TestUser) => {
  await testServer.waitForJobs()
  return (await user.client.get('/api/v1/notifications')).body.map(({ type }: { type: string }) => type)
}

suite('pinned statuses', () => {
  test('are listed latest first, for viewers who may see them', async () => {
    const [alice, friend] = [await testServer.createUser(), await testServer.createUser()]
    await friend.client.post(`/api/v1/accounts/${alice.accountId}/follow`)
    const [publicId, privateId, unlisted] = [
      await post(alice),
      await post(alice, { visibility: 'private' }),
      await post(alice, { visibility: 'unlisted' }),
    ]
    for (const id of [unlisted, privateId, publicId]) assert.equal((await act(alice, id, 'pin')).body.pinned, true)
    await act(alice, unlisted, 'pin')
    assert.deepEqual(await pinnedOf(alice, alice), [publicId, privateId, unlisted])
    assert.deepEqual(await pinnedOf(friend, alice), [publicId, privateId, unlisted])
    // VI7
    assert.deepEqual(await pinnedOf(await testServer.createUser(), alice), [publicId, unlisted])
    assert.deepEqual(await pinnedOf({ client: testServer.anonymous }, alice), [publicId, unlisted])
    const path = `/api/v1/accounts/${alice.accountId}/statuses?pinned=true&limit=2`
    assert.deepEqual(await walkPages(alice.client, path), [[publicId, privateId], [unlisted]])
    assert.equal((await act(alice, privateId, 'unpin')).body.pinned, false)
    assert.deepEqual(await pinnedOf(friend, alice), [publicId, unlisted])
    assert.equal('pinned' in (await friend.client.get(`/api/v1/statuses/${publicId}`)).body, false)
  })

  test('are filtered like the other statuses of an account', async () => {
    const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
    const { body: media } = await uploadFile(alice, await createImage('png'))
    const plain = await post(alice)
    const tagged = await post(alice, { status: 'about #Cafés' })
    const reply = await post(alice, { in_reply_to_id: await post(bob) })
    const picture = await post(alice, { media_ids: [media.id] })
    for (const id of [plain, tagged, reply, picture]) await act(alice, id, 'pin')
    assert.deepEqual(await pinnedOf(bob, alice, { only_media: true }), [picture])
    assert.deepEqual(await pinnedOf(bob, alice, { exclude_replies: true }), [picture, tagged, plain])
    assert.deepEqual(await pinnedOf(bob, alice, { tagged: 'cafés' }), [tagged])
    assert.deepEqual(await pinnedOf(bob, alice, { tagged: '%' }), [])
    assert.deepEqual(await pinnedOf(bob, alice, { tagged: 'cafés', only_media: true }), [])
    const both = { exclude_reblogs: true, exclude_direct: true }
    assert.deepEqual(await pinnedOf(bob, alice, both), [picture, reply, tagged, plain])
    const path = `/api/v1/accounts/${alice.accountId}/statuses?pinned=true&exclude_replies=true&limit=2`
    assert.deepEqual(await walkPages(bob.client, path), [[picture, tagged], [plain]])
  })

  test('are at most five, also with six concurrent requests', async () => {
    const alice = await testServer.createUser()
    const ids: string[] = []
    for (let n = 0; n < 6; n += 1) ids.push(await post(alice))
    const statuses = (await Promise.all(ids.map((id) => act(alice, id, 'pin')))).map(({ status }) => status)
    assert.deepEqual(
      statuses.toSorted((a, b) => a - b),
      [200, 200, 200, 200, 200, 422],
    )
    assert.equal((await pinnedOf(alice, alice)).length, 5)
    const unpinned = ids[statuses.indexOf(422)]!
    const full = await act(alice, unpinned, 'pin')
    assert.deepEqual(full.body, { error: 'Validation failed: You have already pinned the maximum number of posts' })
    await act(alice, ids[statuses.indexOf(200)]!, 'unpin')
    assert.equal((await act(alice, unpinned, 'pin')).status, 200)
  })

  test('must be the user’s own: no boosts, no direct statuses, none of other authors', async () => {
    const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
    const [foreign, direct] = [await post(bob), await post(alice, { visibility: 'direct' })]
    const reblog = (await act(alice, foreign, 'reblog')).body.id
    for (const [id, reason] of [
      [foreign, "Someone else's post cannot be pinned"],
      [direct, 'Posts that are only visible to mentioned users cannot be pinned'],
      [reblog, 'A boost cannot be pinned'],
    ] as const) {
      const { status, body } = await act(alice, id, 'pin')
      assert.equal(status, 422)
      assert.deepEqual(body, { error: `Validation failed: ${reason}` })
    }
    assert.equal((await act(alice, foreign, 'unpin')).status, 404)
    assert.equal((await act(bob, direct, 'pin')).status, 404)
  })
})

suite('a muted conversation', () => {
  test('creates no notifications for any of its statuses until it is unmuted', async () => {
    const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
    const root = await post(alice)
    const mention = () => post(bob, { status: `@${alice.username} more`, in_reply_to_id: root })
    await mention()
    const before = await notificationTypesOf(alice)
    assert.deepEqual(before, ['mention'])
    const { body } = await act(alice, root, 'mute')
    assert.equal(body.muted, true)
    const reply = await mention()
    assert.equal((await alice.client.get(`/api/v1/statuses/${reply}`)).body.muted, true)
    assert.equal((await bob.client.get(`/api/v1/statuses/${reply}`)).body.muted, false)
    await act(bob, root, 'favourite')
    assert.deepEqual(await notificationTypesOf(alice), before)
    assert.equal((await act(alice, reply, 'unmute')).body.muted, false)
    await mention()
    assert.deepEqual(await notificationTypesOf(alice), ['mention', 'mention'])
  })
})

suite('reblogged_by and favourited_by', () => {
  test('list only public and unlisted boosts, for every viewer', async () => {
    const author = await testServer.createUser()
    const id = await post(author)
    const rebloggers = new Map<string, TestUser>()
    for (const visibility of ['public', 'unlisted', 'private']) {
      const reblogger = await testServer.createUser()
      rebloggers.set(visibility, reblogger)
      await author.client.post(`/api/v1/accounts/${reblogger.accountId}/follow`)
      assert.equal((await reblogger.client.post(`/api/v1/statuses/${id}/reblog`, { visibility })).status, 200)
    }
    const listed = ['unlisted', 'public'].map((visibility) => rebloggers.get(visibility)!.accountId)
    for (const { client } of [author, rebloggers.get('private')!, { client: testServer.anonymous }]) {
      const { body } = await client.get(`/api/v1/statuses/${id}/reblogged_by`)
      assert.deepEqual(
        body.map((account: { id: string }) => account.id),
        listed,
      )
    }
  })

  test('leave out accounts with a block in either direction, and muted ones; a hidden status gets 404', async () => {
    const [author, fan, blocked, blocker, muter] = [
      await testServer.createUser(),
      await testServer.createUser(),
      await testServer.createUser(),
      await testServer.createUser(),
      await testServer.createUser(),
    ]
    await fan.client.post(`/api/v1/accounts/${author.accountId}/follow`)
    const visible = await post(author)
    for (const action of ['favourite', 'reblog']) await act(fan, visible, action)
    await fan.client.post(`/api/v1/accounts/${blocked.accountId}/block`)
    await blocker.client.post(`/api/v1/accounts/${fan.accountId}/block`)
    await muter.client.post(`/api/v1/accounts/${fan.accountId}/mute`)
    const hidden = await post(author, { visibility: 'private' })
    await act(fan, hidden, 'favourite')
    for (const list of ['favourited_by', 'reblogged_by']) {
      const path = (id: string) => `/api/v1/statuses/${id}/${list}`
      for (const { client } of [blocked, blocker, muter]) assert.deepEqual((await client.get(path(visible))).body, [])
      assert.equal((await author.client.get(path(visible))).body.length, 1)
      // VI1
      assert.deepEqual(await blocked.client.get(path(hidden)).then(({ status, body }) => [status, body]), [
        404,
        (await blocked.client.get(path('1'))).body,
      ])
    }
  })
})

suite('interactions with statuses that have become hidden', () => {
  test('an own reblog can be deleted, and undone by its id, after the author has blocked the user', async () => {
    const [author, user] = [await testServer.createUser(), await testServer.createUser()]
    const reblogs: string[] = []
    for (let n = 0; n < 2; n += 1) reblogs.push((await act(user, await post(author), 'reblog')).body.id)
    const [deleted, undone] = reblogs as [string, string]
    await author.client.post(`/api/v1/accounts/${user.accountId}/block`)
    const unrelatedUser = await testServer.createUser()
    assert.equal((await unrelatedUser.client.delete(`/api/v1/statuses/${deleted}`)).status, 404)
    const answer = await user.client.delete(`/api/v1/statuses/${deleted}`)
    assert.deepEqual([answer.status, answer.body.id, answer.body.content, answer.body.reblog], [200, deleted, '', null])
    assert.deepEqual(
      [(await act(user, undone, 'unreblog')).status, (await act(user, undone, 'unreblog')).status],
      [200, 404],
    )
    for (const id of reblogs) assert.equal((await testServer.anonymous.get(`/api/v1/statuses/${id}`)).status, 404)
    const { body: account } = await testServer.anonymous.get(`/api/v1/accounts/${user.accountId}`)
    assert.equal(account.statuses_count, 0)
  })

  test('a favourite and a bookmark can be removed by the id of a reblog whose author has blocked the user', async () => {
    const [author, booster, user] = await Promise.all([1, 2, 3].map(() => testServer.createUser()))
    const { id } = (await act(booster!, await post(author!), 'reblog')).body
    for (const action of ['favourite', 'bookmark']) assert.equal((await act(user!, id, action)).status, 200)
    await booster!.client.post(`/api/v1/accounts/${user!.accountId}/block`)
    for (const action of ['unfavourite', 'unbookmark']) {
      assert.deepEqual(
        [(await act(user!, id, action)).status, (await act(user!, id, action)).status],
        [200, 404],
        action,
      )
    }
  })
})
