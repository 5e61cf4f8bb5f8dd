import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import type { PersonTraits } from '../../../test/create-person.ts'
import { openWorld } from '../../../test/world.ts'
import type { Person } from '../../../test/world.ts'
import { assertOnWire } from '../../../test/wire.ts'
import type { Notification } from '../../entities/notification.ts'
import { notifyFavourite } from './notify-favourite.ts'
import { notifyMentioned } from './notify-mentioned.ts'
import { notify } from './notify.ts'

const world = await openWorld()
after(world.close)
const { db } = world.ctx

const people = <const Traits extends PersonTraits[]>(...traits: Traits) =>
  Promise.all(traits.map((one) => world.createPerson(one))) as Promise<{ [Key in keyof Traits]: Person }>
const post = async (person: Person, body: object): Promise<string> =>
  (await person.client.post('/api/v1/statuses', body)).body.id
const deed = (person: Person, id: string, name: string) => person.client.post(`/api/v1/statuses/${id}/${name}`)
const act = (from: Person, action: string, to: Person, body: object = {}) =>
  from.client.post(`/api/v1/accounts/${to.accountId}/${action}`, body)

/** `kind sender status`, latest first. */
async function notified(person: Person): Promise<string[]> {
  await world.settle()
  const { body } = await person.client.get<Notification[]>('/api/v1/notifications')
  return body.map((one: Notification) => [one.type, one.account.id, one.status?.id].filter(Boolean).join(' '))
}

test('a mention, a favourite, a boost and a follow are told to whom they concern, with what they are about', async () => {
  const [alice, bob] = await people({}, {})
  const mine = await post(alice, { status: 'mine' })
  const spoken = await post(bob, { status: `@${alice.username} hi` })
  await deed(bob, mine, 'favourite')
  const boost = (await deed(bob, mine, 'reblog')).body
  await act(bob, 'follow', alice)
  const by = bob.accountId
  assert.deepEqual(
    (await notified(alice)).toSorted(),
    [`favourite ${by} ${mine}`, `follow ${by}`, `mention ${by} ${spoken}`, `reblog ${by} ${mine}`].toSorted(),
  )
  const { body } = await alice.client.get('/api/v1/notifications')
  for (const one of body) {
    assertOnWire('Notification', one)
    assert.match(one.group_key, one.type === 'mention' ? /^ungrouped-\d+$/ : /^(follow|(favourite|reblog)-\d+)-\d+$/)
    const alone = await alice.client.get(`/api/v1/notifications/${one.id}`)
    assert.deepEqual(alone.body, one)
    assert.equal((await bob.client.get(`/api/v1/notifications/${one.id}`)).status, 404)
  }
  assert.notEqual(boost.id, mine)
})

test('what is taken back is not told any more, and told again when it is done again', async () => {
  const [alice, bob] = await people({}, {})
  const mine = await post(alice, { status: 'mine' })
  for (const name of ['favourite', 'reblog']) {
    await deed(bob, mine, name)
    assert.equal((await notified(alice)).length, 1)
    await deed(bob, mine, `un${name}`)
    assert.deepEqual(await notified(alice), [])
    await deed(bob, mine, name)
    assert.equal((await notified(alice)).length, 1)
    await deed(bob, mine, `un${name}`)
  }
  const spoken = await post(bob, { status: `@${alice.username} hi` })
  await world.settle()
  await bob.client.delete(`/api/v1/statuses/${spoken}`)
  assert.deepEqual(await notified(alice), [])
})

test('an effect that runs twice tells once, and one that runs late tells of nothing that is gone', async () => {
  const [alice, bob] = await people({}, {})
  const mine = await post(alice, { status: 'mine' })
  await deed(bob, mine, 'favourite')
  const spoken = await post(bob, { status: `@${alice.username} hi` })
  await world.settle()
  const favourite = { accountId: bob.accountId, statusId: mine }
  await Promise.all([
    notifyFavourite(world.ctx, favourite),
    notifyFavourite(world.ctx, favourite),
    notifyMentioned(world.ctx, { statusId: spoken }),
  ])
  assert.equal((await notified(alice)).length, 2)
  await deed(bob, mine, 'unfavourite')
  await bob.client.delete(`/api/v1/statuses/${spoken}`)
  await notifyFavourite(world.ctx, favourite)
  await notifyMentioned(world.ctx, { statusId: spoken })
  assert.deepEqual(await notified(alice), [])
})

