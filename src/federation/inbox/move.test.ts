import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { openFediverse } from '../../../test/fediverse.ts'
import type { PeerActor } from '../../../test/peer/actor.ts'
import type { Activity } from '../../../test/peer/inbox.ts'
import type { Person } from '../../../test/world.ts'
import { carryOver } from '../../domain/relationships/carry-over.ts'
import type { Account } from '../../entities/account.ts'
import type { Relationship } from '../../entities/relationship.ts'

const fediverse = await openFediverse({ hosts: ['old.test', 'new.test', 'other.test'] })
const { world, peer, uriOf, deliver, befriend } = fediverse
after(fediverse.close)
const { ctx } = world
const [old, fresh, other] = [peer.host('old.test'), peer.host('new.test'), peer.host('other.test')]
const { keys } = await old.createActor('key')

let count = 0
const oldActor = async () => old.createActor(`old${(count += 1)}`, { keys })
/** Somebody elsewhere who says that these are theirs, too. */
const newActor = async (...aliases: PeerActor[]) =>
  fresh.createActor(`new${(count += 1)}`, { keys, document: { alsoKnownAs: aliases.map(({ id }) => id) } })

const move = (from: PeerActor, to: { id: string }, fields = {}) =>
  from.activity('Move', from.id, { target: to.id, ...fields })

