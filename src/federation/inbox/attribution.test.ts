import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { openFediverse } from '../../../test/fediverse.ts'
import type { PeerActor } from '../../../test/peer/actor.ts'

const fediverse = await openFediverse({ hosts: ['remote.test', 'other.test'] })
const { world, peer, origin, uriOf, answerTo, refuse } = fediverse
after(fediverse.close)

const remote = peer.host('remote.test')
const other = peer.host('other.test')
const [bob, mallory] = [await remote.createActor('bob'), await other.createActor('mallory')]
const alice = await world.createPerson({ username: 'alice' })
let names = 0
const stranger = (host = remote) => host.createActor(`stranger${(names += 1)}`, { keys: bob.keys })
const like = (actor: PeerActor) => actor.activity('Like', `${origin}/nothing`)
const follow = (actor: PeerActor, person = alice) => actor.activity('Follow', uriOf(person))
const followers = async (person = alice) =>
  (await person.client.get(`/api/v1/accounts/${person.accountId}/followers`)).body.map(
    (one: { acct: string }) => one.acct,
  )

suite('who may say it', () => {
  test('IN1 nobody without a signature over the body', async () => {
    assert.equal(await refuse(bob, follow(bob), { as: 'unsigned' }), 401)
    for (const as of ['cavage', 'rfc9421'] as const) {
      const swap = (call: { body: Buffer | null }) => void (call.body = Buffer.from(JSON.stringify(like(bob))))
      assert.equal(await refuse(bob, follow(bob), { as, tamper: swap }), 401)
      const digest = as === 'cavage' ? 'digest' : 'content-digest'
      const drop = ({ headers }: { headers: Record<string, string> }) => void delete headers[digest]
      assert.equal(await refuse(bob, follow(bob), { as, tamper: drop }), 401)
      const elsewhere = (call: { url: string }) => void (call.url = `${origin}/actor/inbox`)
      assert.equal(await refuse(bob, follow(bob), { as, tamper: elsewhere }), 401)
    }
  })

  test('IN2 nobody for somebody else, whether of another server or of the same', async () => {
    const signer = { keyId: mallory.keyId, privateKey: mallory.keys.privateKey }
    assert.equal(await refuse(bob, follow(bob), { signer }), 401)
    await mallory.send(like(mallory))
    assert.equal(await refuse(bob, follow(bob), { signer }), 401)
    const neighbour = await remote.createActor('neighbour')
    assert.equal(await refuse(bob, follow(bob), { signer: { ...signer, keyId: neighbour.keyId } }), 401)
    await neighbour.send(like(neighbour))
    const neighbours = { keyId: neighbour.keyId, privateKey: neighbour.keys.privateKey }
    assert.equal(await refuse(bob, follow(bob), { signer: neighbours }), 401)
  })

  test('IN3 no key on another host that says whose it is', async () => {
    const target = await stranger()
    const { publicKeyPem } = mallory.keys
    const keyId = `${other.origin}/keys/1`
    other.serve({ id: keyId, type: 'Key', owner: target.id, publicKeyPem })
    const signer = { keyId, privateKey: mallory.keys.privateKey }
    assert.equal(await refuse(target, follow(target), { signer }), 401)
    other.serve({ ...target.document, id: keyId, publicKey: { id: keyId, owner: target.id, publicKeyPem } })
    assert.equal(await refuse(target, follow(target), { signer: { ...signer, keyId: `${keyId}?2` } }), 401)
  })

  test('IN3 no key of the same host that the actor does not list', async () => {
    const target = await stranger()
    const { publicKeyPem } = mallory.keys
    const keyId = `${remote.origin}/uploads/1`
    remote.serve({ id: keyId, type: 'Key', owner: target.id, publicKeyPem })
    assert.equal(await refuse(target, follow(target), { signer: { keyId, privateKey: mallory.keys.privateKey } }), 401)
  })

  test('a key in a document of its own, which the actor names', async () => {
    const actor = await stranger()
    const keyId = `${actor.id}/main-key`
    remote.serve({ id: keyId, type: 'Key', owner: actor.id, publicKeyPem: actor.keys.publicKeyPem })
    actor.document['publicKey'] = keyId
    assert.equal(await answerTo(actor.send(like(actor), { signer: { keyId, privateKey: actor.keys.privateKey } })), 202)
  })

  test('IN4 no key that lies in somebody else’s document, and never two actors', async () => {
    const target = await stranger()
    const liar = await stranger(other)
    liar.document['publicKey'].owner = target.id
    liar.document['publicKey'].id = target.keyId
    const signer = { keyId: liar.keyId, privateKey: liar.keys.privateKey }
    assert.equal(await refuse(liar, { ...follow(target), id: `${other.origin}/1` }, { signer }), 401)
    for (const actor of [[mallory.id, bob.id], [bob.id, mallory.id], [bob.id, bob.id], [], null, { name: 'bob' }]) {
      assert.equal(await refuse(bob, { ...follow(bob), actor }), 400)
    }
  })

  test('IN5 an activity has its id on its actor’s host; the true one still counts later', async () => {
    const person = await world.createPerson()
    const activity = follow(mallory, person)
    assert.equal(await refuse(bob, { ...follow(bob, person), id: activity['id'] }), 401)
    assert.equal(await answerTo(mallory.send(activity)), 202)
    await world.settle()
    assert.deepEqual(await followers(person), [mallory.handle])
  })

  test('a key of our own proves nothing from outside', async () => {
    const signer = { keyId: `${origin}/actor#main-key`, privateKey: mallory.keys.privateKey }
    assert.equal(await refuse(bob, follow(bob), { signer }), 401)
  })
})
