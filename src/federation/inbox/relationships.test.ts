import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { openFediverse } from '../../../test/federation/fediverse.ts'
import type { PeerActor } from '../../../test/federation/peer/actor.ts'
import type { Activity } from '../../../test/federation/peer/inbox.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'
import type { Status } from '../../entities/statuses/status.ts'

const fediverse = await openFediverse({ hosts: ['remote.test', 'other.test'] })
const { testServer, peer, uriOf, origin, deliver, notificationsOf } = fediverse
after(fediverse.close)

const { db } = testServer.ctx
const remote = peer.host('remote.test')
const bob = await remote.createActor('bob')
const mallory = await peer.host('other.test').createActor('mallory', { keys: bob.keys })
let names = 0
const createRemoteActor = () => remote.createActor(`account${(names += 1)}`, { keys: bob.keys })

const follow = (actor: PeerActor, user: TestUser) => actor.activity('Follow', uriOf(user))

async function accountOf(user: TestUser, actor: PeerActor): Promise<string> {
  const { body } = await user.client.get('/api/v1/accounts/search', { q: `@${actor.handle}`, resolve: true })
  assert.equal(body[0].acct, actor.handle)
  return body[0].id
}

async function relationshipWith(user: TestUser, actor: PeerActor) {
  const { body } = await user.client.get('/api/v1/accounts/relationships', { id: [await accountOf(user, actor)] })
  return body[0]
}

/** Follows a remote actor. Returns the Follow that it received. */
async function requestFollow(user: TestUser, actor: PeerActor): Promise<Activity> {
  const id = await accountOf(user, actor)
  await user.client.post(`/api/v1/accounts/${id}/follow`)
  const { activity } = await actor.inbox.next(({ type, object }) => type === 'Follow' && object === actor.id)
  return activity
}

/** Returns whether the follow is stored, which API responses only assume until then. */
async function isInPlace(user: TestUser, actor: PeerActor): Promise<boolean> {
  const { rows } = await sql`
    select from follows f join accounts a on a.id = f.target_account_id
    where f.account_id = ${user.accountId} and a.uri = ${actor.id}`.execute(db)
  return rows.length > 0
}

suite('a remote Follow', () => {
  test('of an unlocked account is accepted at once, again for each repeated Follow', async () => {
    const user = await testServer.createUser()
    const [first, second] = [follow(bob, user), follow(bob, user)]
    await deliver(bob, first, second)
    const accepts = [await bob.inbox.next(), await bob.inbox.next()]
    assert.deepEqual(
      accepts.map(({ activity }) => [activity['type'], activity['actor'], activity['object'].id]),
      [first, second].map(({ id }) => ['Accept', uriOf(user), id]),
    )
    assert.equal((await relationshipWith(user, bob)).followed_by, true)
    assert.deepEqual(await notificationsOf(user), ['follow'])
  })

  test('of the instance actor is rejected by the instance actor, again for each repeated Follow', async () => {
    const follower = await createRemoteActor()
    const requests = [follower.activity('Follow', `${origin}/actor`), follower.activity('Follow', `${origin}/actor`)]
    await deliver(follower, ...requests)
    const rejects = [await follower.inbox.next(), await follower.inbox.next()]
    assert.deepEqual(
      rejects.map(({ activity, keyId }) => [activity['type'], activity['actor'], activity['object'].id, keyId]),
      requests.map(({ id }) => ['Reject', `${origin}/actor`, id, `${origin}/actor#main-key`]),
    )
  })

  test('of a locked account is accepted once its owner authorizes it', async () => {
    const user = await testServer.createUser({ locked: true })
    const activity = follow(bob, user)
    await deliver(bob, activity)
    assert.deepEqual(await notificationsOf(user), ['follow_request'])
    const { body } = await user.client.get('/api/v1/follow_requests')
    await user.client.post(`/api/v1/follow_requests/${body[0].id}/authorize`)
    const accept = await bob.inbox.next(({ type, actor }) => type === 'Accept' && actor === uriOf(user))
    assert.equal(accept.activity['object'].id, activity['id'])
  })

  test('FP1 of an account that blocks the actor is rejected', async () => {
    const user = await testServer.createUser()
    await user.client.post(`/api/v1/accounts/${await accountOf(user, bob)}/block`)
    const activity = follow(bob, user)
    await deliver(bob, activity)
    const reject = await bob.inbox.next(({ type, actor }) => type === 'Reject' && actor === uriOf(user))
    assert.equal(reject.activity['object'].id, activity['id'])
    assert.equal((await relationshipWith(user, bob)).followed_by, false)
    assert.deepEqual(await notificationsOf(user), [])
  })

  test('is undone by an Undo in any form', async () => {
    const user = await testServer.createUser()
    const forms = [
      (activity: Activity) => activity,
      (activity: Activity) => activity['id'],
      (activity: Activity) => ({ ...activity, id: undefined }),
      (activity: Activity) => ({ ...activity, id: `${activity['id']}-other` }),
    ]
    for (const form of forms) {
      const activity = follow(bob, user)
      await deliver(bob, activity)
      assert.equal((await relationshipWith(user, bob)).followed_by, true)
      await deliver(bob, bob.activity('Undo', form(activity)))
      assert.equal((await relationshipWith(user, bob)).followed_by, false)
    }
    assert.deepEqual(await notificationsOf(user), [])
  })

  test('FP6 has no effect if its Undo arrives first', async () => {
    const user = await testServer.createUser()
    const [activity, another] = [follow(bob, user), follow(bob, user)]
    await deliver(bob, bob.activity('Undo', activity), bob.activity('Undo', another['id']), activity, another)
    assert.equal((await relationshipWith(user, bob)).followed_by, false)
    const fresh = await createRemoteActor()
    const unknownFollow = follow(fresh, user)
    await deliver(fresh, fresh.activity('Undo', unknownFollow), unknownFollow)
    assert.equal((await relationshipWith(user, fresh)).followed_by, false)
    await deliver(bob, follow(bob, user))
    assert.equal((await relationshipWith(user, bob)).followed_by, true)
  })

  test('IN16 cannot be undone by another actor', async () => {
    const user = await testServer.createUser()
    const activity = follow(bob, user)
    await deliver(bob, activity)
    const neighbour = await createRemoteActor()
    await deliver(mallory, mallory.activity('Undo', activity), mallory.activity('Undo', activity['id']))
    await deliver(neighbour, neighbour.activity('Undo', activity), neighbour.activity('Undo', activity['id']))
    await deliver(mallory, mallory.activity('Undo', { ...activity, actor: mallory.id }))
    assert.equal((await relationshipWith(user, bob)).followed_by, true)
  })
})

