import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import type { UserOptions } from '../../../../test/servers/create-user.ts'
import { suspend, unsuspend } from '../../../../test/features/moderation.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import { assertEntity } from '../../../../test/http/entities/entity-schemas.ts'
import type { Notification } from '../../../entities/notifications/notification.ts'
import { notifyFavourites } from '../notify/notify-favourites.ts'
import { notifyMentionedAccounts } from '../notify/notify-mentions.ts'
import { createNotifications } from './create-notifications.ts'

const testServer = await openTestServer()
after(testServer.close)
const { db } = testServer.ctx

const createUsers = <const Traits extends UserOptions[]>(...traits: Traits) =>
  Promise.all(traits.map((one) => testServer.createUser(one))) as Promise<{ [Key in keyof Traits]: TestUser }>
const post = async (user: TestUser, body: object): Promise<string> =>
  (await user.client.post('/api/v1/statuses', body)).body.id
const interact = (user: TestUser, id: string, name: string) => user.client.post(`/api/v1/statuses/${id}/${name}`)
const act = (from: TestUser, action: string, to: TestUser, body: object = {}) =>
  from.client.post(`/api/v1/accounts/${to.accountId}/${action}`, body)

/** Returns the user's notifications as `type sender status`, latest first. */
async function notificationsOf(user: TestUser): Promise<string[]> {
  await testServer.waitForJobs()
  const { body } = await user.client.get<Notification[]>('/api/v1/notifications')
  return body.map((one: Notification) => [one.type, one.account.id, one.status?.id].filter(Boolean).join(' '))
}

test('a mention, a favourite, a reblog and a follow notify the account concerned, with their status', async () => {
  const [alice, bob] = await createUsers({}, {})
  const ownId = await post(alice, { status: 'mine' })
  const mentionId = await post(bob, { status: `@${alice.username} hi` })
  await interact(bob, ownId, 'favourite')
  const reblog = (await interact(bob, ownId, 'reblog')).body
  await act(bob, 'follow', alice)
  const by = bob.accountId
  assert.deepEqual(
    (await notificationsOf(alice)).toSorted(),
    [`favourite ${by} ${ownId}`, `follow ${by}`, `mention ${by} ${mentionId}`, `reblog ${by} ${ownId}`].toSorted(),
  )
  const { body } = await alice.client.get('/api/v1/notifications')
  for (const one of body) {
    assertEntity('Notification', one)
    assert.match(one.group_key, one.type === 'mention' ? /^ungrouped-\d+$/ : /^(follow|(favourite|reblog)-\d+)-\d+$/)
    const alone = await alice.client.get(`/api/v1/notifications/${one.id}`)
    assert.deepEqual(alone.body, one)
    assert.equal((await bob.client.get(`/api/v1/notifications/${one.id}`)).status, 404)
  }
  assert.notEqual(reblog.id, ownId)
})

test('an undone interaction loses its notification, and a repeated one gets a new notification', async () => {
  const [alice, bob] = await createUsers({}, {})
  const ownId = await post(alice, { status: 'mine' })
  for (const name of ['favourite', 'reblog']) {
    await interact(bob, ownId, name)
    assert.equal((await notificationsOf(alice)).length, 1)
    await interact(bob, ownId, `un${name}`)
    assert.deepEqual(await notificationsOf(alice), [])
    await interact(bob, ownId, name)
    assert.equal((await notificationsOf(alice)).length, 1)
    await interact(bob, ownId, `un${name}`)
  }
  const mentionId = await post(bob, { status: `@${alice.username} hi` })
  await testServer.waitForJobs()
  await bob.client.delete(`/api/v1/statuses/${mentionId}`)
  assert.deepEqual(await notificationsOf(alice), [])
})

test('a repeated effect creates one notification, and a late one creates none for undone interactions', async () => {
  const [alice, bob] = await createUsers({}, {})
  const ownId = await post(alice, { status: 'mine' })
  await interact(bob, ownId, 'favourite')
  const mentionId = await post(bob, { status: `@${alice.username} hi` })
  await testServer.waitForJobs()
  const favourite = { accountId: bob.accountId, statusId: ownId }
  await Promise.all([
    notifyFavourites(testServer.ctx, [favourite]),
    notifyFavourites(testServer.ctx, [favourite]),
    notifyMentionedAccounts(testServer.ctx, [{ statusId: mentionId }]),
  ])
  assert.equal((await notificationsOf(alice)).length, 2)
  await interact(bob, ownId, 'unfavourite')
  await bob.client.delete(`/api/v1/statuses/${mentionId}`)
  await notifyFavourites(testServer.ctx, [favourite])
  await notifyMentionedAccounts(testServer.ctx, [{ statusId: mentionId }])
  assert.deepEqual(await notificationsOf(alice), [])
})