test('what one does to oneself is not told', async () => {
  const alice = await world.createPerson()
  const mine = await post(alice, { status: `I, @${alice.username}` })
  await deed(alice, mine, 'favourite')
  await deed(alice, mine, 'reblog')
  assert.deepEqual(await notified(alice), [])
})

test('whoever follows with a notice is told of posts and own threads, not of boosts, answers and direct posts', async () => {
  const [author, eager, calm, other] = await people({}, {}, {}, {})
  await act(eager, 'follow', author, { notify: true, languages: ['en'] })
  await act(calm, 'follow', author)
  const theirs = await post(other, { status: 'theirs' })
  const first = await post(author, { status: 'first', language: 'en', visibility: 'private' })
  const thread = await post(author, { status: 'more', language: 'en', in_reply_to_id: first })
  await post(author, { status: 'auf Deutsch', language: 'de' })
  await post(author, { status: 'an answer', language: 'en', in_reply_to_id: theirs })
  await post(author, { status: `@${other.username} psst`, language: 'en', visibility: 'direct' })
  await deed(author, theirs, 'reblog')
  const by = author.accountId
  assert.deepEqual((await notified(eager)).toSorted(), [`status ${by} ${first}`, `status ${by} ${thread}`].toSorted())
  assert.deepEqual(await notified(calm), [])
  // Once the follow has ended, a post that is for followers can't be read in notifications either.
  await act(eager, 'unfollow', author)
  const left = await notified(eager)
  assert.ok(left.every((one) => !one.includes(first)))
})

test('VI4 nothing is told across a block, whoever set it, nor to whom a mute hides it', async () => {
  for (const prepare of [
    (alice: Person, bob: Person) => act(alice, 'block', bob),
    (alice: Person, bob: Person) => act(bob, 'block', alice),
    (alice: Person, bob: Person) => act(alice, 'mute', bob),
  ]) {
    const [alice, bob] = await people({}, {})
    const mine = await post(alice, { status: 'mine' })
    await prepare(alice, bob)
    await post(bob, { status: `@${alice.username} hi` })
    await deed(bob, mine, 'favourite')
    await deed(bob, mine, 'reblog')
    await act(bob, 'follow', alice)
    assert.deepEqual(await notified(alice), [])
  }
})

test('VI4 a talk with somebody whom the recipient blocks or mutes is not told by others who are in it', async () => {
  const [alice, bob, blocked, muted] = await people({}, {}, {}, {})
  await act(alice, 'block', blocked)
  await act(alice, 'mute', muted)
  const theirs = await post(blocked, { status: 'mine' })
  await post(bob, { status: `@${alice.username} and @${blocked.username}` })
  await post(bob, { status: `@${alice.username} and @${muted.username}` })
  await post(bob, { status: `@${alice.username} look`, in_reply_to_id: theirs })
  assert.deepEqual(await notified(alice), [])
  await act(alice, 'mute', muted, { notifications: false })
  const heard = await post(bob, { status: `@${alice.username} and @${muted.username} again` })
  assert.deepEqual(await notified(alice), [`mention ${bob.accountId} ${heard}`])
})

test('VI4 a mention that meets a block on its way is never left behind', async () => {
  for (let round = 0; round < 10; round += 1) {
    const [alice, bob] = await people({}, {})
    const mine = await post(alice, { status: 'mine' })
    const spoken = await post(bob, { status: `@${alice.username} hi` })
    await Promise.all([
      deed(bob, mine, 'favourite'),
      notifyMentioned(world.ctx, { statusId: spoken }),
      act(alice, 'block', bob),
    ])
    await world.settle()
    const { rows } = await sql`select from notifications where account_id = ${alice.accountId}`.execute(db)
    assert.equal(rows.length, 0)
  }
})

