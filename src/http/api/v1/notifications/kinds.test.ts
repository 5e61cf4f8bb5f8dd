import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import { makeCollection, makeDiscoverable, putInto } from '../../../../../test/collections.ts'
import { findPort } from '../../../../../test/linnet.ts'
import { makeRemote, newName } from '../../../../../test/remote.ts'
import { assertOnWire } from '../../../../../test/wire.ts'
import { openWorld } from '../../../../../test/world.ts'
import type { Person } from '../../../../../test/world.ts'
import { receiveFollow } from '../../../../domain/relationships/receive-follow.ts'

const port = await findPort()
const domain = `localhost:${port}`
const world = await openWorld({ env: { PORT: port, LOCAL_DOMAIN: domain } })
after(world.close)
await world.listen()
const { ctx } = world

test('what a client does not know comes with words to show instead, once it says what it knows', async () => {
  const owner = await world.createPerson({ displayName: '<Ada>' })
  const alice = await makeDiscoverable(world)
  const { id } = await makeCollection(owner)
  await putInto(owner, { id, accountId: alice.accountId })
  await world.settle()
  const fallbackOf = async (query: string) => {
    const [one] = (await alice.client.get(`/api/v1/notifications?${query}`)).body
    assertOnWire('Notification', one)
    const alone = await alice.client.get(`/api/v1/notifications/${one.id}?${query}`)
    const grouped = (await alice.client.get(`/api/v2/notifications?${query}`)).body
    assertOnWire('GroupedNotificationsResults', grouped)
    assert.deepEqual([alone.body.fallback, grouped.notification_groups[0].fallback], [one.fallback, one.fallback])
    return one.fallback
  }
  assert.equal(await fallbackOf(''), undefined)
  assert.equal(await fallbackOf('supported_types[]=added_to_collection'), undefined)
  const { title, description } = await fallbackOf('supported_types[]=mention')
  assert.deepEqual([title, description], ['&lt;Ada&gt; added you to a collection', null])
})

test('whoever blocks a domain is told how many follows that ended, once, and not when there was none', async () => {
  const alice = await world.createPerson()
  const guests = [newName('guest'), newName('guest')]
  for (const name of guests) {
    const id = await makeRemote(ctx, {
      handle: { username: name, domain: 'far.test' },
      uri: `https://far.test/users/${name}`,
    })
    const uri = `https://far.test/follows/${name}`
    await ctx.write((tx) => receiveFollow(tx, { accountId: id, targetAccountId: alice.accountId, uri }))
  }
  await world.settle()
  await alice.client.post('/api/v1/domain_blocks', { domain: 'empty.test' })
  await alice.client.post('/api/v1/domain_blocks', { domain: 'far.test' })
  await world.settle()
  const { body } = await alice.client.get('/api/v1/notifications')
  assert.equal(body.length, 1)
  assertOnWire('Notification', body[0])
  const { type, account, event } = body[0]
  assert.deepEqual([type, account.id], ['severed_relationships', alice.accountId])
  assert.deepEqual(
    [event.type, event.target_name, event.followers_count, event.following_count],
    ['user_domain_block', 'far.test', 2, 0],
  )
})

test('whoever boosted a post is told what it says now, once, and not whoever took that back or wrote it', async () => {
  const [alice, bob, carol] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
  const { id } = (await bob.client.post('/api/v1/statuses', { status: 'one' })).body
  for (const person of [alice, bob, carol]) await person.client.post(`/api/v1/statuses/${id}/reblog`)
  await carol.client.post(`/api/v1/statuses/${id}/unreblog`)
  const told = async ({ client }: Person) => {
    await world.settle()
    return (await client.get('/api/v1/notifications?types[]=update')).body
  }
  const seen: string[] = []
  for (const status of ['two', 'three']) {
    await bob.client.put(`/api/v1/statuses/${id}`, { status })
    const [one, ...more] = await told(alice)
    assertOnWire('Notification', one)
    assert.deepEqual([one.account.id, one.status.id, one.status.content], [bob.accountId, id, `<p>${status}</p>`])
    assert.deepEqual(more, [])
    seen.push(one.id)
  }
  // What tells of an earlier edit is replaced, so it is news again.
  assert.equal(new Set(seen).size, 2)
  assert.deepEqual([await told(bob), await told(carol)], [[], []])
})

test('masto.js reads groups, lets people in and changes a policy', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const rest = createRestAPIClient({ url: `http://${domain}`, accessToken: alice.token })
  const policy = await rest.v2.notifications.policy.update({ forNotFollowing: 'filter' })
  assert.deepEqual([policy.forNotFollowing, policy.forPrivateMentions], ['filter', 'filter'])
  await bob.client.post('/api/v1/statuses', { status: `@${alice.username} hi` })
  await world.settle()
  assert.deepEqual((await rest.v2.notifications.list()).notificationGroups, [])
  const [request] = await rest.v1.notifications.requests.list()
  assert.deepEqual([request!.account.id, request!.notificationsCount], [bob.accountId, '1'])
  await rest.v1.notifications.requests.$select(request!.id).accept()
  await world.settle()
  const { notificationGroups: groups, accounts, statuses } = await rest.v2.notifications.list()
  assert.deepEqual([groups.length, accounts[0]!.id, statuses.length], [1, bob.accountId, 1])
  const [group] = groups
  assert.equal(typeof group!.mostRecentNotificationId, 'number')
  assert.equal((await rest.v2.notifications.unreadCount.fetch()).count, 1)
  await rest.v2.notifications.$select(group!.groupKey).dismiss()
  assert.deepEqual((await rest.v2.notifications.list()).notificationGroups, [])
})
