import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { openFediverse } from '../../../../../../test/federation/fediverse.ts'
import type { PeerActor } from '../../../../../../test/federation/peer/actor.ts'
import {
  createRemoteAccount,
  createRemoteStatus,
  uniqueName,
} from '../../../../../../test/federation/remote-records.ts'
import { limit, suspend } from '../../../../../../test/features/moderation.ts'
import { createImage } from '../../../../../../test/media/images.ts'

const fediverse = await openFediverse({ hosts: ['loud.test', 'sub.bad.test', 'images.test', 'flags.test'] })
const { testServer, peer, uriOf, deliver, followEachOther, waitForAnswer } = fediverse
after(fediverse.close)
const { ctx, anonymous, waitForJobs } = testServer
const { client } = await testServer.createUser({ role: 'owner', scopes: 'read write admin:read admin:write' })
const PATH = '/api/v1/admin/domain_blocks'

async function block(domain: string, settings: object): Promise<string> {
  const { status, body } = await client.post(PATH, { domain, ...settings })
  assert.equal(status, 200, JSON.stringify(body))
  await waitForJobs()
  return body.id
}

async function update(id: string, settings: object): Promise<void> {
  assert.equal((await client.put(`${PATH}/${id}`, settings)).status, 200)
  await waitForJobs()
}

async function remove(id: string): Promise<void> {
  assert.equal((await client.delete(`${PATH}/${id}`)).status, 200)
  await waitForJobs()
}

/** Creates an account of a domain; `host` is the host of its URI. */
function createRemote(domain: string, host = domain): Promise<string> {
  const name = uniqueName('guest')
  return createRemoteAccount(ctx, { handle: { username: name, domain }, uri: `https://${host}/users/${name}` })
}

/** Returns for each account whether it is limited, suspended or neither. */
async function statesOf(ids: readonly string[]): Promise<('limited' | 'suspended' | null)[]> {
  return Promise.all(
    ids.map(async (id) => {
      const { body } = await anonymous.get(`/api/v1/accounts/${id}`)
      return body.suspended ? 'suspended' : body.limited ? 'limited' : null
    }),
  )
}

const publicTimeline = async () =>
  (await anonymous.get('/api/v1/timelines/public?remote=true')).body.map(({ id }: { id: string }) => id)

const follow = (actor: PeerActor, user: { accountId: string }) => actor.activity('Follow', uriOf(user))