test('a mention by the staff arrives in spite of a block; by an equal it does not', async () => {
  const [alice, moderator, owner] = await people({}, { role: 'moderator' }, { role: 'owner' })
  await act(alice, 'block', moderator)
  await act(owner, 'block', moderator)
  const said = await post(moderator, { status: `@${alice.username} @${owner.username} a word` })
  assert.deepEqual(await notified(alice), [`mention ${moderator.accountId} ${said}`])
  assert.deepEqual(await notified(owner), [])
})

test('a mention by the staff arrives in a thread that the recipient has muted; by others it does not', async () => {
  const [alice, moderator, bob] = await people({}, { role: 'moderator' }, {})
  const mine = await post(alice, { status: 'mine' })
  await deed(alice, mine, 'mute')
  const reply = { status: `@${alice.username} a word`, in_reply_to_id: mine }
  const said = await post(moderator, reply)
  await post(bob, reply)
  await deed(moderator, mine, 'favourite')
  assert.deepEqual(await notified(alice), [`mention ${moderator.accountId} ${said}`])
})

test('AC11 nobody is notified who is not confirmed, not approved, suspended or of another server', async () => {
  const [bob, unconfirmed, unapproved, gone] = await people({}, { confirmed: false }, { approved: false }, {})
  await sql`update accounts set suspended_at = now() where id = ${gone.accountId}`.execute(db)
  const { rows } = await sql<{ id: string }>`
    insert into accounts (username, domain, uri, url) values ('far', 'far.test', 'https://far.test/1', 'x') returning id`.execute(
    db,
  )
  const recipientIds = [unconfirmed.accountId, unapproved.accountId, gone.accountId, rows[0]!.id, '999999999']
  await world.ctx.write((tx) => notify(tx, { kind: 'follow', fromAccountId: bob.accountId, recipientIds }))
  const left = await sql`select from notifications where account_id = any(${recipientIds}::bigint[])`.execute(db)
  assert.equal(left.rows.length, 0)
})

test('a status is not told to somebody who may not see it', async () => {
  const [alice, bob] = await people({}, {})
  const closed = await post(bob, { status: 'closed', visibility: 'private' })
  await world.ctx.write((tx) =>
    notify(tx, { kind: 'status', fromAccountId: bob.accountId, statusId: closed, recipientIds: [alice.accountId] }),
  )
  assert.deepEqual(await notified(alice), [])
})

test('the staff that manages users hears of somebody new once that person can be met', async () => {
  const [owner, moderator, plain] = await people({ role: 'owner' }, { role: 'moderator' }, {})
  const [fresh, waiting] = await people({}, { approved: false })
  await world.ctx.write(async (tx) => {
    tx.emit('account.confirmed', { accountId: fresh.accountId })
    tx.emit('account.confirmed', { accountId: waiting.accountId })
  })
  const expected = [`admin.sign_up ${fresh.accountId}`]
  assert.deepEqual([await notified(owner), await notified(moderator), await notified(plain)], [expected, expected, []])
})

test('while somebody is suspended, what they did is not shown', async () => {
  const [alice, bob] = await people({}, {})
  await act(bob, 'follow', alice)
  const before = await notified(alice)
  assert.equal(before.length, 1)
  await sql`update accounts set suspended_at = now() where id = ${bob.accountId}`.execute(db)
  assert.deepEqual(await notified(alice), [])
  await sql`update accounts set suspended_at = null where id = ${bob.accountId}`.execute(db)
  assert.deepEqual(await notified(alice), before)
})

test('50 people who favourite and boost one post at once are all told of, each once', async () => {
  const author = await world.createPerson()
  const mine = await post(author, { status: 'popular' })
  const fans = await people(...Array.from({ length: 50 }, () => ({})))
  const answers = await Promise.all(fans.flatMap((fan) => [deed(fan, mine, 'favourite'), deed(fan, mine, 'reblog')]))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  await world.settle()
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from notifications where account_id = ${author.accountId}`.execute(db)
  assert.equal(rows[0]!.n, 100)
})
