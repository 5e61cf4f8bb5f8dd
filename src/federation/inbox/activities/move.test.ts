import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { blockDomainAsStaff, suspend, unblockDomainAsStaff, unsuspend } from '../../../../test/features/moderation.ts'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import type { PeerActor } from '../../../../test/federation/peer/actor.ts'
import type { Activity } from '../../../../test/federation/peer/inbox.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import { migrateRelationships } from '../../../domain/relationships/migration/migrate-relationships.ts'
import type { Account } from '../../../entities/accounts/account.ts'
import type { Relationship } from '../../../entities/accounts/relationship.ts'

const fediverse = await openFediverse({ hosts: ['old.test', 'new.test', 'other.test'] })
const { testServer, peer, uriOf, deliver, followEachOther } = fediverse
after(fediverse.close)
const { ctx } = testServer
const [old, fresh, other] = [peer.host('old.test'), peer.host('new.test'), peer.host('other.test')]
const { keys } = await old.createActor('key')

let count = 0
const oldActor = async () => old.createActor(`old${(count += 1)}`, { keys })
/** Creates a remote actor that lists other actors in `alsoKnownAs`. */
const newActor = async (...aliases: PeerActor[]) =>
  fresh.createActor(`new${(count += 1)}`, { keys, document: { alsoKnownAs: aliases.map(({ id }) => id) } })

const move = (from: PeerActor, to: { id: string }, fields = {}) =>
  from.activity('Move', from.id, { target: to.id, ...fields })