suite('a block', () => {
  test('that limits a domain limits its accounts, known and new, until it is removed', async () => {
    const actor = await peer.host('loud.test').createActor('loud')
    const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
    const accountId = await followEachOther(alice, actor)
    const statusId = await createRemoteStatus(ctx, { accountId })
    assert.deepEqual([await statesOf([accountId]), await publicTimeline()], [[null], [statusId]])
    const id = await block('LOUD.test', { severity: 'silence' })
    const later = await createRemote('sub.loud.test')
    assert.deepEqual([await statesOf([accountId, later]), await publicTimeline()], [['limited', 'limited'], []])
    // Followers still see the statuses, and follows from the domain need approval.
    const [first] = (await alice.client.get('/api/v1/timelines/home')).body
    assert.equal(first.id, statusId)
    assert.equal((await alice.client.get(`/api/v1/statuses/${statusId}`)).status, 200)
    await deliver(actor, follow(actor, bob))
    const requests = async () => (await bob.client.get('/api/v1/follow_requests')).body.length
    assert.equal(await requests(), 1)
    await remove(id)
    assert.deepEqual([await statesOf([accountId, later]), await publicTimeline()], [[null, null], [statusId]])
    const carol = await testServer.createUser()
    await deliver(actor, follow(actor, carol))
    assert.equal((await carol.client.get(`/api/v1/accounts/${carol.accountId}`)).body.followers_count, 1)
  })

  test('that suspends a domain hides its accounts, and nothing is accepted or sent, until it is removed', async () => {
    const host = peer.host('sub.bad.test')
    const actor = await host.createActor('eve')
    const alice = await testServer.createUser()
    const accountId = await followEachOther(alice, actor)
    const statusId = await createRemoteStatus(ctx, { accountId })
    await waitForJobs()
    const id = await block('bad.test', { severity: 'suspend' })
    assert.deepEqual(await statesOf([accountId]), ['suspended'])
    assert.equal((await alice.client.get(`/api/v1/statuses/${statusId}`)).status, 404)
    assert.ok(!(await publicTimeline()).includes(statusId))
    const [notification] = (await alice.client.get('/api/v1/notifications')).body
    assert.deepEqual(
      [notification.type, notification.event.target_name, notification.event.following_count],
      ['severed_relationships', 'bad.test', 1],
    )
    assert.equal(await waitForAnswer(actor.send(follow(actor, alice))), 403)
    const before = host.requests.length
    assert.equal((await alice.client.post(`/api/v1/accounts/${accountId}/follow`)).status, 404)
    await alice.client.post('/api/v1/statuses', { status: 'Hello @eve@sub.bad.test' })
    await waitForJobs()
    assert.equal(host.requests.length, before)
    await remove(id)
    assert.deepEqual(await statesOf([accountId]), [null])
    assert.equal((await alice.client.get(`/api/v1/statuses/${statusId}`)).status, 200)
    await deliver(actor, follow(actor, alice))
    await followEachOther(alice, actor)
    assert.ok(host.requests.length > before)
  })

  test('with `reject_media` neither serves nor fetches media until it is removed', async () => {
    const host = peer.host('images.test')
    const bytes = await createImage('png')
    host.serveAt('/a.png', () => ({ status: 200, headers: { 'content-type': 'image/png' }, body: bytes }))
    const accountId = await createRemoteAccount(ctx, {
      handle: { username: uniqueName('pics'), domain: 'images.test' },
      uri: `https://images.test/users/${uniqueName()}`,
      avatar: { url: 'https://images.test/a.png', description: '' },
    })
    const { avatar } = (await anonymous.get(`/api/v1/accounts/${accountId}`)).body
    const request = async () => (await testServer.server.inject(new URL(avatar).pathname)).statusCode
    assert.equal(await request(), 200)
    const id = await block('images.test', { severity: 'noop', reject_media: true })
    const before = host.requests.length
    assert.deepEqual([await request(), host.requests.length], [404, before])
    await remove(id)
    assert.deepEqual([await request(), host.requests.length], [200, before + 1])
  })

  test('with `reject_reports` ignores reports until it is removed', async () => {
    const instance = await peer.host('flags.test').createActor('flags.test', { type: 'Application' })
    const alice = await testServer.createUser()
    const count = async () =>
      (await client.get(`/api/v1/admin/reports?target_account_id=${alice.accountId}`)).body.length
    const id = await block('flags.test', { severity: 'noop', reject_reports: true })
    await deliver(instance, instance.activity('Flag', [uriOf(alice)]))
    assert.equal(await count(), 0)
    await remove(id)
    await deliver(instance, instance.activity('Flag', [uriOf(alice)]))
    assert.equal(await count(), 1)
  })

  test('leaves limits and suspensions of single accounts as they are', async () => {
    const [limited, suspended, own, plain] = [
      await createRemote('mixed.test'),
      await createRemote('mixed.test'),
      await createRemote('mixed.test'),
      await createRemote('mixed.test'),
    ]
    await limit(ctx, { accountId: limited })
    await suspend(ctx, { accountId: suspended })
    const all = [limited, suspended, own, plain]
    const id = await block('mixed.test', { severity: 'suspend' })
    assert.deepEqual(await statesOf(all), ['suspended', 'suspended', 'suspended', 'suspended'])
    // This suspension becomes one of the account itself.
    await suspend(ctx, { accountId: own })
    await update(id, { severity: 'silence' })
    assert.deepEqual(await statesOf(all), ['limited', 'suspended', 'suspended', 'limited'])
    await update(id, { severity: 'noop' })
    assert.deepEqual(await statesOf(all), ['limited', 'suspended', 'suspended', null])
    await update(id, { severity: 'suspend' })
    await remove(id)
    assert.deepEqual(await statesOf(all), ['limited', 'suspended', 'suspended', null])
  })

  test('applies to subdomains without a block of their own, and to accounts by the host of their URI', async () => {
    const [top, sub, exception, other, similar] = [
      await createRemote('tree.test'),
      await createRemote('sub.tree.test'),
      await createRemote('fine.tree.test'),
      await createRemote('elsewhere.test', 'www.tree.test'),
      await createRemote('nottree.test'),
    ]
    const all = [top, sub, exception, other, similar]
    const exceptionId = await block('fine.tree.test', { severity: 'noop' })
    const id = await block('tree.test', { severity: 'silence' })
    assert.deepEqual(await statesOf(all), ['limited', 'limited', null, 'limited', null])
    const strict = await block('sub.tree.test', { severity: 'suspend' })
    assert.deepEqual(await statesOf(all), ['limited', 'suspended', null, 'limited', null])
    await remove(exceptionId)
    await remove(strict)
    assert.deepEqual(await statesOf(all), ['limited', 'limited', 'limited', 'limited', null])
    await remove(id)
    assert.deepEqual(await statesOf(all), [null, null, null, null, null])
  })
})
