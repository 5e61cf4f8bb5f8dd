import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createBrowser } from '../../test/http/browser.ts'
import { openBrowserSession } from '../../test/http/open-session.ts'
import { createRemoteAccount, createRemoteStatus } from '../../test/federation/remote-records.ts'
import { disable, suspend } from '../../test/features/moderation.ts'
import { makeJobsDue } from '../../test/jobs/make-jobs-due.ts'
import { openSocket, until } from '../../test/streaming/streams.ts'
import { openTestServer } from '../../test/servers/test-server.ts'
import type { TestUser } from '../../test/servers/test-server.ts'
import { createNotifications } from '../domain/notifications/create/create-notifications.ts'
import { mailNotification } from './notification.ts'

const testServer = await openTestServer()
after(testServer.close)
const { ctx } = testServer
const address = await testServer.listen()

const createTwoUsers = (): Promise<[TestUser, TestUser]> =>
  Promise.all([testServer.createUser(), testServer.createUser({ displayName: 'Bob' })])
const mention = async (from: TestUser, to: TestUser) =>
  from.client.post('/api/v1/statuses', { status: `@${to.username} are you there?` })
const follow = async (from: TestUser, to: TestUser) => from.client.post(`/api/v1/accounts/${to.accountId}/follow`)
const savePreferences = async (user: TestUser, types: string[], evenIfSeen: boolean) =>
  ctx.db
    .updateTable('users')
    .set({ mail_types: types, mail_even_if_seen: evenIfSeen })
    .where('id', '=', user.userId)
    .execute()
async function mailsTo(user: TestUser) {
  await testServer.waitForJobs()
  await makeJobsDue(ctx, 'mailNotification')
  await testServer.waitForJobs()
  return ctx.db
    .selectFrom('mails')
    .select(['subject', 'text', 'html', 'unsubscribe_url'])
    .where('recipient', '=', user.email)
    .orderBy('id')
    .execute()
}

