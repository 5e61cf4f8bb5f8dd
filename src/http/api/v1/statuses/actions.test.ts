import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { walkPages } from '../../../../../test/walk.ts'
import { openWorld } from '../../../../../test/world.ts'
import type { Person } from '../../../../../test/world.ts'

const world = await openWorld({ env: { DB_POOL: '10' } })
after(world.close)

const post = async (author: Person, fields: object = {}): Promise<string> =>
  (await author.client.post('/api/v1/statuses', { status: 'a post', ...fields })).body.id
const act = (person: Person, id: string, action: string) => person.client.post(`/api/v1/statuses/${id}/${action}`)
const pinnedOf = async (viewer: Pick<Person, 'client'>, author: Person) =>
  (await viewer.client.get(`/api/v1/accounts/${author.accountId}/statuses?pinned=true`)).body.map(
    ({ id }: { id: string }) => id,
  )
const kindsOf = async (person: Person) => {
  await world.settle()
  return (await person.client.get('/api/v1/notifications')).body.map(({ type }: { type: string }) => type)
}

suite('pins', () => {
  test('stand on top of the profile, the latest first, for those who may see them', async () => {
    const [alice, friend] = [await world.createPerson(), await world.createPerson()]
    await friend.client.post(`/api/v1/accounts/${alice.accountId}/follow`)
    const [open, secret, unlisted] = [
      await post(alice),
      await post(alice, { visibility: 'private' }),
      await post(alice, { visibility: 'unlisted' }),
    ]
    for (const id of [unlisted, secret, open]) assert.equal((await act(alice, id, 'pin')).body.pinned, true)
    await act(alice, unlisted, 'pin')
    assert.deepEqual(await pinnedOf(alice, alice), [open, secret, unlisted])
    assert.deepEqual(await pinnedOf(friend, alice), [open, secret, unlisted])
    // VI7
    assert.deepEqual(await pinnedOf(await world.createPerson(), alice), [open, unlisted])
    assert.deepEqual(await pinnedOf({ client: world.anonymous }, alice), [open, unlisted])
    const path = `/api/v1/accounts/${alice.accountId}/statuses?pinned=true&limit=2`
    assert.deepEqual(await walkPages(alice.client, path), [[open, secret], [unlisted]])
    assert.equal((await act(alice, secret, 'unpin')).body.pinned, false)
    assert.deepEqual(await pinnedOf(friend, alice), [open, unlisted])
    assert.equal('pinned' in (await friend.client.get(`/api/v1/statuses/${open}`)).body, false)
  })

  test('are five at most, also when six come at once', async () => {
    const alice = await world.createPerson()
    const ids: string[] = []
    for (let n = 0; n < 6; n += 1) ids.push(await post(alice))
    const statuses = (await Promise.all(ids.map((id) => act(alice, id, 'pin')))).map(({ status }) => status)
    assert.deepEqual(
      statuses.toSorted((a, b) => a - b),
      [200, 200, 200, 200, 200, 422],
    )
    assert.equal((await pinnedOf(alice, alice)).length, 5)
    const left = ids[statuses.indexOf(422)]!
    const full = await act(alice, left, 'pin')
    assert.deepEqual(full.body, { error: 'Validation failed: You have already pinned the maximum number of posts' })
    await act(alice, ids[statuses.indexOf(200)]!, 'unpin')
    assert.equal((await act(alice, left, 'pin')).status, 200)
  })

  test('are one’s own posts only: no boosts, nobody else’s, and nothing direct', async () => {
    const [alice, bob] = [await world.createPerson(), await world.createPerson()]
    const [theirs, direct] = [await post(bob), await post(alice, { visibility: 'direct' })]
    const boost = (await act(alice, theirs, 'reblog')).body.id
    for (const [id, reason] of [
      [theirs, "Someone else's post cannot be pinned"],
      [direct, 'Posts that are only visible to mentioned users cannot be pinned'],
      [boost, 'A boost cannot be pinned'],
    ] as const) {
      const { status, body } = await act(alice, id, 'pin')
      assert.equal(status, 422)
      assert.deepEqual(body, { error: `Validation failed: ${reason}` })
    }
    assert.equal((await act(alice, theirs, 'unpin')).status, 404)
    assert.equal((await act(bob, direct, 'pin')).status, 404)
  })
})

suite('a muted conversation', () => {
  test('notifies of nothing more, wherever in it something happens, until it is unmuted', async () => {
    const [alice, bob] = [await world.createPerson(), await world.createPerson()]
    const root = await post(alice)
    const mention = () => post(bob, { status: `@${alice.username} what I meant`, in_reply_to_id: root })
    await mention()
    const before = await kindsOf(alice)
    assert.deepEqual(before, ['mention'])
    const { body } = await act(alice, root, 'mute')
    assert.equal(body.muted, true)
    const reply = await mention()
    assert.equal((await alice.client.get(`/api/v1/statuses/${reply}`)).body.muted, true)
    assert.equal((await bob.client.get(`/api/v1/statuses/${reply}`)).body.muted, false)
    await act(bob, root, 'favourite')
    assert.deepEqual(await kindsOf(alice), before)
    assert.equal((await act(alice, reply, 'unmute')).body.muted, false)
    await mention()
    assert.deepEqual(await kindsOf(alice), ['mention', 'mention'])
  })
})

suite('those who favourited or boosted', () => {
  test('are listed with public and unlisted boosts only, whoever asks', async () => {
    const author = await world.createPerson()
    const id = await post(author)
    const boosters = new Map<string, Person>()
    for (const visibility of ['public', 'unlisted', 'private']) {
      const booster = await world.createPerson()
      boosters.set(visibility, booster)
      await author.client.post(`/api/v1/accounts/${booster.accountId}/follow`)
      assert.equal((await booster.client.post(`/api/v1/statuses/${id}/reblog`, { visibility })).status, 200)
    }
    const listed = ['unlisted', 'public'].map((visibility) => boosters.get(visibility)!.accountId)
    for (const { client } of [author, boosters.get('private')!, { client: world.anonymous }]) {
      const { body } = await client.get(`/api/v1/statuses/${id}/reblogged_by`)
      assert.deepEqual(
        body.map((account: { id: string }) => account.id),
        listed,
      )
    }
  })

  test('are not shown to whom they block, nor those whom the viewer blocks, nor of a hidden status', async () => {
    const [author, fan, viewer, stranger] = [
      await world.createPerson(),
      await world.createPerson(),
      await world.createPerson(),
      await world.createPerson(),
    ]
    await fan.client.post(`/api/v1/accounts/${author.accountId}/follow`)
    const open = await post(author)
    for (const action of ['favourite', 'reblog']) await act(fan, open, action)
    await fan.client.post(`/api/v1/accounts/${viewer.accountId}/block`)
    await stranger.client.post(`/api/v1/accounts/${fan.accountId}/block`)
    const secret = await post(author, { visibility: 'private' })
    await act(fan, secret, 'favourite')
    for (const list of ['favourited_by', 'reblogged_by']) {
      const path = (id: string) => `/api/v1/statuses/${id}/${list}`
      for (const one of [viewer, stranger]) assert.deepEqual((await one.client.get(path(open))).body, [])
      assert.equal((await author.client.get(path(open))).body.length, 1)
      // VI1
      assert.deepEqual(await viewer.client.get(path(secret)).then(({ status, body }) => [status, body]), [
        404,
        (await viewer.client.get(path('1'))).body,
      ])
    }
  })
})