suite('a local follow', () => {
  test('IN18 exists once the remote account accepts it, in any form, and brings posts that arrived before', async () => {
    const forms = [
      (activity: Activity) => activity,
      (activity: Activity) => activity['id'],
      (activity: Activity) => ({ ...activity, id: undefined }),
      (activity: Activity) => ({ ...activity, id: 'https://remote.test/their-own-name-for-it' }),
    ]
    for (const form of forms) {
      const [user, actor] = [await testServer.createUser(), await createRemoteActor()]
      const activity = await requestFollow(user, actor)
      const homeOf = async () => (await user.client.get<Status[]>('/api/v1/timelines/home')).body.map(({ uri }) => uri)
      const early = actor.note({ to: [actor.followersUrl], cc: [] })
      await deliver(actor, actor.activity('Create', early))
      assert.deepEqual([await isInPlace(user, actor), await homeOf()], [false, []])
      await deliver(actor, actor.activity('Accept', form(activity)))
      assert.deepEqual([await isInPlace(user, actor), await homeOf()], [true, [early['id']]])
      const later = actor.note({ to: [actor.followersUrl], cc: [] })
      await deliver(actor, actor.activity('Create', later))
      assert.deepEqual(await homeOf(), [later['id'], early['id']])
    }
  })

  test('IN18 ends when the remote account rejects it, also after it was accepted', async () => {
    const [user, actor] = [await testServer.createUser(), await createRemoteActor()]
    const activity = await requestFollow(user, actor)
    await deliver(actor, actor.activity('Reject', activity))
    assert.equal((await relationshipWith(user, actor)).requested, false)
    const another = await requestFollow(user, actor)
    await deliver(actor, actor.activity('Accept', another))
    await deliver(actor, actor.activity('Create', actor.note({ to: [actor.followersUrl], cc: [] })))
    assert.equal((await user.client.get('/api/v1/timelines/home')).body.length, 1)
    await deliver(actor, actor.activity('Reject', another['id']))
    assert.equal(await isInPlace(user, actor), false)
    assert.deepEqual((await user.client.get('/api/v1/timelines/home')).body, [])
  })

  test('is accepted by an Accept with the id of an earlier one', async () => {
    const [user, actor] = [await testServer.createUser(), await createRemoteActor()]
    const id = `${actor.id}#accept`
    const first = await requestFollow(user, actor)
    await deliver(actor, actor.activity('Accept', first, { id }), actor.activity('Reject', first))
    assert.equal(await isInPlace(user, actor), false)
    await deliver(actor, actor.activity('Accept', await requestFollow(user, actor), { id }))
    assert.equal(await isInPlace(user, actor), true)
  })

  test('ends when the remote account undoes its Accept', async () => {
    const [user, actor] = [await testServer.createUser(), await createRemoteActor()]
    const accept = actor.activity('Accept', await requestFollow(user, actor))
    await deliver(actor, accept, actor.activity('Undo', accept))
    assert.equal(await isInPlace(user, actor), false)
  })

  test('IN17 cannot be accepted or rejected by another actor', async () => {
    const [user, actor, neighbour] = [
      await testServer.createUser(),
      await createRemoteActor(),
      await createRemoteActor(),
    ]
    const activity = await requestFollow(user, actor)
    for (const other of [mallory, neighbour]) {
      await deliver(other, other.activity('Accept', activity), other.activity('Accept', activity['id']))
      await deliver(other, other.activity('Accept', { ...activity, object: other.id }))
      await deliver(other, other.activity('Reject', activity), other.activity('Reject', activity['id']))
      assert.equal(await isInPlace(user, other), false)
    }
    assert.equal(await isInPlace(user, actor), false)
    await deliver(actor, actor.activity('Accept', activity))
    assert.equal(await isInPlace(user, actor), true)
  })

  test('IN17 cannot be accepted after it was undone', async () => {
    const [user, actor] = [await testServer.createUser(), await createRemoteActor()]
    const activity = await requestFollow(user, actor)
    await user.client.post(`/api/v1/accounts/${await accountOf(user, actor)}/unfollow`)
    for (const object of [activity, activity['id'], { ...activity, id: undefined }]) {
      await deliver(actor, actor.activity('Accept', object))
    }
    assert.equal(await isInPlace(user, actor), false)
    const newer = await requestFollow(user, actor)
    await deliver(actor, actor.activity('Accept', activity))
    assert.equal(await isInPlace(user, actor), false)
    await deliver(actor, actor.activity('Reject', activity))
    await deliver(actor, actor.activity('Accept', newer))
    assert.equal(await isInPlace(user, actor), true)
  })
})