test('a user’s own interactions cause no notifications', async () => {
  const alice = await testServer.createUser()
  const ownId = await post(alice, { status: `I, @${alice.username}` })
  await interact(alice, ownId, 'favourite')
  await interact(alice, ownId, 'reblog')
  assert.deepEqual(await notificationsOf(alice), [])
})

test('followers with `notify` get notifications of statuses and self-replies, not of reblogs, replies and direct messages', async () => {
  const [author, notifiedFollower, plainFollower, other] = await createUsers({}, {}, {}, {})
  await act(notifiedFollower, 'follow', author, { notify: true, languages: ['en'] })
  await act(plainFollower, 'follow', author)
  const otherId = await post(other, { status: 'theirs' })
  const first = await post(author, { status: 'first', language: 'en', visibility: 'private' })
  const thread = await post(author, { status: 'more', language: 'en', in_reply_to_id: first })
  await post(author, { status: 'auf Deutsch', language: 'de' })
  await post(author, { status: 'an answer', language: 'en', in_reply_to_id: otherId })
  await post(author, { status: `@${other.username} psst`, language: 'en', visibility: 'direct' })
  await interact(author, otherId, 'reblog')
  const by = author.accountId
  assert.deepEqual(
    (await notificationsOf(notifiedFollower)).toSorted(),
    [`status ${by} ${first}`, `status ${by} ${thread}`].toSorted(),
  )
  assert.deepEqual(await notificationsOf(plainFollower), [])
  // After the follow has ended, notifications do not show statuses for followers, either.
  await act(notifiedFollower, 'unfollow', author)
  const remaining = await notificationsOf(notifiedFollower)
  assert.ok(remaining.every((one) => !one.includes(first)))
})

test('VI4 a block in either direction, or a mute, prevents notifications', async () => {
  for (const prepare of [
    (alice: TestUser, bob: TestUser) => act(alice, 'block', bob),
    (alice: TestUser, bob: TestUser) => act(bob, 'block', alice),
    (alice: TestUser, bob: TestUser) => act(alice, 'mute', bob),
  ]) {
    const [alice, bob] = await createUsers({}, {})
    const ownId = await post(alice, { status: 'mine' })
    await prepare(alice, bob)
    await post(bob, { status: `@${alice.username} hi` })
    await interact(bob, ownId, 'favourite')
    await interact(bob, ownId, 'reblog')
    await act(bob, 'follow', alice)
    assert.deepEqual(await notificationsOf(alice), [])
  }
})

test('VI4 mentions in a conversation with an account that the recipient blocks or mutes are not notified', async () => {
  const [alice, bob, blocked, muted] = await createUsers({}, {}, {}, {})
  await act(alice, 'block', blocked)
  await act(alice, 'mute', muted)
  const otherId = await post(blocked, { status: 'mine' })
  await post(bob, { status: `@${alice.username} and @${blocked.username}` })
  await post(bob, { status: `@${alice.username} and @${muted.username}` })
  await post(bob, { status: `@${alice.username} look`, in_reply_to_id: otherId })
  assert.deepEqual(await notificationsOf(alice), [])
  await act(alice, 'mute', muted, { notifications: false })
  const visibleId = await post(bob, { status: `@${alice.username} and @${muted.username} again` })
  assert.deepEqual(await notificationsOf(alice), [`mention ${bob.accountId} ${visibleId}`])
})

test('VI4 a mention that is concurrent with a block leaves no notification', async () => {
  for (let round = 0; round < 10; round += 1) {
    const [alice, bob] = await createUsers({}, {})
    const ownId = await post(alice, { status: 'mine' })
    const mentionId = await post(bob, { status: `@${alice.username} hi` })
    await Promise.all([
      interact(bob, ownId, 'favourite'),
      notifyMentionedAccounts(testServer.ctx, [{ statusId: mentionId }]),
      act(alice, 'block', bob),
    ])
    await testServer.waitForJobs()
    const { rows } = await sql`select from notifications where account_id = ${alice.accountId}`.execute(db)
    assert.equal(rows.length, 0)
  }
})

