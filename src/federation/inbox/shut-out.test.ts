import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { openFediverse } from '../../../test/fediverse.ts'
import type { PeerActor } from '../../../test/peer/actor.ts'

const fediverse = await openFediverse({ hosts: ['remote.test', 'blocked.test', 'sub.blocked.test', 'silent.test'] })
const { world, peer, origin, uriOf, answerTo, refuse } = fediverse
after(fediverse.close)

const { db } = world.ctx
const remote = peer.host('remote.test')
const bob = await remote.createActor('bob')
const alice = await world.createPerson({ username: 'alice' })
let names = 0
const stranger = () => remote.createActor(`stranger${(names += 1)}`, { keys: bob.keys })
const like = (actor: PeerActor) => actor.activity('Like', `${origin}/nothing`)
const follow = (actor: PeerActor, person = alice) => actor.activity('Follow', uriOf(person))
const followers = async (person = alice) =>
  (await person.client.get(`/api/v1/accounts/${person.accountId}/followers`)).body.map(
    (one: { acct: string }) => one.acct,
  )

suite('who is shut out', () => {
  test('IN24 nothing is asked of a blocked server, and nothing taken, also of those below it', async () => {
    await sql`insert into domain_blocks (domain, severity) values ('blocked.test', 'suspend')`.execute(db)
    for (const name of ['blocked.test', 'sub.blocked.test']) {
      const host = peer.host(name)
      const eve = await host.createActor('eve', { keys: bob.keys })
      for (const type of ['Follow', 'Like', 'Delete', 'Undo']) {
        assert.equal(await refuse(eve, eve.activity(type, uriOf(alice))), 403)
      }
      assert.equal(host.requests.length, 0)
    }
  })

  test('IN24 VI15 however the name of a blocked server is written', async () => {
    const eve = await peer.host('blocked.test').createActor('eve', { keys: bob.keys })
    for (const host of ['BLOCKED.test', 'blocked.test.', 'blocked.test:443', 'sub.Blocked.TEST']) {
      const keyId = `https://${host}/users/eve#main-key`
      const activity = { ...follow(eve), actor: `https://${host}/users/eve`, id: `https://${host}/1` }
      assert.equal(await refuse(eve, activity, { signer: { keyId, privateKey: eve.keys.privateKey } }), 403, host)
    }
    assert.equal(peer.host('blocked.test').requests.length, 0)
  })

  test('IN24 what a blocked server took back is taken back, if its key is known', async () => {
    const person = await world.createPerson()
    const host = peer.host('silent.test')
    const eve = await host.createActor('eve', { keys: bob.keys })
    const activity = follow(eve, person)
    await eve.send(activity)
    await world.settle()
    assert.deepEqual(await followers(person), [eve.handle])
    await sql`insert into domain_blocks (domain, severity) values ('silent.test', 'suspend')`.execute(db)
    const asked = host.requests.length
    assert.equal(await refuse(eve, like(eve)), 403)
    assert.equal(await answerTo(eve.send(eve.activity('Undo', activity))), 202)
    await world.settle()
    assert.deepEqual(await followers(person), [])
    assert.equal(host.requests.length, asked)
  })

  test('IN24 of somebody who is suspended nothing is heard but what they take back', async () => {
    const person = await world.createPerson()
    const actor = await stranger()
    const activity = follow(actor, person)
    await actor.send(activity)
    await world.settle()
    await sql`update accounts set suspended_at = now() where uri = ${actor.id}`.execute(db)
    const note = actor.note({ cc: [uriOf(person)] })
    const update = actor.activity('Update', { ...actor.document, name: 'Changed' })
    for (const one of [like(actor), actor.activity('Create', note), update]) assert.equal(await refuse(actor, one), 202)
    await actor.send(actor.activity('Undo', activity))
    await world.settle()
    const { rows } = await sql`select from follows where target_account_id = ${person.accountId}`.execute(db)
    assert.equal(rows.length, 0)
  })

  test('whom their own server suspended comes back by an update of that server', async () => {
    const actor = await stranger()
    await actor.send(follow(actor))
    await world.settle()
    await actor.send(actor.activity('Update', { ...actor.document, suspended: true }))
    await world.settle()
    const isSuspended = async () =>
      (
        await sql<{ is: boolean }>`select suspended_at is not null as is from accounts where uri = ${actor.id}`.execute(
          db,
        )
      ).rows[0]!.is
    assert.equal(await isSuspended(), true)
    assert.equal(await refuse(actor, follow(actor, await world.createPerson())), 202)
    await actor.send(actor.activity('Update', actor.document))
    await world.settle()
    assert.equal(await isSuspended(), false)
  })

  test('deletions and updates of people who were never heard of cost nothing', async () => {
    const actor = await stranger()
    const asked = remote.requests.length
    for (const type of ['Delete', 'Update']) {
      for (const object of [actor.id, { ...actor.document }]) {
        assert.equal(await refuse(actor, actor.activity(type, object)), 202)
      }
    }
    assert.equal(remote.requests.length, asked)
  })
})
