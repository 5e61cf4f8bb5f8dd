import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { suspend } from '../../../../test/features/moderation.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'

const testServer = await openTestServer()
after(testServer.close)

const act = (from: TestUser, action: string, to: Pick<TestUser, 'accountId'>) =>
  from.client.post(`/api/v1/accounts/${to.accountId}/${action}`)
const listOwn = async (user: TestUser, query = '') =>
  (await user.client.get(`/api/v1/endorsements${query}`)).body.map(({ id }: { id: string }) => id)
const listAs = async (viewer: Pick<TestUser, 'client'>, owner: TestUser) =>
  (await viewer.client.get(`/api/v1/accounts/${owner.accountId}/endorsements`)).body.map(({ id }: { id: string }) => id)
const anonymous = { client: testServer.anonymous }

test('a followed account can be endorsed, by either name of the action, and everyone can see the endorsement', async () => {
  const [alice, bob, carol] = [
    await testServer.createUser(),
    await testServer.createUser(),
    await testServer.createUser(),
  ]
  for (const other of [bob, carol]) await act(alice, 'follow', other)
  const { status, body } = await act(alice, 'endorse', bob)
  assert.deepEqual([status, body.id, body.endorsed, body.following], [200, bob.accountId, true, true])
  assert.equal((await act(alice, 'endorse', bob)).status, 200)
  assert.equal((await act(alice, 'pin', carol)).body.endorsed, true)
  assert.deepEqual(await listOwn(alice), [carol.accountId, bob.accountId])
  assert.deepEqual(await listAs(anonymous, alice), [carol.accountId, bob.accountId])
  assert.equal((await act(alice, 'unendorse', bob)).body.endorsed, false)
  assert.equal((await act(alice, 'unpin', carol)).body.endorsed, false)
  assert.equal((await act(alice, 'unpin', carol)).status, 200)
  assert.deepEqual([await listOwn(alice), await listAs(anonymous, alice)], [[], []])
})

test('one’s own account, accounts that are not followed and unknown accounts cannot be endorsed', async () => {
  const [alice, locked, follower] = [
    await testServer.createUser(),
    await testServer.createUser({ locked: true }),
    await testServer.createUser(),
  ]
  await act(alice, 'follow', locked)
  await act(follower, 'follow', alice)
  for (const other of [alice, locked, follower]) {
    const { status, body } = await act(alice, 'endorse', other)
    assert.deepEqual(
      [status, body.error],
      [422, 'Validation failed: You must be already following the person you want to endorse'],
    )
  }
  for (const action of ['endorse', 'unendorse']) {
    assert.equal((await act(alice, action, { accountId: '999999999' })).status, 404)
    assert.equal((await act(alice, action, await testServer.createUser({ confirmed: false }))).status, 404)
  }
  assert.deepEqual(await listOwn(alice), [])
})

test('an endorsement ends with the follow, whichever account ends it', async () => {
  const alice = await testServer.createUser()
  for (const end of [
    (bob: TestUser) => act(alice, 'unfollow', bob),
    (bob: TestUser) => act(bob, 'remove_from_followers', alice),
    (bob: TestUser) => act(alice, 'block', bob),
    (bob: TestUser) => act(bob, 'block', alice),
  ]) {
    const bob = await testServer.createUser()
    await act(alice, 'follow', bob)
    await act(alice, 'endorse', bob)
    assert.deepEqual(await listOwn(alice), [bob.accountId])
    await end(bob)
    assert.deepEqual([await listOwn(alice), await listAs(anonymous, alice)], [[], []])
  }
})

test('concurrent endorsing and unfollowing never fails, and leaves no endorsement without a follow', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  for (let round = 0; round < 5; round += 1) {
    await act(alice, 'follow', bob)
    const responses = await Promise.all(
      Array.from({ length: 9 }, (_, n) => act(alice, n % 3 === 2 ? 'unfollow' : 'endorse', bob)),
    )
    assert.ok(responses.every(({ status }) => status === 200 || status === 422))
    assert.deepEqual(await listOwn(alice), [])
  }
})

test('endorsements are hidden from blocked viewers, and leave out suspended accounts and those the viewer blocks or mutes', async () => {
  const [alice, viewer] = [await testServer.createUser(), await testServer.createUser()]
  const [visible, blocked, muted, suspended] = await Promise.all(
    Array.from({ length: 4 }, () => testServer.createUser()),
  )
  for (const one of [visible!, blocked!, muted!, suspended!]) {
    await act(alice, 'follow', one)
    await act(alice, 'endorse', one)
  }
  await act(viewer, 'block', blocked!)
  await act(viewer, 'mute', muted!)
  await suspend(testServer.ctx, suspended!)
  assert.deepEqual(await listAs(viewer, alice), [visible!.accountId])
  assert.deepEqual(
    await listAs(alice, alice),
    [muted!, blocked!, visible!].map(({ accountId }) => accountId),
  )
  assert.deepEqual(
    await listOwn(alice),
    [muted!, blocked!, visible!].map(({ accountId }) => accountId),
  )
  await act(alice, 'block', viewer)
  assert.deepEqual(await listAs(viewer, alice), [])
  const gated = await testServer.createUser({ confirmed: false })
  assert.equal((await testServer.anonymous.get(`/api/v1/accounts/${gated.accountId}/endorsements`)).status, 404)
  await suspend(testServer.ctx, alice)
  assert.deepEqual(await listAs(anonymous, alice), [])
})
