import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { openFediverse } from '../../../test/federation/fediverse.ts'
import type { PeerActor } from '../../../test/federation/peer/actor.ts'
import { respondWith } from '../../../test/federation/peer/behaviour.ts'
import type { PeerRequest } from '../../../test/federation/peer/behaviour.ts'
import { makeJobsDue } from '../../../test/jobs/make-jobs-due.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'
import { createWebServer, openApp } from '../../app.ts'
import { createLog } from '../../platform/log/log.ts'
import { deliverToHost } from '../delivery/deliver-to-host.ts'
import { pruneDeliveries } from '../delivery/prune-deliveries.ts'
import { ensureActorKey } from '../keys/actor-keys.ts'
import { parsePublicKey } from '../signatures/keys.ts'
import { isSignedBy, parseSignature } from '../signatures/verify.ts'
import { rotateKey } from './rotate-key.ts'

const fediverse = await openFediverse({ hosts: ['remote.test', 'other.test'] })
after(fediverse.close)
const { testServer, peer, origin, uriOf, deliver } = fediverse
const { ctx } = testServer
const remote = peer.host('remote.test')
const admin = await testServer.createUser({ role: 'admin', scopes: 'read write admin:write' })

/** The key in an actor document, as a web server serves it. */
async function servedKey(user: TestUser, server: Pick<typeof testServer.server, 'inject'> = testServer.server) {
  const url = `/ap/users/${user.accountId}`
  const { body } = await server.inject({ url, headers: { accept: 'application/activity+json' } })
  return JSON.parse(body).publicKey.publicKeyPem as string
}

async function rotate(user: TestUser): Promise<void> {
  const { status, body } = await admin.client.post(`/api/v1/admin/accounts/${user.accountId}/rotate_keys`)
  assert.deepEqual([status, body], [200, {}])
}

/** Returns a user with a new remote follower. The peer has fetched the user's actor document. */
async function createFollowed(host = remote): Promise<{ user: TestUser; follower: PeerActor }> {
  const user = await testServer.createUser()
  const follower = await host.createActor(`follower${user.accountId}`)
  await deliver(follower, follower.activity('Follow', uriOf(user)))
  await follower.inbox.next(({ type, actor }) => type === 'Accept' && actor === uriOf(user))
  return { user, follower }
}

function isSignedWith({ request }: { request: PeerRequest }, pem: string, host = remote): boolean {
  const headers = request.headers as Record<string, string>
  const received = { ...request, headers, url: host.origin + request.path, now: new Date() }
  return isSignedBy(parseSignature(headers)!, { request: received, publicKey: parsePublicKey(pem)! })
}

const post = async (user: TestUser) => {
  assert.equal((await user.client.post('/api/v1/statuses', { status: 'Hello' })).status, 200)
  await testServer.waitForJobs()
}

const sentKeys = () => ctx.db.selectFrom('sent_activities').select('signing_key').where('signing_key', 'is not', null)