test('a mention by staff is notified despite a block, but not for a recipient of equal or higher rank', async () => {
  const [alice, moderator, owner] = await createUsers({}, { role: 'moderator' }, { role: 'owner' })
  await act(alice, 'block', moderator)
  await act(owner, 'block', moderator)
  const staffMentionId = await post(moderator, { status: `@${alice.username} @${owner.username} a word` })
  assert.deepEqual(await notificationsOf(alice), [`mention ${moderator.accountId} ${staffMentionId}`])
  assert.deepEqual(await notificationsOf(owner), [])
})

test('a mention by staff is notified in a muted conversation, but not a mention by others', async () => {
  const [alice, moderator, bob] = await createUsers({}, { role: 'moderator' }, {})
  const ownId = await post(alice, { status: 'mine' })
  await interact(alice, ownId, 'mute')
  const reply = { status: `@${alice.username} a word`, in_reply_to_id: ownId }
  const staffMentionId = await post(moderator, reply)
  await post(bob, reply)
  await interact(moderator, ownId, 'favourite')
  assert.deepEqual(await notificationsOf(alice), [`mention ${moderator.accountId} ${staffMentionId}`])
})

test('AC11 unconfirmed, unapproved, suspended and remote accounts get no notifications', async () => {
  const [bob, unconfirmed, unapproved, suspended] = await createUsers({}, { confirmed: false }, { approved: false }, {})
  await suspend(testServer.ctx, suspended)
  const { rows } = await sql<{ id: string }>`
    insert into accounts (username, domain, uri, url) values ('far', 'far.test', 'https://far.test/1', 'x') returning id`.execute(
    db,
  )
  const recipientIds = [unconfirmed.accountId, unapproved.accountId, suspended.accountId, rows[0]!.id, '999999999']
  await testServer.ctx.write((tx) =>
    createNotifications(tx, { type: 'follow', fromAccountId: bob.accountId, recipientIds }),
  )
  const remaining = await sql`select from notifications where account_id = any(${recipientIds}::bigint[])`.execute(db)
  assert.equal(remaining.rows.length, 0)
})

test('a status is not notified to an account that cannot see it', async () => {
  const [alice, bob] = await createUsers({}, {})
  const privateId = await post(bob, { status: 'closed', visibility: 'private' })
  await testServer.ctx.write((tx) =>
    createNotifications(tx, {
      type: 'status',
      fromAccountId: bob.accountId,
      statusId: privateId,
      recipientIds: [alice.accountId],
    }),
  )
  assert.deepEqual(await notificationsOf(alice), [])
})

test('staff who manage users are notified of a sign-up once the account is confirmed and approved', async () => {
  const [owner, moderator, plain] = await createUsers({ role: 'owner' }, { role: 'moderator' }, {})
  const [approved, pending] = await createUsers({}, { approved: false })
  await testServer.ctx.write(async (tx) => {
    tx.emit('account.confirmed', { accountId: approved.accountId })
    tx.emit('account.confirmed', { accountId: pending.accountId })
  })
  const expected = [`admin.sign_up ${approved.accountId}`]
  assert.deepEqual(
    [await notificationsOf(owner), await notificationsOf(moderator), await notificationsOf(plain)],
    [expected, expected, []],
  )
})

test('notifications from an account are hidden while it is suspended', async () => {
  const [alice, bob] = await createUsers({}, {})
  await act(bob, 'follow', alice)
  const before = await notificationsOf(alice)
  assert.equal(before.length, 1)
  await suspend(testServer.ctx, bob)
  assert.deepEqual(await notificationsOf(alice), [])
  await unsuspend(testServer.ctx, bob)
  assert.deepEqual(await notificationsOf(alice), before)
})

test('50 users who favourite and reblog one status concurrently cause one notification for each interaction', async () => {
  const author = await testServer.createUser()
  const ownId = await post(author, { status: 'popular' })
  const fans = await createUsers(...Array.from({ length: 50 }, () => ({})))
  const responses = await Promise.all(
    fans.flatMap((fan) => [interact(fan, ownId, 'favourite'), interact(fan, ownId, 'reblog')]),
  )
  assert.deepEqual([...new Set(responses.map(({ status }) => status))], [200])
  await testServer.waitForJobs()
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from notifications where account_id = ${author.accountId}`.execute(db)
  assert.equal(rows[0]!.n, 100)
})