suite('a remote Block', () => {
  test('removes the follows in both directions, and its Undo does not restore them', async () => {
    const [user, actor] = [await testServer.createUser(), await createRemoteActor()]
    await deliver(actor, actor.activity('Accept', await requestFollow(user, actor)), follow(actor, user))
    const block = actor.activity('Block', uriOf(user))
    await deliver(actor, block)
    const blocked = await relationshipWith(user, actor)
    assert.deepEqual([blocked.followed_by, blocked.blocked_by, await isInPlace(user, actor)], [false, true, false])
    await deliver(mallory, mallory.activity('Undo', block))
    assert.equal((await relationshipWith(user, actor)).blocked_by, true)
    await deliver(actor, actor.activity('Undo', block['id']))
    assert.equal((await relationshipWith(user, actor)).blocked_by, false)
    assert.equal(await isInPlace(user, actor), false)
  })

  test('has no effect if it bans from a community or server, as moderators of Lemmy and PieFed send it', async () => {
    const [user, actor] = [await testServer.createUser(), await createRemoteActor()]
    await deliver(actor, follow(actor, user), actor.activity('Block', uriOf(user), { target: `${bob.id}/community` }))
    const { followed_by: isFollower, blocked_by: isBlocked } = await relationshipWith(user, actor)
    assert.deepEqual([isFollower, isBlocked], [true, false])
  })

  test('FP6 has no effect if its Undo arrives first', async () => {
    const [user, actor] = [await testServer.createUser(), await createRemoteActor()]
    const block = actor.activity('Block', uriOf(user))
    await deliver(actor, actor.activity('Like', `${origin}/x`), actor.activity('Undo', block), block)
    assert.equal((await relationshipWith(user, actor)).blocked_by, false)
  })
})

suite('a remote Like', () => {
  const post = async (user: TestUser, body: object = {}) =>
    (await user.client.post('/api/v1/statuses', { status: 'like me', ...body })).body

  test('of a local status counts once, and an emoji reaction counts as a favourite', async () => {
    const user = await testServer.createUser()
    const status = await post(user)
    const likes = [bob.activity('Like', status.uri), bob.activity('Like', { id: status.uri }, { content: '❤' })]
    await deliver(bob, ...likes)
    assert.deepEqual(await notificationsOf(user), ['favourite'])
    const { body } = await user.client.get(`/api/v1/statuses/${status.id}`)
    assert.equal(body.favourites_count, 1)
  })

  test('IN16 can be undone by its own actor only', async () => {
    const user = await testServer.createUser()
    const count = async (id: string) => (await user.client.get(`/api/v1/statuses/${id}`)).body.favourites_count
    for (const form of [(like: Activity) => like, (like: Activity) => like['id']]) {
      const status = await post(user)
      const activity = bob.activity('Like', status.uri)
      await deliver(bob, activity)
      await deliver(mallory, mallory.activity('Undo', form(activity)))
      assert.equal(await count(status.id), 1)
      await deliver(bob, bob.activity('Undo', form(activity)))
      assert.equal(await count(status.id), 0)
      const early = bob.activity('Like', status.uri)
      await deliver(bob, bob.activity('Undo', form(early)), early)
      assert.equal(await count(status.id), 0)
    }
  })

  test('of a status that the actor cannot see, or of a local-only status, has no effect', async () => {
    const user = await testServer.createUser()
    for (const body of [{ visibility: 'private' }, { visibility: 'direct' }, { local_only: true }]) {
      const status = await post(user, body)
      await deliver(bob, bob.activity('Like', status.uri), bob.activity('Announce', status.uri))
      const seen = (await user.client.get(`/api/v1/statuses/${status.id}`)).body
      assert.deepEqual([seen.favourites_count, seen.reblogs_count], [0, 0])
    }
    assert.deepEqual(await notificationsOf(user), [])
  })
})