async function lookUp(person: Person, actor: PeerActor): Promise<Account> {
  const { body } = await person.client.get<Account[]>('/api/v1/accounts/search', {
    q: `@${actor.handle}`,
    resolve: true,
  })
  return body[0]!
}
async function relation(person: Person, id: string): Promise<Relationship> {
  return (await person.client.get<Relationship[]>('/api/v1/accounts/relationships', { id: [id] })).body[0]!
}
async function idOf(actor: PeerActor): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select id from accounts where uri = ${actor.id}`.execute(ctx.db)
  return rows[0]?.id
}
/** Where somebody elsewhere has moved, as it is shown here. */
async function movedTo(actor: PeerActor): Promise<string | null> {
  const { body } = await world.anonymous.get(`/api/v1/accounts/${await idOf(actor)}`)
  return body.moved?.uri ?? null
}

suite('somebody elsewhere who moves', () => {
  test('IN19: is followed at the new account by all who followed them, on the same terms and lists', async () => {
    const [alice, carol] = [await world.createPerson(), await world.createPerson()]
    const bob = await oldActor()
    const oldId = await befriend(alice, bob)
    await befriend(carol, bob)
    await alice.client.post(`/api/v1/accounts/${oldId}/follow`, { reblogs: false, notify: true, languages: ['de'] })
    const { rows: lists } = await sql<{ id: string }>`
      insert into lists (account_id, title) values (${alice.accountId}, 'friends') returning id`.execute(ctx.db)
    await sql`
      insert into list_accounts (list_id, account_id, follow_id)
      select ${lists[0]!.id}, target_account_id, id from follows where account_id = ${alice.accountId}`.execute(ctx.db)

    const target = await newActor(bob)
    await deliver(bob, move(bob, target))
    const asked = [await target.inbox.next(), await target.inbox.next()].map(({ activity }) => activity)
    assert.deepEqual(
      asked.map((one) => [one['type'], one['object']]),
      [
        ['Follow', target.id],
        ['Follow', target.id],
      ],
    )
    assert.deepEqual(new Set(asked.map((one) => one['actor'])), new Set([alice, carol].map(uriOf)))
    for (const _ of asked) await bob.inbox.next(({ type, object }) => type === 'Undo' && object.type === 'Follow')
    await deliver(target, ...asked.map((follow) => target.activity('Accept', follow)))

    const newId = (await idOf(target))!
    const { following, showing_reblogs, notifying, languages } = await relation(alice, newId)
    assert.deepEqual(
      { following, showing_reblogs, notifying, languages },
      {
        following: true,
        showing_reblogs: false,
        notifying: true,
        languages: ['de'],
      },
    )
    assert.equal((await relation(carol, newId)).showing_reblogs, true)
    assert.equal((await relation(alice, oldId)).following, false)
    const { rows: members } = await sql<{ account_id: string }>`
      select account_id from list_accounts where list_id = ${lists[0]!.id} and follow_id is not null`.execute(ctx.db)
    assert.deepEqual(members, [{ account_id: newId }])

    assert.equal(await movedTo(bob), target.id)
    assert.equal((await alice.client.post(`/api/v1/accounts/${oldId}/follow`)).status, 403)
    const { body: found } = await alice.client.get('/api/v1/accounts/search', { q: bob.username })
    assert.deepEqual(found, [])
  })

  test('is still muted, blocked and noted, except by whoever follows the new account on their own', async () => {
    const create = async () => world.createPerson()
    const [muter, blocker, noter] = [await create(), await create(), await create()]
    const [both, friend] = [await create(), await create()]
    const bob = await oldActor()
    const target = await newActor(bob)
    const [{ id: oldId }, { id: newId }] = [await lookUp(muter, bob), await lookUp(muter, target)]
    const act = (person: Person, id: string, verb: string, body?: object) =>
      person.client.post(`/api/v1/accounts/${id}/${verb}`, body)
    await act(muter, oldId, 'mute', { notifications: false, duration: 3_600 })
    await act(blocker, oldId, 'block')
    await act(noter, oldId, 'note', { comment: 'nice' })
    await befriend(both, bob)
    await act(both, oldId, 'mute')
    await act(both, oldId, 'note', { comment: 'before' })
    await act(both, newId, 'note', { comment: 'after' })
    await befriend(friend, target)
    await act(friend, oldId, 'mute')
    await deliver(bob, move(bob, target))
    await carryOver(ctx, { accountId: oldId, targetAccountId: newId })

    const known = await Promise.all([muter, blocker, noter, both, friend].map((person) => relation(person, newId)))
    const shown = known.map((one) => [one.muting, one.muting_notifications, one.blocking, one.note])
    assert.deepEqual(shown, [
      [true, false, false, ''],
      [false, false, true, ''],
      [false, false, false, 'nice'],
      [true, true, false, 'after\n\nbefore'],
      [false, false, false, ''],
    ])
    const { activity } = await target.inbox.next(({ type }) => type === 'Block')
    assert.deepEqual([activity['actor'], activity['object']], [uriOf(blocker), target.id])
  })

  test('to somebody here is followed there at once, also behind a lock, and nobody is notified', async () => {
    const [alice, home] = [await world.createPerson(), await world.createPerson({ locked: true })]
    const bob = await oldActor()
    const oldId = await befriend(alice, bob)
    await sql`update accounts set also_known_as = ${[bob.id]} where id = ${home.accountId}`.execute(ctx.db)
    await deliver(bob, move(bob, { id: uriOf(home) }))
    assert.equal((await relation(alice, home.accountId)).following, true)
    assert.equal((await relation(alice, oldId)).following, false)
    assert.deepEqual((await home.client.get('/api/v1/notifications')).body, [])
    const { body } = await home.client.get('/api/v1/accounts/verify_credentials')
    assert.equal(body.followers_count, 1)
  })

  test('is not followed by those who block the new account, or are blocked by it', async () => {
    const [wary, unwanted] = [await world.createPerson(), await world.createPerson()]
    const bob = await oldActor()
    const target = await newActor(bob)
    const oldId = await befriend(wary, bob)
    await befriend(unwanted, bob)
    const { id: newId } = await lookUp(wary, target)
    await wary.client.post(`/api/v1/accounts/${newId}/block`)
    await deliver(target, target.activity('Block', uriOf(unwanted)))
    await deliver(bob, move(bob, target))
    for (const person of [wary, unwanted]) {
      const { following, requested } = await relation(person, newId)
      assert.deepEqual([following, requested], [false, false])
      assert.equal((await relation(person, oldId)).following, true)
    }
    assert.deepEqual(target.inbox.all('Follow'), [])
  })
})

const alice = await world.createPerson({ username: 'alice' })
const bob = await oldActor()
const bobId = await befriend(alice, bob)

/** Delivers, and finds that bob is where he was. */
async function ignore(sender: PeerActor, activity: Activity): Promise<void> {
  await deliver(sender, activity)
  assert.equal(await movedTo(bob), null)
  const { following, requested } = await relation(alice, bobId)
  assert.deepEqual([following, requested], [true, false])
  for (const host of [fresh, other]) assert.deepEqual(host.inbox.all('Follow'), [])
}

suite('IN19: a move does nothing', () => {
  test('that is of somebody else, leads back, or names nobody', async () => {
    fresh.inbox.clear()
    const target = await newActor(bob)
    const thief = await old.createActor('thief', { keys })
    const stranger = await other.createActor('stranger', { keys })
    for (const actor of [thief, stranger, target]) {
      await ignore(actor, actor.activity('Move', bob.id, { target: target.id }))
    }
    await ignore(bob, move(bob, bob))
    await ignore(bob, bob.activity('Move', bob.id))
    await ignore(bob, bob.activity('Move', undefined, { target: target.id }))
    await ignore(bob, bob.activity('Move', target.id, { target: bob.id }))
    await ignore(bob, move(bob, { id: `${fresh.origin}/nowhere` }))
    await ignore(bob, move(bob, { id: uriOf(alice) }))
  })

  test('to an account that does not name it, or does not any more', async () => {
    await ignore(bob, move(bob, await newActor()))
    await ignore(bob, move(bob, await newActor(await oldActor())))
    const former = await newActor(bob)
    await lookUp(alice, former)
    former.document['alsoKnownAs'] = []
    await ignore(bob, move(bob, former))
  })

  test('to an account that has moved on, also back, or is shut out', async () => {
    const [onward, suspended] = [await newActor(bob), await newActor(bob)]
    const end = await newActor(onward)
    await lookUp(alice, end)
    onward.document['movedTo'] = end.id
    await ignore(bob, move(bob, onward))
    onward.document['movedTo'] = bob.id
    await ignore(bob, move(bob, onward))
    const { id } = await lookUp(alice, suspended)
    await sql`update accounts set suspended_at = now() where id = ${id}`.execute(ctx.db)
    await ignore(bob, move(bob, suspended))

    const blocked = await other.createActor('blocked', { keys, document: { alsoKnownAs: [bob.id] } })
    await sql`insert into domain_blocks (domain, severity) values ('other.test', 'suspend')`.execute(ctx.db)
    const asked = other.requests.length
    await ignore(bob, move(bob, blocked))
    assert.equal(other.requests.length, asked, 'IN24: nor is its server asked')
    await sql`delete from domain_blocks`.execute(ctx.db)
  })

  test('by somebody who is suspended here, and by who was never heard of', async () => {
    const target = await newActor(bob)
    await sql`update accounts set suspended_at = now() where id = ${bobId}`.execute(ctx.db)
    await deliver(bob, move(bob, target))
    await sql`update accounts set suspended_at = null where id = ${bobId}`.execute(ctx.db)
    const unknown = await oldActor()
    await ignore(unknown, move(unknown, target))
    assert.equal(await idOf(unknown), undefined)
    assert.equal(fresh.countRequests(new URL(target.id).pathname), 0)
  })

  test('again within seven days', async () => {
    const [first, second] = [await newActor(bob), await newActor(bob)]
    await deliver(bob, move(bob, first))
    await first.inbox.next(({ type }) => type === 'Follow')
    await deliver(bob, move(bob, second))
    assert.equal(await movedTo(bob), first.id)
    assert.deepEqual(second.inbox.all('Follow'), [])
    await sql`update account_moves set created_at = created_at - interval '8 days'`.execute(ctx.db)
    await deliver(bob, move(bob, second))
    assert.equal(await movedTo(bob), second.id)
  })
})
