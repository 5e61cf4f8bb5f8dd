import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { hasten } from '../../test/hasten.ts'
import { openSocket, until } from '../../test/streams.ts'
import { openWorld } from '../../test/world.ts'
import type { Person } from '../../test/world.ts'
import { mailNotification } from './notification.ts'

const world = await openWorld()
after(world.close)
const { ctx } = world
const address = await world.listen()

const two = (): Promise<[Person, Person]> =>
  Promise.all([world.createPerson(), world.createPerson({ displayName: 'Bob' })])
const say = async (from: Person, to: Person) =>
  from.client.post('/api/v1/statuses', { status: `@${to.username} are you there?` })
const follow = async (from: Person, to: Person) => from.client.post(`/api/v1/accounts/${to.accountId}/follow`)
const choose = async (person: Person, kinds: string[], always: boolean) =>
  ctx.db.updateTable('users').set({ mail_kinds: kinds, always_mail: always }).where('id', '=', person.userId).execute()
async function mailsTo(person: Person) {
  await world.settle()
  await hasten(ctx, 'mailNotification')
  await world.settle()
  return ctx.db
    .selectFrom('mails')
    .select(['subject', 'text', 'html', 'unsubscribe_url'])
    .where('recipient', '=', person.email)
    .orderBy('id')
    .execute()
}

test('a notification that its user does not see is mailed after a while, once', async () => {
  const [alice, bob] = await two()
  await say(bob, alice)
  await world.settle()
  const early = await ctx.db.selectFrom('mails').select('id').where('recipient', '=', alice.email).execute()
  assert.equal(early.length, 0)
  const [mail, ...more] = await mailsTo(alice)
  assert.equal(more.length, 0)
  assert.equal(mail!.subject, 'Bob mentioned you')
  assert.match(mail!.text, /> @person\d+ are you there\?/)
  assert.match(mail!.text, new RegExp(`^https://linnet\\.test/@${bob.username}/\\d+$`, 'm'))
  assert.ok(mail!.text.includes(mail!.unsubscribe_url!) && mail!.html.includes('/unsubscribe?'))
  const [notification] = (await alice.client.get('/api/v1/notifications')).body
  await mailNotification(ctx, { notificationId: notification.id })
  assert.equal((await mailsTo(alice)).length, 1)
})

test('only to what everybody may read a mail leads, and to who somebody is', async () => {
  const [alice, bob] = await two()
  const status = `@${alice.username} psst`
  await follow(alice, bob)
  await bob.client.post('/api/v1/statuses', { status, visibility: 'direct' })
  await bob.client.post('/api/v1/statuses', { status, local_only: true })
  await follow(bob, alice)
  const links = (await mailsTo(alice)).map(({ text }) => /^Go to linnet\.test:\n(.*)$/m.exec(text)![1])
  const account = 'https://linnet.test/account'
  assert.deepEqual(
    links.toSorted((a, b) => a!.localeCompare(b!)),
    [`https://linnet.test/@${bob.username}`, account, account],
  )
})

test('favourites and boosts are not told unless that is wanted, and what is held back never is', async () => {
  const [alice, bob] = await two()
  const { id } = (await alice.client.post('/api/v1/statuses', { status: 'mine' })).body
  await bob.client.post(`/api/v1/statuses/${id}/favourite`)
  await bob.client.post('/api/v1/statuses', { status: `@${alice.username} psst`, visibility: 'direct' })
  assert.deepEqual(await mailsTo(alice), [])
  await choose(alice, ['reblog'], false)
  await bob.client.post(`/api/v1/statuses/${id}/reblog`)
  await say(bob, alice)
  assert.deepEqual(
    (await mailsTo(alice)).map(({ subject }) => subject),
    ['Bob boosted your post'],
  )
})

test('no mail tells of what a stream told or was read meanwhile, unless somebody wants it all', async () => {
  const [alice, bob] = await two()
  const socket = await openSocket(address, { token: alice.token })
  await socket.subscribe('user')
  await say(bob, alice)
  await until(() => socket.received.find(({ event }) => event === 'notification'))
  socket.ws.close()
  await follow(bob, alice)
  await world.settle()
  const [newest] = (await alice.client.get('/api/v1/notifications')).body
  await alice.client.post('/api/v1/markers', { notifications: { last_read_id: newest.id } })
  assert.deepEqual(await mailsTo(alice), [])
  await choose(alice, ['mention'], true)
  const again = await openSocket(address, { token: alice.token })
  await again.subscribe('user')
  await say(bob, alice)
  await until(() => again.received.find(({ event }) => event === 'notification'))
  again.ws.close()
  assert.equal((await mailsTo(alice)).length, 1)
})

test('mails of a kind are stopped from the mail itself, with or without a page, and by nobody else', async () => {
  const [alice, bob] = await two()
  await say(bob, alice)
  await follow(bob, alice)
  const first = (await mailsTo(alice)).find(({ subject }) => subject === 'Bob mentioned you')
  const { pathname, search } = new URL(first!.unsubscribe_url!)
  const page = await world.anonymous.get(pathname + search)
  assert.equal(page.status, 200)
  const kindsOf = async () =>
    (await ctx.db.selectFrom('users').select('mail_kinds').where('id', '=', alice.userId).executeTakeFirstOrThrow())
      .mail_kinds
  assert.equal((await kindsOf()).length, 4)
  for (const wrong of [
    search.replace('type=mention', 'type=follow'),
    search.replace(/token=.{5}/, 'token=xxxxx'),
    '',
  ]) {
    assert.equal((await world.anonymous.post(pathname + wrong)).status, 404)
  }
  const post = await world.server.inject({
    method: 'POST',
    url: pathname + search,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'List-Unsubscribe=One-Click',
  })
  assert.equal(post.statusCode, 200)
  assert.ok(!(await kindsOf()).includes('mention'))
})
