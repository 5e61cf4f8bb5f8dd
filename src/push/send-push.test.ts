import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { readIntroduction } from '../../test/push.ts'
import { openPushing } from '../../test/pushing.ts'
import type { Person } from '../../test/world.ts'
import type { Notification } from '../entities/notification.ts'
import { planPushes } from '../domain/push/plan.ts'
import { sendPush } from './send-push.ts'

const HOUR_MS = 3_600_000

const pushing = await openPushing()
after(pushing.close)
const { world, subscribe } = pushing
const { ctx } = world

const post = async (person: Person, body: object): Promise<string> =>
  (await person.client.post('/api/v1/statuses', body)).body.id as string

test('a mention is pushed, by either standard, so that only the program reads it and knows who sent it', async () => {
  const alice = await world.createPerson()
  const bob = await world.createPerson({ displayName: 'Bob B.' })
  await ctx.db.updateTable('users').set({ locale: 'de' }).where('id', '=', alice.userId).execute()
  for (const standard of [true, false]) {
    const program = await subscribe(alice, { standard })
    await post(bob, { status: `@${alice.username} see\n\nthis <b>thing</b> & more`, visibility: 'private' })
    await world.settle()
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
    const { aud, exp, sub } = readIntroduction(request!, { publicKey: ctx.secrets.vapidPublicKey })
    assert.deepEqual([aud, sub], ['https://push.test', ctx.config.origin])
    const hours = (exp * 1000 - Date.now()) / HOUR_MS
    assert.ok(hours > 1 && hours <= 24, `${hours}`)
  }
})

test('the push service learns whom to write to, where the owner said so', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  await ctx.db
    .insertInto('settings')
    .values({ name: 'site_contact_email', value: JSON.stringify('admin@linnet.test') })
    .execute()
  const program = await subscribe(alice)
  await bob.client.post(`/api/v1/accounts/${alice.accountId}/follow`)
  await world.settle()
  const [request] = program.requests()
  assert.equal(readIntroduction(request!, { publicKey: ctx.secrets.vapidPublicKey }).sub, 'mailto:admin@linnet.test')
  assert.equal(program.messages()[0]!.notification_type, 'follow')
})

test('a post behind a warning shows the warning only, and whatever is long is cut', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson({ displayName: '🦜'.repeat(30) })]
  const program = await subscribe(alice)
  await post(bob, { status: `@${alice.username} secret`, spoiler_text: 'Careful' })
  await world.settle()
  await post(bob, { status: `@${alice.username} ${'🦜'.repeat(300)}` })
  await world.settle()
  const [first, second] = program.messages()
  assert.equal(first!.body, 'Careful')
  assert.equal(Array.from(second!.body).length, 140)
  assert.ok(second!.body.endsWith('🦜…'))
})

test('WP1 VI16 each kind is pushed exactly to those who want it, from those from whom they want it', async () => {
  const policies = ['all', 'followed', 'follower', 'none'] as const
  const kinds = ['mention', 'favourite', 'reblog'] as const
  const names = ['followed', 'follower', 'both', 'neither'] as const
  const senders = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await world.createPerson()] as const)),
  ) as Record<(typeof names)[number], Person>
  const wanted: Record<(typeof policies)[number], readonly string[]> = {
    all: names,
    followed: ['followed', 'both'],
    follower: ['follower', 'both'],
    none: [],
  }
  // Rows of the table: a policy, and which of the kinds are wanted, off, or not named.
  for (const [n, policy] of policies.entries()) {
    const alice = await world.createPerson()
    const alerts = Object.fromEntries(kinds.slice(0, 2).map((kind, place) => [kind, (place + n) % 2 === 0]))
    for (const name of ['followed', 'both'] as const)
      await alice.client.post(`/api/v1/accounts/${senders[name].accountId}/follow`)
    for (const name of ['follower', 'both'] as const)
      await senders[name].client.post(`/api/v1/accounts/${alice.accountId}/follow`)
    const mine = await post(alice, { status: 'mine' })
    await world.settle()
    const program = await subscribe(alice, { data: { alerts, policy } })
    for (const name of names) {
      await post(senders[name], { status: `@${alice.username} hi` })
      await senders[name].client.post(`/api/v1/statuses/${mine}/favourite`)
      await senders[name].client.post(`/api/v1/statuses/${mine}/reblog`)
    }
    await world.settle()
    const told = (await alice.client.get<Notification[]>('/api/v1/notifications', { exclude_types: ['follow'] })).body
    assert.equal(told.length, names.length * kinds.length)
    const senderOf = new Map(told.map((one) => [Number(one.id), one.account.id]))
    const pushed = program.messages().map((one) => `${one.notification_type} ${senderOf.get(one.notification_id)}`)
    const expected = kinds
      .filter((kind) => alerts[kind] === true)
      .flatMap((kind) => wanted[policy].map((name) => `${kind} ${senders[name as 'both'].accountId}`))
    assert.deepEqual(pushed.toSorted(), expected.toSorted(), policy)
  }
})

test('each program of a person is told once, however often the effects run', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const program = await subscribe(alice)
  await bob.client.post(`/api/v1/accounts/${alice.accountId}/follow`)
  await world.settle()
  const { id: notificationId } = await findLast(alice)
  const { subscription_id: subscriptionId } = await ctx.db
    .selectFrom('pushes')
    .select('subscription_id')
    .where('notification_id', '=', notificationId)
    .executeTakeFirstOrThrow()
  await Promise.all([1, 2, 3].map(() => planPushes(ctx, { notificationId })))
  await Promise.all([0, 0, 1].map((tries) => sendPush(ctx, { notificationId, subscriptionId, tries: tries * 7 })))
  await world.settle()
  assert.equal(program.requests().length, 1)
})

const findLast = (person: Person) =>
  ctx.db
    .selectFrom('notifications')
    .select('id')
    .where('account_id', '=', person.accountId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
