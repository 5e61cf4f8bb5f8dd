import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openWorld } from '../../../test/world.ts'
import type { Person } from '../../../test/world.ts'

const world = await openWorld()
after(world.close)

const act = (from: Person, action: string, to: Pick<Person, 'accountId'>) =>
  from.client.post(`/api/v1/accounts/${to.accountId}/${action}`)
const own = async (person: Person, query = '') =>
  (await person.client.get(`/api/v1/endorsements${query}`)).body.map(({ id }: { id: string }) => id)
const shownTo = async (viewer: Pick<Person, 'client'>, owner: Person) =>
  (await viewer.client.get(`/api/v1/accounts/${owner.accountId}/endorsements`)).body.map(({ id }: { id: string }) => id)
const everybody = { client: world.anonymous }

test('whoever is followed can be recommended, by both names of the deed, and everybody sees it', async () => {
  const [alice, bob, carol] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
  for (const other of [bob, carol]) await act(alice, 'follow', other)
  const { status, body } = await act(alice, 'endorse', bob)
  assert.deepEqual([status, body.id, body.endorsed, body.following], [200, bob.accountId, true, true])
  assert.equal((await act(alice, 'endorse', bob)).status, 200)
  assert.equal((await act(alice, 'pin', carol)).body.endorsed, true)
  assert.deepEqual(await own(alice), [carol.accountId, bob.accountId])
  assert.deepEqual(await shownTo(everybody, alice), [carol.accountId, bob.accountId])
  assert.equal((await act(alice, 'unendorse', bob)).body.endorsed, false)
  assert.equal((await act(alice, 'unpin', carol)).body.endorsed, false)
  assert.equal((await act(alice, 'unpin', carol)).status, 200)
  assert.deepEqual([await own(alice), await shownTo(everybody, alice)], [[], []])
})

test('nobody else can be recommended: not oneself, not who is only asked, not nobody', async () => {
  const [alice, locked, stranger] = [
    await world.createPerson(),
    await world.createPerson({ locked: true }),
    await world.createPerson(),
  ]
  await act(alice, 'follow', locked)
  await act(stranger, 'follow', alice)
  for (const other of [alice, locked, stranger]) {
    const { status, body } = await act(alice, 'endorse', other)
    assert.deepEqual(
      [status, body.error],
      [422, 'Validation failed: You must be already following the person you want to endorse'],
    )
  }
  for (const action of ['endorse', 'unendorse']) {
    assert.equal((await act(alice, action, { accountId: '999999999' })).status, 404)
    assert.equal((await act(alice, action, await world.createPerson({ confirmed: false }))).status, 404)
  }
  assert.deepEqual(await own(alice), [])
})

test('a recommendation ends with the follow, whoever ends that', async () => {
  const alice = await world.createPerson()
  for (const end of [
    (bob: Person) => act(alice, 'unfollow', bob),
    (bob: Person) => act(bob, 'remove_from_followers', alice),
    (bob: Person) => act(alice, 'block', bob),
    (bob: Person) => act(bob, 'block', alice),
  ]) {
    const bob = await world.createPerson()
    await act(alice, 'follow', bob)
    await act(alice, 'endorse', bob)
    assert.deepEqual(await own(alice), [bob.accountId])
    await end(bob)
    assert.deepEqual([await own(alice), await shownTo(everybody, alice)], [[], []])
  }
})

test('recommending and unfollowing at the same time never fails, and leaves no recommendation without a follow', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  for (let round = 0; round < 5; round += 1) {
    await act(alice, 'follow', bob)
    const answers = await Promise.all(
      Array.from({ length: 9 }, (_, n) => act(alice, n % 3 === 2 ? 'unfollow' : 'endorse', bob)),
    )
    assert.ok(answers.every(({ status }) => status === 200 || status === 422))
    assert.deepEqual(await own(alice), [])
  }
})

test('recommendations are not shown to who is blocked, nor are people whom the viewer blocks or mutes, or who are suspended', async () => {
  const [alice, viewer] = [await world.createPerson(), await world.createPerson()]
  const [open, blocked, muted, suspended] = await Promise.all(Array.from({ length: 4 }, () => world.createPerson()))
  for (const one of [open!, blocked!, muted!, suspended!]) {
    await act(alice, 'follow', one)
    await act(alice, 'endorse', one)
  }
  await act(viewer, 'block', blocked!)
  await act(viewer, 'mute', muted!)
  await sql`update accounts set suspended_at = now() where id = ${suspended!.accountId}`.execute(world.ctx.db)
  assert.deepEqual(await shownTo(viewer, alice), [open!.accountId])
  assert.deepEqual(
    await shownTo(alice, alice),
    [muted!, blocked!, open!].map(({ accountId }) => accountId),
  )
  assert.deepEqual(
    await own(alice),
    [muted!, blocked!, open!].map(({ accountId }) => accountId),
  )
  await act(alice, 'block', viewer)
  assert.deepEqual(await shownTo(viewer, alice), [])
  const gated = await world.createPerson({ confirmed: false })
  assert.equal((await world.anonymous.get(`/api/v1/accounts/${gated.accountId}/endorsements`)).status, 404)
  await sql`update accounts set suspended_at = now() where id = ${alice.accountId}`.execute(world.ctx.db)
  assert.deepEqual(await shownTo(everybody, alice), [])
})