suite('the rotation of a key', () => {
  for (const spec of ['cavage', 'rfc9421'] as const) {
    test(`sends an Update with the new key, signed with the former one; the new key signs what follows (${spec})`, async () => {
      remote.acceptedSpecs = spec
      const { user, follower } = await createFollowed()
      const former = await servedKey(user)
      const rejected = remote.rejected.length
      await rotate(user)
      const update = await follower.inbox.next(({ type }) => type === 'Update')
      const present = await servedKey(user)
      assert.notEqual(present, former)
      const { object, id } = update.activity
      assert.deepEqual(object.publicKey, { id: `${uriOf(user)}#main-key`, owner: uriOf(user), publicKeyPem: present })
      assert.ok(String(id).startsWith(`${uriOf(user)}#keys/`))
      assert.deepEqual([isSignedWith(update, former), isSignedWith(update, present)], [true, false])
      assert.equal(update.spec, spec)

      await post(user)
      const create = await follower.inbox.next(({ type }) => type === 'Create')
      assert.deepEqual([isSignedWith(create, former), isSignedWith(create, present)], [false, true])
      assert.equal(create.spec, spec)
      // At most one request was signed by the other scheme; none by a wrong key.
      assert.ok(remote.rejected.slice(rejected).every(({ reason }) => reason.endsWith('is not accepted here')))
      remote.acceptedSpecs = 'both'
    })
  }

  test('reaches a server that was down, whose pending deliveries before it are signed with the new key', async () => {
    const other = peer.host('other.test')
    const { user, follower } = await createFollowed(other)
    other.behave('/inbox', respondWith(500))
    await user.client.send({
      method: 'PATCH',
      url: '/api/v1/accounts/update_credentials',
      payload: { display_name: 'Before' },
    })
    await makeJobsDue(ctx, 'deliverProfile')
    await testServer.waitForJobs()
    await post(user)
    await rotate(user)
    await testServer.waitForJobs()
    assert.equal((await sentKeys().execute()).length > 0, true)
    await pruneDeliveries(ctx)
    assert.equal(
      (await sentKeys().where('account_id', '=', user.accountId).execute()).length,
      1,
      'needed by a delivery',
    )
    other.recover()
    await sql`update deliveries set next_attempt_at = now() where state = 'pending'`.execute(ctx.db)
    await sql`update hosts set retry_after = null`.execute(ctx.db)
    await makeJobsDue(ctx, 'deliverToHost')
    await deliverToHost(ctx, { domain: 'other.test' })
    await testServer.waitForJobs()
    const update = await follower.inbox.next(({ type }) => type === 'Update')
    const create = await follower.inbox.next(({ type }) => type === 'Create')
    const present = await servedKey(user)
    assert.equal(update.activity['object'].publicKey.publicKeyPem, present)
    assert.equal(update.activity['object'].name, 'Before')
    assert.equal(follower.inbox.all('Update').length, 1, 'the Update with the former key is not sent any more')
    assert.equal(isSignedWith(create, present, other), true)
    await pruneDeliveries(ctx)
    assert.deepEqual(await sentKeys().where('account_id', '=', user.accountId).execute(), [], 'erased')
  })

  test('also reaches the servers of the accounts that the user follows', async () => {
    const other = peer.host('other.test')
    const user = await testServer.createUser()
    const followed = await other.createActor(`followed${user.accountId}`)
    await fediverse.followEachOther(user, followed)
    const former = await servedKey(user)
    await rotate(user)
    const update = await followed.inbox.next(({ type }) => type === 'Update')
    assert.equal(isSignedWith(update, former, other), true)
    assert.equal(update.activity['object'].publicKey.publicKeyPem, await servedKey(user))
  })

  test('a server that has fetched the actor since accepts the Update by the new key', async () => {
    const { user, follower } = await createFollowed()
    const former = await servedKey(user)
    remote.behave('/inbox', respondWith(503), { times: 1 })
    await rotate(user)
    await testServer.waitForJobs()
    await sql`update hosts set retry_after = null`.execute(ctx.db)
    // A delivery by the new key makes the peer fetch the actor again.
    await sql`update deliveries set next_attempt_at = now() + interval '1 day' where state = 'pending'`.execute(ctx.db)
    await post(user)
    await follower.inbox.next(({ type }) => type === 'Create')
    await sql`update deliveries set next_attempt_at = now() where state = 'pending'`.execute(ctx.db)
    await deliverToHost(ctx, { domain: 'remote.test' })
    const update = await follower.inbox.next(({ type }) => type === 'Update')
    assert.deepEqual([isSignedWith(update, former), isSignedWith(update, await servedKey(user))], [false, true])
  })

  test('an Update whose key was replaced again is never signed with the present key', async () => {
    const { user, follower } = await createFollowed()
    remote.behave('/inbox', respondWith(503), { times: 1 })
    await rotate(user)
    await testServer.waitForJobs()
    await sql`update hosts set retry_after = null`.execute(ctx.db)
    await sql`update deliveries set next_attempt_at = now() + interval '1 day' where state = 'pending'`.execute(ctx.db)
    await rotate(user)
    await follower.inbox.next(({ type }) => type === 'Update')
    await testServer.waitForJobs()
    await sql`update deliveries set next_attempt_at = now() where state = 'pending'`.execute(ctx.db)
    await deliverToHost(ctx, { domain: 'remote.test' })
    const keys = follower.inbox.all('Update').map(({ object }) => object.publicKey.publicKeyPem)
    assert.deepEqual(keys, [await servedKey(user)])
    await sql`delete from deliveries where state = 'pending'`.execute(ctx.db)
  })

  test('happens once if its job runs twice, and again if it is requested again', async () => {
    const { user, follower } = await createFollowed()
    const keys = new Set([await servedKey(user)])
    for (let n = 0; n < 2; n += 1) await rotateKey(ctx, { accountId: user.accountId, version: 1 })
    keys.add(await servedKey(user))
    await Promise.all([1, 2, 3].map(() => rotateKey(ctx, { accountId: user.accountId, version: 2 })))
    keys.add(await servedKey(user))
    await testServer.waitForJobs()
    assert.equal(keys.size, 3)
    const updates = follower.inbox.all('Update').map(({ object }) => object.publicKey.publicKeyPem)
    assert.deepEqual(new Set(updates), new Set([...keys].slice(1)))
    assert.equal(updates.length, 2)
  })

  test('is seen at once by another process: by its actor documents, and by the keys with which it signs', async () => {
    const app = await openApp(ctx.config, {
      connection: testServer.connection,
      log: createLog('fatal'),
      extraCa: peer.ca,
    })
    const { server, streaming } = await createWebServer(app)
    try {
      await server.ready()
      const { user, follower } = await createFollowed()
      const former = await servedKey(user, server)
      assert.equal((await ensureActorKey(app.ctx, user)).publicKeyPem, former)
      await rotate(user)
      await testServer.waitForJobs()
      const present = await servedKey(user)
      assert.notEqual(present, former)
      assert.equal(await servedKey(user, server), present)
      remote.behave('/inbox', respondWith(503), { times: 1 })
      await post(user)
      await sql`update deliveries set next_attempt_at = now() where state = 'pending'`.execute(ctx.db)
      await sql`update hosts set retry_after = null`.execute(ctx.db)
      await deliverToHost(app.ctx, { domain: 'remote.test' })
      const create = await follower.inbox.next(({ type }) => type === 'Create')
      assert.equal(isSignedWith(create, present), true)
    } finally {
      await streaming.close()
      await server.close()
      await app.close()
    }
  })

  test('stores both private keys encrypted', async () => {
    const { user } = await createFollowed()
    const before = await ensureActorKey(ctx, user)
    remote.behave('/inbox', respondWith(503), { times: 1 })
    await rotate(user)
    await testServer.waitForJobs()
    const present = await ensureActorKey(ctx, user)
    const { signing_key: former } = await sentKeys().where('account_id', '=', user.accountId).executeTakeFirstOrThrow()
    const row = await ctx.db
      .selectFrom('actor_keys')
      .selectAll()
      .where('account_id', '=', user.accountId)
      .executeTakeFirstOrThrow()
    for (const [stored, { privateKey }] of [
      [former!, before],
      [row.private_key!, present],
    ] as const)
      assert.ok(!stored.includes(privateKey.export({ type: 'pkcs8', format: 'der' }).subarray(100, 132)))
    assert.deepEqual([row.version, row.key_id], [2, `${origin}/ap/users/${user.accountId}#main-key`])
  })
})