async function lookUp(user: TestUser, actor: PeerActor): Promise<Account> {
  const { body } = await user.client.get<Account[]>('/api/v1/accounts/search', {
    q: `@${actor.handle}`,
    resolve: true,
  })
  return body[0]!
}
async function relationshipWith(user: TestUser, id: string): Promise<Relationship> {
  return (await user.client.get<Relationship[]>('/api/v1/accounts/relationships', { id: [id] })).body[0]!
}
async function idOf(actor: PeerActor): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select id from accounts where uri = ${actor.id}`.execute(ctx.db)
  return rows[0]?.id
}
/** Returns the URI of the account to which a remote account moved, as the API shows it. */
async function movedTo(actor: PeerActor): Promise<string | null> {
  const { body } = await testServer.anonymous.get(`/api/v1/accounts/${await idOf(actor)}`)
  return body.moved?.uri ?? null
}

suite('a remote account that moves', () => {
  test('IN19: is followed at its new account by its local followers, with the same settings and lists', async () => {
    const [alice, carol] = [await testServer.createUser(), await testServer.createUser()]
    const bob = await oldActor()
    const oldId = await followEachOther(alice, bob)
    await followEachOther(carol, bob)
    await alice.client.post(`/api/v1/accounts/${oldId}/follow`, { reblogs: false, notify: true, languages: ['de'] })
    const { rows: lists } = await sql<{ id: string }>`
      insert into lists (account_id, title) values (${alice.accountId}, 'friends') returning id`.execute(ctx.db)
    await sql`
      insert into list_accounts (list_id, account_id, follow_id)
      select ${lists[0]!.id}, target_account_id, id from follows where account_id = ${alice.accountId}`.execute(ctx.db)

    const target = await newActor(bob)
    await deliver(bob, move(bob, target))
    const follows = [await target.inbox.next(), await target.inbox.next()].map(({ activity }) => activity)
    assert.deepEqual(
      follows.map((one) => [one['type'], one['object']]),
      [
        ['Follow', target.id],
        ['Follow', target.id],
      ],
    )
    assert.deepEqual(new Set(follows.map((one) => one['actor'])), new Set([alice, carol].map(uriOf)))
    for (const _ of follows) await bob.inbox.next(({ type, object }) => type === 'Undo' && object.type === 'Follow')
    await deliver(target, ...follows.map((follow) => target.activity('Accept', follow)))

    const newId = (await idOf(target))!
    const { following, showing_reblogs, notifying, languages } = await relationshipWith(alice, newId)
    assert.deepEqual(
      { following, showing_reblogs, notifying, languages },
      {
        following: true,
        showing_reblogs: false,
        notifying: true,
        languages: ['de'],
      },
    )
    assert.equal((await relationshipWith(carol, newId)).showing_reblogs, true)
    assert.equal((await relationshipWith(alice, oldId)).following, false)
    const { rows: members } = await sql<{ account_id: string }>`
      select account_id from list_accounts where list_id = ${lists[0]!.id} and follow_id is not null`.execute(ctx.db)
    assert.deepEqual(members, [{ account_id: newId }])

    assert.equal(await movedTo(bob), target.id)
    assert.equal((await alice.client.post(`/api/v1/accounts/${oldId}/follow`)).status, 403)
    const { body: found } = await alice.client.get('/api/v1/accounts/search', { q: bob.username })
    assert.deepEqual(found, [])
  })

  test('keeps mutes, blocks and notes, except mutes by users who already follow the new account', async () => {
    const create = async () => testServer.createUser()
    const [muter, blocker, noter] = [await create(), await create(), await create()]
    const [both, friend] = [await create(), await create()]
    const bob = await oldActor()
    const target = await newActor(bob)
    const [{ id: oldId }, { id: newId }] = [await lookUp(muter, bob), await lookUp(muter, target)]
    const act = (user: TestUser, id: string, action: string, body?: object) =>
      user.client.post(`/api/v1/accounts/${id}/${action}`, body)
    await act(muter, oldId, 'mute', { notifications: false, duration: 3_600 })
    await act(blocker, oldId, 'block')
    await act(noter, oldId, 'note', { comment: 'nice' })
    await followEachOther(both, bob)
    await act(both, oldId, 'mute')
    await act(both, oldId, 'note', { comment: 'before' })
    await act(both, newId, 'note', { comment: 'after' })
    await followEachOther(friend, target)
    await act(friend, oldId, 'mute')
    await deliver(bob, move(bob, target))
    await migrateRelationships(ctx, { accountId: oldId, targetAccountId: newId })

    const known = await Promise.all([muter, blocker, noter, both, friend].map((user) => relationshipWith(user, newId)))
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

  test('to a local account is followed there at once, even if that is locked, without notifications', async () => {
    const [alice, home] = [await testServer.createUser(), await testServer.createUser({ locked: true })]
    const bob = await oldActor()
    const oldId = await followEachOther(alice, bob)
    await sql`update accounts set also_known_as = ${[bob.id]} where id = ${home.accountId}`.execute(ctx.db)
    await deliver(bob, move(bob, { id: uriOf(home) }))
    assert.equal((await relationshipWith(alice, home.accountId)).following, true)
    assert.equal((await relationshipWith(alice, oldId)).following, false)
    assert.deepEqual((await home.client.get('/api/v1/notifications')).body, [])
    const { body } = await home.client.get('/api/v1/accounts/verify_credentials')
    assert.equal(body.followers_count, 1)
  })

  test('is followed at its new account also if only the repetition of its Move finds the alias', async () => {
    const [bob, target] = [await oldActor(), await newActor()]
    await followEachOther(await testServer.createUser(), bob)
    const activity = move(bob, target)
    await deliver(bob, activity)
    assert.equal(await movedTo(bob), null)
    target.document['alsoKnownAs'] = [bob.id]
    // Signatures have a resolution of one second.
    assert.equal(await fediverse.waitForAnswer(bob.send(activity, { now: new Date(Date.now() + 1_000) })), 202)
    await target.inbox.next(({ type }) => type === 'Follow')
    assert.equal(await movedTo(bob), target.id)
  })

  test('is not followed at its new account by users who block that or are blocked by it', async () => {
    const [wary, unwanted] = [await testServer.createUser(), await testServer.createUser()]
    const bob = await oldActor()
    const target = await newActor(bob)
    const oldId = await followEachOther(wary, bob)
    await followEachOther(unwanted, bob)
    const { id: newId } = await lookUp(wary, target)
    await wary.client.post(`/api/v1/accounts/${newId}/block`)
    await deliver(target, target.activity('Block', uriOf(unwanted)))
    await deliver(bob, move(bob, target))
    for (const user of [wary, unwanted]) {
      const { following, requested } = await relationshipWith(user, newId)
      assert.deepEqual([following, requested], [false, false])
      assert.equal((await relationshipWith(user, oldId)).following, true)
    }
    assert.deepEqual(target.inbox.all('Follow'), [])
  })
})

test('a remote account shows the unknown account that its document names, also if that one names it back', async () => {
  const viewer = await testServer.createUser()
  for (const namesBack of [false, true]) {
    const moved = await oldActor()
    const target = await newActor(moved)
    moved.document['movedTo'] = target.id
    if (namesBack) target.document['movedTo'] = moved.id
    await lookUp(viewer, moved)
    assert.equal(await movedTo(moved), target.id)
  }
  const lost = await oldActor()
  lost.document['movedTo'] = `${fresh.origin}/users/nobody`
  await lookUp(viewer, lost)
  assert.equal(await movedTo(lost), null)
})

const alice = await testServer.createUser({ username: 'alice' })
const bob = await oldActor()
const bobId = await followEachOther(alice, bob)

/** Delivers an activity, and asserts that bob has not moved. */
async function assertIgnored(sender: PeerActor, activity: Activity): Promise<void> {
  await deliver(sender, activity)
  assert.equal(await movedTo(bob), null)
  const { following, requested } = await relationshipWith(alice, bobId)
  assert.deepEqual([following, requested], [true, false])
  for (const host of [fresh, other]) assert.deepEqual(host.inbox.all('Follow'), [])
}

suite('IN19: a Move has no effect', () => {
  test('if it is by another actor, to the actor itself, or without a valid target', async () => {
    fresh.inbox.clear()
    const target = await newActor(bob)
    const thief = await old.createActor('thief', { keys })
    const unrelated = await other.createActor('unrelated', { keys })
    for (const actor of [thief, unrelated, target]) {
      await assertIgnored(actor, actor.activity('Move', bob.id, { target: target.id }))
    }
    await assertIgnored(bob, move(bob, bob))
    await assertIgnored(bob, bob.activity('Move', bob.id))
    await assertIgnored(bob, bob.activity('Move', undefined, { target: target.id }))
    await assertIgnored(bob, bob.activity('Move', target.id, { target: bob.id }))
    await assertIgnored(bob, move(bob, { id: `${fresh.origin}/nowhere` }))
    await assertIgnored(bob, move(bob, { id: uriOf(alice) }))
  })

  test('if the target does not list the actor as an alias, or does not any more', async () => {
    await assertIgnored(bob, move(bob, await newActor()))
    await assertIgnored(bob, move(bob, await newActor(await oldActor())))
    const former = await newActor(bob)
    await lookUp(alice, former)
    former.document['alsoKnownAs'] = []
    await assertIgnored(bob, move(bob, former))
  })

  test('if the target has moved itself or is suspended', async () => {
    const [onward, suspended] = [await newActor(bob), await newActor(bob)]
    const end = await newActor(onward)
    await lookUp(alice, end)
    onward.document['movedTo'] = end.id
    await assertIgnored(bob, move(bob, onward))
    onward.document['movedTo'] = bob.id
    await assertIgnored(bob, move(bob, onward))
    const { id } = await lookUp(alice, suspended)
    await suspend(ctx, { accountId: id })
    await assertIgnored(bob, move(bob, suspended))

    const blocked = await other.createActor('blocked', { keys, document: { alsoKnownAs: [bob.id] } })
    await blockDomainAsStaff(ctx, 'other.test', { severity: 'suspend' })
    const requestsBefore = other.requests.length
    await assertIgnored(bob, move(bob, blocked))
    assert.equal(other.requests.length, requestsBefore, 'IN24: nothing is requested from its server')
    await unblockDomainAsStaff(ctx, 'other.test')
  })

  test('if the actor is suspended or unknown', async () => {
    const target = await newActor(bob)
    await suspend(ctx, { accountId: bobId })
    await deliver(bob, move(bob, target))
    await unsuspend(ctx, { accountId: bobId })
    const unknown = await oldActor()
    await assertIgnored(unknown, move(unknown, target))
    assert.equal(await idOf(unknown), undefined)
    assert.equal(fresh.countRequests(new URL(target.id).pathname), 0)
  })

  test('if the account moved less than seven days ago', async () => {
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