test('a notification that its user does not see is mailed after a delay, once', async () => {
  const [alice, bob] = await createTwoUsers()
  await mention(bob, alice)
  await testServer.waitForJobs()
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

test('a mail links to the profile, the requests or the post; to one without a public page through the log-in', async () => {
  const [alice, bob] = await createTwoUsers()
  const locked = await testServer.createUser()
  await locked.client.patch('/api/v1/accounts/update_credentials', { locked: true })
  const browser = await openBrowserSession(testServer, alice)
  const linkOf = async (user: TestUser) => {
    const [mail] = (await mailsTo(user)).slice(-1)
    return /^Go to linnet\.test:\nhttps:\/\/linnet\.test(.*)$/m.exec(mail!.text)![1]!
  }
  await follow(bob, alice)
  assert.equal(await linkOf(alice), `/@${bob.username}`)
  await follow(bob, locked)
  assert.equal(await linkOf(locked), '/follow_requests')
  await follow(alice, bob)
  for (const more of [{ visibility: 'direct' }, { local_only: true }]) {
    const status = `@${alice.username} psst`
    const { id } = (await bob.client.post('/api/v1/statuses', { status, ...more })).body
    const link = await linkOf(alice)
    const path = `/@${bob.username}/${id}`
    assert.equal((await browser.get(link)).location, path)
    assert.match((await createBrowser(testServer.server).get(link)).html, new RegExp(`name="next" value="${path}"`))
  }
})

test('a name cannot reverse the subject of a mail by characters that override the direction', async () => {
  const alice = await testServer.createUser()
  const mallory = await testServer.createUser({ displayName: '\u202eyrollaM' })
  await mention(mallory, alice)
  const [mail] = await mailsTo(alice)
  assert.equal(mail!.subject, 'yrollaM mentioned you')
  assert.doesNotMatch(mail!.text + mail!.html, /\u202e/)
})

test('a mail shows the handle of an account with an internationalised domain as the API does', async () => {
  const alice = await testServer.createUser()
  const handle = { username: 'berta', domain: 'xn--bcher-kva.example' }
  const fromAccountId = await createRemoteAccount(ctx, { handle })
  await ctx.write((tx) => createNotifications(tx, { type: 'follow', fromAccountId, recipientIds: [alice.accountId] }))
  const [mail] = await mailsTo(alice)
  assert.match(mail!.text, /^Account: @berta@bücher\.example$/m)
  assert.match(mail!.text, /^https:\/\/linnet\.test\/@berta@xn--bcher-kva\.example$/m)
})

test('a mail about a post of another server shows its text', async () => {
  const alice = await testServer.createUser()
  const fromAccountId = await createRemoteAccount(ctx)
  const content = '<p>from <b>afar</b></p>'
  const statusId = await createRemoteStatus(ctx, {
    accountId: fromAccountId,
    content,
    mentionedIds: [alice.accountId],
  })
  const recipientIds = [alice.accountId]
  await ctx.write((tx) => createNotifications(tx, { type: 'mention', fromAccountId, statusId, recipientIds }))
  const [mail] = await mailsTo(alice)
  assert.match(mail!.text, /^> from afar$/m)
})

test('favourites and reblogs are not mailed by default, and filtered notifications never are', async () => {
  const [alice, bob] = await createTwoUsers()
  const { id } = (await alice.client.post('/api/v1/statuses', { status: 'mine' })).body
  await bob.client.post(`/api/v1/statuses/${id}/favourite`)
  await bob.client.post('/api/v1/statuses', { status: `@${alice.username} psst`, visibility: 'direct' })
  assert.deepEqual(await mailsTo(alice), [])
  await savePreferences(alice, ['reblog'], false)
  await bob.client.post(`/api/v1/statuses/${id}/reblog`)
  await mention(bob, alice)
  assert.deepEqual(
    (await mailsTo(alice)).map(({ subject }) => subject),
    ['Bob boosted your post'],
  )
})

test('notifications that were streamed or read are not mailed, unless the user chose so', async () => {
  const [alice, bob] = await createTwoUsers()
  const socket = await openSocket(address, { token: alice.token })
  await socket.subscribe('user')
  await mention(bob, alice)
  await until(() => socket.received.find(({ event }) => event === 'notification'))
  socket.ws.close()
  await follow(bob, alice)
  await testServer.waitForJobs()
  const [newest] = (await alice.client.get('/api/v1/notifications')).body
  await alice.client.post('/api/v1/markers', { notifications: { last_read_id: newest.id } })
  assert.deepEqual(await mailsTo(alice), [])
  await savePreferences(alice, ['mention'], true)
  const again = await openSocket(address, { token: alice.token })
  await again.subscribe('user')
  await mention(bob, alice)
  await until(() => again.received.find(({ event }) => event === 'notification'))
  again.ws.close()
  assert.equal((await mailsTo(alice)).length, 1)
})

test('users who have moved, or may not use their account any more, get no mails', async () => {
  const [alice, bob] = await createTwoUsers()
  const changes: ((user: TestUser) => Promise<unknown>)[] = [
    (user) => disable(ctx, user),
    (user) => suspend(ctx, user),
    ({ accountId }) =>
      ctx.db
        .updateTable('accounts')
        .set({ moved_to_account_id: alice.accountId })
        .where('id', '=', accountId)
        .execute(),
  ]
  for (const change of changes) {
    const user = await testServer.createUser()
    await mention(bob, user)
    await testServer.waitForJobs()
    await change(user)
    assert.deepEqual(await mailsTo(user), [])
  }
})

test('a user unsubscribes from a type of mails by page or one click; the link cannot be forged', async () => {
  const [alice, bob] = await createTwoUsers()
  await mention(bob, alice)
  await follow(bob, alice)
  const first = (await mailsTo(alice)).find(({ subject }) => subject === 'Bob mentioned you')
  const { pathname, search } = new URL(first!.unsubscribe_url!)
  const page = await testServer.anonymous.get(pathname + search)
  assert.equal(page.status, 200)
  const readMailTypes = async () =>
    (await ctx.db.selectFrom('users').select('mail_types').where('id', '=', alice.userId).executeTakeFirstOrThrow())
      .mail_types
  assert.equal((await readMailTypes()).length, 4)
  for (const wrong of [
    search.replace('type=mention', 'type=follow'),
    search.replace(/token=.{5}/, 'token=xxxxx'),
    '',
  ]) {
    assert.equal((await testServer.anonymous.post(pathname + wrong)).status, 404)
  }
  const post = await testServer.server.inject({
    method: 'POST',
    url: pathname + search,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'List-Unsubscribe=One-Click',
  })
  assert.equal(post.statusCode, 200)
  assert.ok(!(await readMailTypes()).includes('mention'))
})
