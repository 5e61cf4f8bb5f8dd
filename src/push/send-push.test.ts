import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { readVapidHeaders } from '../../test/services/push-client.ts'
import { openPushServer } from '../../test/services/push-server.ts'
import type { TestUser } from '../../test/servers/test-server.ts'
import type { Notification } from '../entities/notifications/notification.ts'
import { planNotificationPushes } from '../domain/push/plan-pushes.ts'
import { sendPush } from './send-push.ts'

const HOUR_MS = 3_600_000

const pushing = await openPushServer()
after(pushing.close)
const { testServer, subscribe } = pushing
const { ctx } = testServer

const post = async (user: TestUser, body: object): Promise<string> =>
  (await user.client.post('/api/v1/statuses', body)).body.id as string

test('a mention is pushed in both encodings, encrypted for the subscription and signed by VAPID', async () => {
  const alice = await testServer.createUser()
  const bob = await testServer.createUser({ displayName: 'Bob B.' })
  await ctx.db.updateTable('users').set({ locale: 'de' }).where('id', '=', alice.userId).execute()
  for (const standard of [true, false]) {
    const program = await subscribe(alice, { standard })
    await post(bob, { status: `@${alice.username} see\n\nthis <b>thing</b> & more`, visibility: 'private' })
    await testServer.waitForJobs()
    const [notification] = (await alice.client.get('/api/v1/notifications')).body
    assert.deepEqual(program.messages(), [
      {
        access_token: alice.token,
        preferred_locale: 'de',
        notification_id: Number(notification.id),
        notification_type: 'mention',
        title: 'Bob B. hat dich erwähnt',
        icon: notification.account.avatar_static,
        body: `@${alice.username} see this <b>thing</b> & more`,
      },
    ])
    const [request] = program.requests()
    const { headers, method } = request!
    assert.equal(method, 'POST')
    assert.deepEqual(
      [headers['ttl'], headers['urgency'], headers['content-type']],
      ['172800', 'normal', 'application/octet-stream'],
    )
    assert.equal(headers['content-encoding'], standard ? 'aes128gcm' : 'aesgcm')
    const { aud, exp, sub } = readVapidHeaders(request!, { publicKey: ctx.secrets.vapidPublicKey })
    assert.deepEqual([aud, sub], ['https://push.test', ctx.config.origin])
    const hours = (exp * 1000 - Date.now()) / HOUR_MS
    assert.ok(hours > 1 && hours <= 24, `${hours}`)
  }
})

test('the VAPID header contains the contact address, if the owner has set one', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  await ctx.db
    .insertInto('settings')
    .values({ name: 'site_contact_email', value: JSON.stringify('admin@linnet.test') })
    .execute()
  const program = await subscribe(alice)
  await bob.client.post(`/api/v1/accounts/${alice.accountId}/follow`)
  await testServer.waitForJobs()
  const [request] = program.requests()
  assert.equal(readVapidHeaders(request!, { publicKey: ctx.secrets.vapidPublicKey }).sub, 'mailto:admin@linnet.test')
  assert.equal(program.messages()[0]!.notification_type, 'follow')
})

test('a push for a post with a content warning contains the warning only, and long texts are cut', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser({ displayName: '🦜'.repeat(30) })]
  const program = await subscribe(alice)
  await post(bob, { status: `@${alice.username} secret`, spoiler_text: 'Careful' })
  await testServer.waitForJobs()
  await post(bob, { status: `@${alice.username} ${'🦜'.repeat(300)}` })
  await testServer.waitForJobs()
  const [first, second] = program.messages()
  assert.equal(first!.body, 'Careful')
  assert.equal(Array.from(second!.body).length, 140)
  assert.ok(second!.body.endsWith('🦜…'))
})

test('HT8: a display name cannot reorder the title of a push', async () => {
  const alice = await testServer.createUser()
  const bob = await testServer.createUser({ displayName: '\u2067B\u202eob' })
  const cy = await testServer.createUser({ displayName: '\u202e' })
  const program = await subscribe(alice)
  for (const user of [bob, cy]) {
    await user.client.post(`/api/v1/accounts/${alice.accountId}/follow`)
    await testServer.waitForJobs()
  }
  const titles = program.messages().map(({ title }) => title)
  assert.deepEqual(titles, ['Bob followed you', `${cy.username} followed you`])
})

test('WP1 VI16 notifications are pushed exactly by the alerts and the policy of the subscription', async () => {
  const policies = ['all', 'followed', 'follower', 'none'] as const
  const kinds = ['mention', 'favourite', 'reblog'] as const
  const names = ['followed', 'follower', 'both', 'neither'] as const
  const senders = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await testServer.createUser()] as const)),
  ) as Record<(typeof names)[number], TestUser>
  const permittedSenders: Record<(typeof policies)[number], readonly string[]> = {
    all: names,
    followed: ['followed', 'both'],
    follower: ['follower', 'both'],
    none: [],
  }
  // For each policy, one type is turned on, one is turned off, and one is missing.
  for (const [n, policy] of policies.entries()) {
    const alice = await testServer.createUser()
    const alerts = Object.fromEntries(kinds.slice(0, 2).map((kind, place) => [kind, (place + n) % 2 === 0]))
    for (const name of ['followed', 'both'] as const)
      await alice.client.post(`/api/v1/accounts/${senders[name].accountId}/follow`)
    for (const name of ['follower', 'both'] as const)
      await senders[name].client.post(`/api/v1/accounts/${alice.accountId}/follow`)
    const statusId = await post(alice, { status: 'mine' })
    await testServer.waitForJobs()
    const program = await subscribe(alice, { data: { alerts, policy } })
    for (const name of names) {
      await post(senders[name], { status: `@${alice.username} hi` })
      await senders[name].client.post(`/api/v1/statuses/${statusId}/favourite`)
      await senders[name].client.post(`/api/v1/statuses/${statusId}/reblog`)
    }
    await testServer.waitForJobs()
    const notifications = (
      await alice.client.get<Notification[]>('/api/v1/notifications', { exclude_types: ['follow'] })
    ).body
    assert.equal(notifications.length, names.length * kinds.length)
    const senderOf = new Map(notifications.map((one) => [Number(one.id), one.account.id]))
    const pushed = program.messages().map((one) => `${one.notification_type} ${senderOf.get(one.notification_id)}`)
    const expected = kinds
      .filter((kind) => alerts[kind] === true)
      .flatMap((kind) => permittedSenders[policy].map((name) => `${kind} ${senders[name as 'both'].accountId}`))
    assert.deepEqual(pushed.toSorted(), expected.toSorted(), policy)
  }
})

test('each subscription gets a notification once, however often the effects run', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const program = await subscribe(alice)
  await bob.client.post(`/api/v1/accounts/${alice.accountId}/follow`)
  await testServer.waitForJobs()
  const { id: notificationId } = await findLast(alice)
  const { subscription_id: subscriptionId } = await ctx.db
    .selectFrom('push_deliveries')
    .select('subscription_id')
    .where('notification_id', '=', notificationId)
    .executeTakeFirstOrThrow()
  await Promise.all([1, 2, 3].map(() => planNotificationPushes(ctx, [{ notificationId }])))
  await Promise.all(
    [0, 0, 1].map((attempt) => sendPush(ctx, { notificationId, subscriptionId, attempts: attempt * 7 })),
  )
  await testServer.waitForJobs()
  assert.equal(program.requests().length, 1)
})

const findLast = (user: TestUser) =>
  ctx.db
    .selectFrom('notifications')
    .select('id')
    .where('account_id', '=', user.accountId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
