import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import { createCollection, createDiscoverableUser, addToCollection } from '../../../../../test/features/collections.ts'
import { findPort } from '../../../../../test/servers/linnet-process.ts'
import { createRemoteAccount, uniqueName } from '../../../../../test/federation/remote-records.ts'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'
import { recordRemoteFollow } from '../../../../domain/relationships/follows/record-remote-follow.ts'

const port = await findPort()
const domain = `localhost:${port}`
const testServer = await openTestServer({ env: { PORT: port, LOCAL_DOMAIN: domain } })
after(testServer.close)
await testServer.listen()
const { ctx } = testServer

test('a type outside supported_types has a fallback text', async () => {
  const owner = await testServer.createUser({ displayName: '<Ada>' })
  const alice = await createDiscoverableUser(testServer)
  const { id } = await createCollection(owner)
  await addToCollection(owner, { id, accountId: alice.accountId })
  await testServer.waitForJobs()
  const fallbackOf = async (query: string) => {
    const [notification] = (await alice.client.get(`/api/v1/notifications?${query}`)).body
    assertEntity('Notification', notification)
    const single = await alice.client.get(`/api/v1/notifications/${notification.id}?${query}`)
    const grouped = (await alice.client.get(`/api/v2/notifications?${query}`)).body
    assertEntity('GroupedNotificationsResults', grouped)
    const { fallback } = notification
    assert.deepEqual([single.body.fallback, grouped.notification_groups[0].fallback], [fallback, fallback])
    return fallback
  }
  assert.equal(await fallbackOf(''), undefined)
  assert.equal(await fallbackOf('supported_types[]=added_to_collection'), undefined)
  const { title, description } = await fallbackOf('supported_types[]=mention')
  assert.deepEqual([title, description], ['&lt;Ada&gt; added you to a collection', null])
})

test('a domain block notifies the user once of severed relationships with a stored list, and not without any', async () => {
  const alice = await testServer.createUser()
  const usernames = [uniqueName('remote'), uniqueName('remote')]
  for (const name of usernames) {
    const id = await createRemoteAccount(ctx, {
      handle: { username: name, domain: 'remote.test' },
      uri: `https://remote.test/users/${name}`,
    })
    const uri = `https://remote.test/follows/${name}`
    await ctx.write((tx) => recordRemoteFollow(tx, { accountId: id, targetAccountId: alice.accountId, uri }))
  }
  await testServer.waitForJobs()
  await alice.client.post('/api/v1/domain_blocks', { domain: 'empty.test' })
  await alice.client.post('/api/v1/domain_blocks', { domain: 'remote.test' })
  await testServer.waitForJobs()
  const { body } = await alice.client.get('/api/v1/notifications')
  assert.equal(body.length, 1)
  assertEntity('Notification', body[0])
  const { type, account, event } = body[0]
  assert.deepEqual([type, account.id], ['severed_relationships', alice.accountId])
  assert.deepEqual(
    [event.type, event.target_name, event.followers_count, event.following_count, event.purged],
    ['user_domain_block', 'remote.test', 2, 0, false],
  )
})

test('an edit notifies accounts that boosted the post once, not those that undid it, nor the author', async () => {
  const [alice, bob, carol] = [
    await testServer.createUser(),
    await testServer.createUser(),
    await testServer.createUser(),
  ]
  const { id } = (await bob.client.post('/api/v1/statuses', { status: 'one' })).body
  for (const user of [alice, bob, carol]) await user.client.post(`/api/v1/statuses/${id}/reblog`)
  await carol.client.post(`/api/v1/statuses/${id}/unreblog`)
  const updatesFor = async ({ client }: TestUser) => {
    await testServer.waitForJobs()
    return (await client.get('/api/v1/notifications?types[]=update')).body
  }
  const ids: string[] = []
  for (const status of ['two', 'three']) {
    await bob.client.put(`/api/v1/statuses/${id}`, { status })
    const [update, ...more] = await updatesFor(alice)
    assertEntity('Notification', update)
    assert.deepEqual(
      [update.account.id, update.status.id, update.status.content],
      [bob.accountId, id, `<p>${status}</p>`],
    )
    assert.deepEqual(more, [])
    ids.push(update.id)
  }
  // The notification of an earlier edit is replaced, so that the new one is unread.
  assert.equal(new Set(ids).size, 2)
  assert.deepEqual([await updatesFor(bob), await updatesFor(carol)], [[], []])
})

test('masto.js reads groups, accepts a request and changes the policy', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const rest = createRestAPIClient({ url: `http://${domain}`, accessToken: alice.token })
  const policy = await rest.v2.notifications.policy.update({ forNotFollowing: 'filter' })
  assert.deepEqual([policy.forNotFollowing, policy.forPrivateMentions], ['filter', 'filter'])
  await bob.client.post('/api/v1/statuses', { status: `@${alice.username} hi` })
  await testServer.waitForJobs()
  assert.deepEqual((await rest.v2.notifications.list()).notificationGroups, [])
  const [request] = await rest.v1.notifications.requests.list()
  assert.deepEqual([request!.account.id, request!.notificationsCount], [bob.accountId, '1'])
  await rest.v1.notifications.requests.$select(request!.id).accept()
  await testServer.waitForJobs()
  const { notificationGroups: groups, accounts, statuses } = await rest.v2.notifications.list()
  assert.deepEqual([groups.length, accounts[0]!.id, statuses.length], [1, bob.accountId, 1])
  const [group] = groups
  assert.equal(typeof group!.mostRecentNotificationId, 'number')
  assert.equal((await rest.v2.notifications.unreadCount.fetch()).count, 1)
  await rest.v2.notifications.$select(group!.groupKey).dismiss()
  assert.deepEqual((await rest.v2.notifications.list()).notificationGroups, [])
})
