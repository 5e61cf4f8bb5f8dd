import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { blockDomainAsStaff, suspend } from '../../../../test/features/moderation.ts'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import type { PeerActor } from '../../../../test/federation/peer/actor.ts'

const fediverse = await openFediverse({
  hosts: ['remote.test', 'blocked.test', 'sub.blocked.test', 'silent.test', 'third.test'],
})
const { testServer, peer, origin, uriOf, waitForAnswer, expectRejected } = fediverse
after(fediverse.close)

const { ctx } = testServer
const { db } = ctx
const remote = peer.host('remote.test')
const bob = await remote.createActor('bob')
const alice = await testServer.createUser({ username: 'alice' })
let names = 0
const createRemoteActor = () => remote.createActor(`account${(names += 1)}`, { keys: bob.keys })
const like = (actor: PeerActor) => actor.activity('Like', `${origin}/nothing`)
const follow = (actor: PeerActor, user = alice) => actor.activity('Follow', uriOf(user))

suite('a suspended sender', () => {
  test('IN24 on a suspended domain or its subdomains is refused, and nothing is requested from it', async () => {
    await blockDomainAsStaff(ctx, 'blocked.test', { severity: 'suspend' })
    for (const name of ['blocked.test', 'sub.blocked.test']) {
      const host = peer.host(name)
      const eve = await host.createActor('eve', { keys: bob.keys })
      for (const type of ['Follow', 'Like', 'Delete', 'Undo']) {
        assert.equal(await expectRejected(eve, eve.activity(type, uriOf(alice))), 403)
      }
      assert.equal(host.requests.length, 0)
    }
  })

  test('IN24 VI15 is refused in any spelling of its domain', async () => {
    const eve = await peer.host('blocked.test').createActor('eve', { keys: bob.keys })
    for (const host of ['BLOCKED.test', 'blocked.test.', 'blocked.test:443', 'sub.Blocked.TEST']) {
      const keyId = `https://${host}/users/eve#main-key`
      const activity = { ...follow(eve), actor: `https://${host}/users/eve`, id: `https://${host}/1` }
      assert.equal(
        await expectRejected(eve, activity, { signer: { keyId, privateKey: eve.keys.privateKey } }),
        403,
        host,
      )
    }
    assert.equal(peer.host('blocked.test').requests.length, 0)
  })

  test('IN24 on a suspended server can still undo activities, if its key is stored', async () => {
    const { body: status } = await alice.client.post('/api/v1/statuses', { status: 'likeable' })
    const countFavourites = async () =>
      (await alice.client.get(`/api/v1/statuses/${status.id}`)).body.favourites_count as number
    const host = peer.host('silent.test')
    const eve = await host.createActor('eve', { keys: bob.keys })
    const activity = eve.activity('Like', status.uri)
    await eve.send(activity)
    await testServer.waitForJobs()
    assert.equal(await countFavourites(), 1)
    await blockDomainAsStaff(ctx, 'silent.test', { severity: 'suspend' })
    await testServer.waitForJobs()
    const requestsBefore = host.requests.length
    assert.equal(await expectRejected(eve, like(eve)), 403)
    assert.equal(await waitForAnswer(eve.send(eve.activity('Undo', activity))), 202)
    await testServer.waitForJobs()
    assert.equal(await countFavourites(), 0)
    assert.equal(host.requests.length, requestsBefore)
  })

  test('IN24 with a suspended account can only undo activities', async () => {
    const user = await testServer.createUser()
    const actor = await createRemoteActor()
    const activity = follow(actor, user)
    await actor.send(activity)
    await testServer.waitForJobs()
    const { body: followers } = await user.client.get(`/api/v1/accounts/${user.accountId}/followers`)
    await suspend(ctx, { accountId: followers[0].id })
    const note = actor.note({ cc: [uriOf(user)] })
    const update = actor.activity('Update', { ...actor.document, name: 'Changed' })
    for (const one of [like(actor), actor.activity('Create', note), update])
      assert.equal(await expectRejected(actor, one), 202)
    await actor.send(actor.activity('Undo', activity))
    await testServer.waitForJobs()
    const { rows } = await sql`select from follows where target_account_id = ${user.accountId}`.execute(db)
    assert.equal(rows.length, 0)
  })

  test('IN24 that staff suspended by the API is dropped before its key or another document is fetched', async () => {
    const moderator = await testServer.createUser({ role: 'moderator', scopes: 'admin:write' })
    const user = await testServer.createUser()
    const actor = await remote.createActor('dropped')
    const accountId = await fediverse.followEachOther(user, actor)
    const act = (path: string, payload = {}) =>
      moderator.client.post(`/api/v1/admin/accounts/${accountId}/${path}`, payload)
    assert.equal((await act('action', { type: 'suspend' })).status, 200)
    await testServer.waitForJobs()
    // Its key is not stored any more, as after a rotation.
    await sql`delete from actor_keys where owner_uri = ${actor.id}`.execute(db)
    const requestsBefore = remote.requests.length
    const update = actor.activity('Update', { ...actor.document, name: 'Changed' })
    const note = actor.note({ cc: [uriOf(user)], inReplyTo: uriOf(user) })
    for (const one of [update, like(actor), follow(actor, user), actor.activity('Create', note)]) {
      assert.ok([202, 401, 403].includes(await expectRejected(actor, one)))
    }
    assert.equal(remote.requests.length, requestsBefore)
  })

  test('IN24 that staff suspended by the API is not fetched because of boosts, replies or forwarded activities', async () => {
    const moderator = await testServer.createUser({ role: 'moderator', scopes: 'admin:write' })
    const user = await testServer.createUser()
    const actor = await remote.createActor('quoted_by_others')
    const carol = await peer.host('third.test').createActor('carol', { keys: bob.keys })
    await fediverse.followEachOther(user, carol)
    const accountId = await fediverse.followEachOther(user, actor)
    const stored = actor.note()
    const thread = carol.note()
    await fediverse.deliver(actor, actor.activity('Create', stored))
    await fediverse.deliver(carol, carol.activity('Create', thread))
    const path = `/api/v1/admin/accounts/${accountId}/action`
    assert.equal((await moderator.client.post(path, { type: 'suspend' })).status, 200)
    await testServer.waitForJobs()
    await sql`delete from actor_keys where owner_uri = ${actor.id}`.execute(db)
    const requestsBefore = remote.requests.length

    const unknown = actor.note()
    const reply = actor.note({ inReplyTo: thread['id'] })
    const forwarded = actor.activity('Create', reply, {
      signature: {
        type: 'RsaSignature2017',
        creator: actor.keyId,
        created: '2026-01-01T00:00:00Z',
        signatureValue: 'eA==',
      },
    })
    const wrapped = carol.activity('Announce', actor.activity('Create', unknown))
    const edit = { ...forwarded, id: `${actor.id}#edit`, type: 'Update', object: stored }
    const answers = [
      ...[stored, unknown].map((note) => carol.activity('Announce', note['id'])),
      wrapped,
      ...[stored, unknown].map((note) => carol.activity('Create', carol.note({ inReplyTo: note['id'] }))),
      carol.activity('Create', carol.note({ quote: unknown['id'], quoteUrl: unknown['id'] })),
      forwarded,
      edit,
    ]
    for (const activity of answers) assert.equal((await carol.send(activity)).status, 202)
    await testServer.waitForJobs()
    assert.equal(remote.requests.length, requestsBefore)
    for (const note of [unknown, reply]) assert.equal(await fediverse.findStatus(note['id']), undefined)
    const { body: home } = await user.client.get('/api/v1/timelines/home')
    assert.ok(home.every((one: { reblog: unknown }) => one.reblog === null))
  })

  test('IN24 that staff suspended is not fetched as an author of replies in a thread', async () => {
    const user = await testServer.createUser()
    const actor = await remote.createActor('replies_to_others')
    const accountId = await fediverse.followEachOther(user, actor)
    const third = peer.host('third.test')
    const dave = await third.createActor('dave', { keys: bob.keys })
    const reply = actor.note()
    const published = new Date(Date.now() - 3_600_000).toISOString()
    const root = dave.note({ published })
    Object.assign(reply, { inReplyTo: root['id'] })
    root['replies'] = third.serveCollection('/replies-of-root', [reply['id']], { type: 'Collection' })
    await suspend(ctx, { accountId })
    await testServer.waitForJobs()
    const requestsBefore = remote.requests.length
    const { body: found } = await user.client.get('/api/v2/search', { q: root['id'], resolve: true, type: 'statuses' })
    const { status, headers } = await user.client.get(`/api/v1/statuses/${found.statuses[0].id}/context`)
    assert.deepEqual([status, headers['mastodon-async-refresh'] !== undefined], [200, true])
    await testServer.waitForJobs()
    assert.ok(third.requests.some(({ path }) => path === '/replies-of-root'))
    assert.equal(remote.requests.length, requestsBefore)
  })

  test('that its own server suspended is unsuspended by an Update of that server', async () => {
    const actor = await createRemoteActor()
    await actor.send(follow(actor))
    await testServer.waitForJobs()
    await actor.send(actor.activity('Update', { ...actor.document, suspended: true }))
    await testServer.waitForJobs()
    const isSuspended = async () =>
      (
        await sql<{
          suspended: boolean
        }>`select suspended_at is not null as suspended from accounts where uri = ${actor.id}`.execute(db)
      ).rows[0]!.suspended
    assert.equal(await isSuspended(), true)
    assert.equal(await expectRejected(actor, follow(actor, await testServer.createUser())), 202)
    await actor.send(actor.activity('Update', actor.document))
    await testServer.waitForJobs()
    assert.equal(await isSuspended(), false)
  })

  test('or any other that is unknown causes no request by its Delete or Update', async () => {
    const actor = await createRemoteActor()
    const requestsBefore = remote.requests.length
    for (const type of ['Delete', 'Update']) {
      for (const object of [actor.id, { ...actor.document }]) {
        assert.equal(await expectRejected(actor, actor.activity(type, object)), 202)
      }
    }
    assert.equal(remote.requests.length, requestsBefore)
  })
})
