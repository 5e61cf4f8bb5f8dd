import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import type { PeerActor } from '../../../../test/federation/peer/actor.ts'

const fediverse = await openFediverse({ hosts: ['remote.test', 'other.test'] })
const { testServer, peer, origin, uriOf, waitForAnswer, expectRejected } = fediverse
after(fediverse.close)

const remote = peer.host('remote.test')
const other = peer.host('other.test')
const [bob, mallory] = [await remote.createActor('bob'), await other.createActor('mallory')]
const alice = await testServer.createUser({ username: 'alice' })
let names = 0
const createRemoteActor = (host = remote) => host.createActor(`account${(names += 1)}`, { keys: bob.keys })
const like = (actor: PeerActor) => actor.activity('Like', `${origin}/nothing`)
const follow = (actor: PeerActor, user = alice) => actor.activity('Follow', uriOf(user))
const followers = async (user = alice) =>
  (await user.client.get(`/api/v1/accounts/${user.accountId}/followers`)).body.map((one: { acct: string }) => one.acct)

suite('a delivery is refused', () => {
  test('IN1 without a signature that covers the body', async () => {
    assert.equal(await expectRejected(bob, follow(bob), { as: 'unsigned' }), 401)
    for (const as of ['cavage', 'rfc9421'] as const) {
      const swap = (call: { body: Buffer | null }) => void (call.body = Buffer.from(JSON.stringify(like(bob))))
      assert.equal(await expectRejected(bob, follow(bob), { as, tamper: swap }), 401)
      const digest = as === 'cavage' ? 'digest' : 'content-digest'
      const drop = ({ headers }: { headers: Record<string, string> }) => void delete headers[digest]
      assert.equal(await expectRejected(bob, follow(bob), { as, tamper: drop }), 401)
      const redirectToOtherInbox = (call: { url: string }) => void (call.url = `${origin}/actor/inbox`)
      assert.equal(await expectRejected(bob, follow(bob), { as, tamper: redirectToOtherInbox }), 401)
    }
  })

  test('IN2 with a key of another actor, on another or the same server', async () => {
    const signer = { keyId: mallory.keyId, privateKey: mallory.keys.privateKey }
    assert.equal(await expectRejected(bob, follow(bob), { signer }), 401)
    await mallory.send(like(mallory))
    assert.equal(await expectRejected(bob, follow(bob), { signer }), 401)
    const neighbour = await remote.createActor('neighbour')
    assert.equal(await expectRejected(bob, follow(bob), { signer: { ...signer, keyId: neighbour.keyId } }), 401)
    await neighbour.send(like(neighbour))
    const neighbours = { keyId: neighbour.keyId, privateKey: neighbour.keys.privateKey }
    assert.equal(await expectRejected(bob, follow(bob), { signer: neighbours }), 401)
  })

  test('IN3 with a key on another host that claims the actor as its owner', async () => {
    const target = await createRemoteActor()
    const { publicKeyPem } = mallory.keys
    const keyId = `${other.origin}/keys/1`
    other.serve({ id: keyId, type: 'Key', owner: target.id, publicKeyPem })
    const signer = { keyId, privateKey: mallory.keys.privateKey }
    assert.equal(await expectRejected(target, follow(target), { signer }), 401)
    other.serve({ ...target.document, id: keyId, publicKey: { id: keyId, owner: target.id, publicKeyPem } })
    assert.equal(await expectRejected(target, follow(target), { signer: { ...signer, keyId: `${keyId}?2` } }), 401)
  })

  test('IN3 with a key on the same host that the actor does not list', async () => {
    const target = await createRemoteActor()
    const { publicKeyPem } = mallory.keys
    const keyId = `${remote.origin}/uploads/1`
    remote.serve({ id: keyId, type: 'Key', owner: target.id, publicKeyPem })
    assert.equal(
      await expectRejected(target, follow(target), { signer: { keyId, privateKey: mallory.keys.privateKey } }),
      401,
    )
  })

  test('unless the actor references its key, which may have a document of its own', async () => {
    const actor = await createRemoteActor()
    const keyId = `${actor.id}/main-key`
    remote.serve({ id: keyId, type: 'Key', owner: actor.id, publicKeyPem: actor.keys.publicKeyPem })
    actor.document['publicKey'] = keyId
    assert.equal(
      await waitForAnswer(actor.send(like(actor), { signer: { keyId, privateKey: actor.keys.privateKey } })),
      202,
    )
  })

  test('IN4 with a key in another actor’s document, and with several actors', async () => {
    const target = await createRemoteActor()
    const liar = await createRemoteActor(other)
    liar.document['publicKey'].owner = target.id
    liar.document['publicKey'].id = target.keyId
    const signer = { keyId: liar.keyId, privateKey: liar.keys.privateKey }
    assert.equal(await expectRejected(liar, { ...follow(target), id: `${other.origin}/1` }, { signer }), 401)
    for (const actor of [[mallory.id, bob.id], [bob.id, mallory.id], [bob.id, bob.id], [], null, { name: 'bob' }]) {
      assert.equal(await expectRejected(bob, { ...follow(bob), actor }), 400)
    }
  })

  test('IN5 if the activity’s id is not on its actor’s host; the genuine activity is accepted later', async () => {
    const user = await testServer.createUser()
    const activity = follow(mallory, user)
    assert.equal(await expectRejected(bob, { ...follow(bob, user), id: activity['id'] }), 401)
    assert.equal(await waitForAnswer(mallory.send(activity)), 202)
    await testServer.waitForJobs()
    assert.deepEqual(await followers(user), [mallory.handle])
  })

  test('with a key of this server', async () => {
    const signer = { keyId: `${origin}/actor#main-key`, privateKey: mallory.keys.privateKey }
    assert.equal(await expectRejected(bob, follow(bob), { signer }), 401)
  })
})
