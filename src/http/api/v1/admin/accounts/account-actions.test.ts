import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import { openFediverse } from '../../../../../../test/federation/fediverse.ts'
import { assertEntity } from '../../../../../../test/http/entities/entity-schemas.ts'
import { openSocket } from '../../../../../../test/streaming/streams.ts'
import type { UserOptions } from '../../../../../../test/servers/create-user.ts'
import type { TestUser } from '../../../../../../test/servers/test-server.ts'
import type { AdminAccount } from '../../../../../entities/admin/accounts/admin-account.ts'
import type { Notification } from '../../../../../entities/notifications/notification.ts'

const ADMIN_SCOPES = 'read write admin:read admin:write'
const PATH = '/api/v1/admin/accounts'

const fediverse = await openFediverse({ hosts: ['remote.test'] })
after(fediverse.close)
const { testServer, peer, uriOf } = fediverse
const { db } = testServer.ctx
const remoteHost = peer.host('remote.test')

const staffWith = (role: NonNullable<UserOptions['role']>) => testServer.createUser({ role, scopes: ADMIN_SCOPES })
const [moderator, admin, owner] = [await staffWith('moderator'), await staffWith('admin'), await staffWith('owner')]

let address: Promise<string> | undefined

/** Returns the address on which the server listens. */
function addressOf(): Promise<string> {
  return (address ??= testServer.listen())
}

const send = (user: TestUser, id: string, path: string, payload: object = {}) =>
  user.client.post(`${PATH}/${id}/${path}`, payload)

async function act(type: string, { accountId }: { accountId: string }, more: object = {}): Promise<void> {
  const { status, body } = await send(moderator, accountId, 'action', { type, ...more })
  assert.deepEqual([status, body], [200, {}])
}

/** Calls an endpoint that returns the account. */
async function call(path: string, { accountId }: { accountId: string }, user = moderator): Promise<AdminAccount> {
  const { status, body } = await send(user, accountId, path)
  assert.equal(status, 200, JSON.stringify(body))
  assertEntity('AdminAccount', body)
  return body as AdminAccount
}

async function warningsOf(user: TestUser): Promise<NonNullable<Notification['moderation_warning']>[]> {
  await testServer.waitForJobs()
  const { body } = await user.client.get<Notification[]>('/api/v1/notifications', { types: ['moderation_warning'] })
  return body.map((notification) => notification.moderation_warning!)
}

async function mailsTo({ email }: TestUser): Promise<string[]> {
  await testServer.waitForJobs()
  const mails = await db.selectFrom('mails').select('text').where('recipient', '=', email).orderBy('id').execute()
  return mails.map(({ text }) => text)
}

async function auditOf({ accountId }: { accountId: string }): Promise<string[]> {
  const entries = db.selectFrom('audit_log_entries').select('action').where('target_id', '=', accountId)
  return (await entries.where('target_type', '=', 'account').orderBy('id').execute()).map(({ action }) => action)
}

async function post(user: TestUser, more: object = {}): Promise<string> {
  return (await user.client.post('/api/v1/statuses', { status: 'Something', ...more })).body.id
}

async function report(target: TestUser): Promise<string> {
  const reporter = await testServer.createUser()
  return (await reporter.client.post('/api/v1/reports', { account_id: target.accountId })).body.id
}

const isResolved = async (reportId: string): Promise<boolean> =>
  (await moderator.client.get(`/api/v1/admin/reports/${reportId}`)).body.action_taken

suite('a moderation action', () => {
  test('none warns the user by mail and in the app, and hides the moderator', async () => {
    const user = await testServer.createUser()
    await act('none', user, { text: 'Please stop' })
    const [warning] = await warningsOf(user)
    assert.deepEqual([warning!.action, warning!.text], ['none', 'Please stop'])
    const [mail] = await mailsTo(user)
    assert.match(mail!, /Please stop/)
    for (const text of [JSON.stringify(warning), mail!]) assert.ok(!text.includes(moderator.username))
    assert.equal((await user.client.get('/api/v1/timelines/home')).status, 200)
    assert.deepEqual(await auditOf(user), ['warn'])
  })

  test('without send_email_notification notifies nobody', async () => {
    const user = await testServer.createUser()
    await act('silence', user, { send_email_notification: false })
    assert.deepEqual([await warningsOf(user), await mailsTo(user)], [[], []])
  })

  test('disable ends the streams and refuses the tokens until the account is enabled', async () => {
    const user = await testServer.createUser()
    const socket = await openSocket(await addressOf(), { token: user.token })
    await socket.subscribe('user')
    const closed = new Promise((resolve) => socket.ws.once('close', resolve))
    await act('disable', user)
    await closed
    const refused = await user.client.get('/api/v1/accounts/verify_credentials')
    assert.deepEqual([refused.status, refused.body.error], [403, 'Your login is currently disabled'])
    assert.equal((await testServer.anonymous.get(`/api/v1/accounts/${user.accountId}`)).status, 200)
    assert.equal((await call('enable', user)).disabled, false)
    assert.equal((await user.client.get('/api/v1/accounts/verify_credentials')).status, 200)
  })

  test('sensitive marks present and future statuses until it is undone', async () => {
    const [user, reader] = [await testServer.createUser(), await testServer.createUser()]
    const before = await post(user)
    const read = async (id: string) => (await reader.client.get(`/api/v1/statuses/${id}`)).body.sensitive
    assert.equal(await read(before), false)
    await act('sensitive', user)
    assert.equal((await user.client.get(`/api/v1/statuses/${before}`)).body.sensitive, false)
    assert.deepEqual([await read(before), await read(await post(user))], [true, true])
    const url = `/ap/users/${user.accountId}/statuses/${before}`
    const headers = { accept: 'application/activity+json' }
    assert.equal((await testServer.anonymous.send({ method: 'GET', url, headers })).body.sensitive, true)
    assert.equal((await call('unsensitive', user)).sensitized, false)
    assert.equal(await read(before), false)
  })

  test('silence limits the account until it is undone', async () => {
    const user = await testServer.createUser()
    const id = await post(user)
    const isPublic = async () => {
      const { body } = await testServer.anonymous.get<{ id: string }[]>('/api/v1/timelines/public')
      return body.some((status) => status.id === id)
    }
    assert.equal(await isPublic(), true)
    await act('silence', user)
    assert.equal(await isPublic(), false)
    assert.equal((await testServer.anonymous.get(`/api/v1/accounts/${user.accountId}`)).body.limited, true)
    assert.equal((await call('unsilence', user)).silenced, false)
    assert.equal(await isPublic(), true)
  })

  test('suspend hides a local account and sends an Update to remote followers, and its reversal shows the account again', async () => {
    const [user, follower] = [await testServer.createUser(), await testServer.createUser()]
    const remote = await remoteHost.createActor('follower')
    await fediverse.deliver(remote, remote.activity('Follow', uriOf(user)))
    await follower.client.post(`/api/v1/accounts/${user.accountId}/follow`)
    const id = await post(user)
    await testServer.waitForJobs()
    await act('suspend', user)
    await testServer.waitForJobs()
    assert.equal((await follower.client.get(`/api/v1/statuses/${id}`)).status, 404)
    assert.deepEqual((await follower.client.get('/api/v1/timelines/home')).body, [])
    const updates = () => remote.inbox.all('Update')
    assert.equal(updates().at(-1)!['object'].suspended, true)
    assert.equal((await call('unsuspend', user)).suspended, false)
    await testServer.waitForJobs()
    assert.equal((await follower.client.get(`/api/v1/statuses/${id}`)).status, 200)
    const { body: home } = await follower.client.get<{ id: string }[]>('/api/v1/timelines/home')
    assert.deepEqual(
      home.map((status) => status.id),
      [id],
    )
    assert.equal(updates().at(-1)!['object'].suspended, undefined)
  })

  test('suspend of a remote account rejects its follows and notifies the users who lose it', async () => {
    const user = await testServer.createUser()
    const remote = await remoteHost.createActor('noisy')
    const accountId = await fediverse.followEachOther(user, remote)
    await fediverse.deliver(remote, remote.activity('Follow', uriOf(user)))
    await act('suspend', { accountId })
    await testServer.waitForJobs()
    const rejected = remote.inbox.all('Reject')
    assert.equal(rejected.at(-1)!['object'].object, uriOf(user))
    const { body } = await user.client.get<Notification[]>('/api/v1/notifications', {
      types: ['severed_relationships'],
    })
    assert.deepEqual(
      [body[0]!.event!.type, body[0]!.event!.followers_count, body[0]!.event!.following_count],
      ['account_suspension', 1, 0],
    )
    assert.equal((await call('unsuspend', { accountId })).suspended, false)
    const { body: relationships } = await user.client.get('/api/v1/accounts/relationships', { id: [accountId] })
    assert.deepEqual([relationships[0].following, relationships[0].followed_by], [true, false])
  })

  test('resolves all open reports about the account; none resolves only the given one', async () => {
    const user = await testServer.createUser()
    const [first, second] = [await report(user), await report(user)]
    await act('none', user, { report_id: '', warning_preset_id: ' ' })
    assert.deepEqual([await isResolved(first), await isResolved(second)], [false, false])
    await act('none', user, { report_id: first })
    assert.deepEqual([await isResolved(first), await isResolved(second)], [true, false])
    const third = await report(user)
    await act('silence', user, { report_id: second })
    assert.deepEqual([await isResolved(second), await isResolved(third)], [true, true])
  })

  test('is refused with bad input, and for remote accounts without a user', async () => {
    const [user, other] = [await testServer.createUser(), await testServer.createUser()]
    const foreign = await report(other)
    const statusOf = async (id: string, payload: object) => (await send(moderator, id, 'action', payload)).status
    for (const payload of [{}, { type: '' }, { type: 'explode' }])
      assert.equal(await statusOf(user.accountId, payload), 422)
    assert.equal(await statusOf(user.accountId, { type: 'silence', report_id: foreign }), 404)
    assert.equal(await statusOf(user.accountId, { type: 'none', text: 'x'.repeat(2_001) }), 422)
    assert.equal(await statusOf('4711', { type: 'silence' }), 404)
    assert.deepEqual(await auditOf(user), [])
    const remote = await fediverse.followEachOther(user, await remoteHost.createActor('quiet'))
    for (const type of ['none', 'disable']) assert.equal(await statusOf(remote, { type }), 403, type)
    assert.equal((await send(moderator, remote, 'enable')).status, 403)
  })
})

suite('a pending account', () => {
  test('is approved or rejected, once, and a rejected one leaves no trace', async () => {
    const [approved, rejected] = [
      await testServer.createUser({ approved: false }),
      await testServer.createUser({ approved: false }),
    ]
    assert.equal((await approved.client.get('/api/v1/timelines/home')).status, 403)
    assert.equal((await call('approve', approved)).approved, true)
    assert.equal((await approved.client.get('/api/v1/timelines/home')).status, 200)
    for (const path of ['approve', 'reject'])
      assert.equal((await send(moderator, approved.accountId, path)).status, 403, path)
    const { status, body } = await send(moderator, rejected.accountId, 'reject')
    assert.deepEqual([status, body], [200, {}])
    assert.equal((await send(moderator, rejected.accountId, 'approve')).status, 404)
    await testServer.createUser({ username: rejected.username })
  })
})

suite('AD1 the staff', () => {
  test('cannot act on users whose role has the same or a higher position, nor on themselves', async () => {
    for (const target of [moderator, admin, owner]) {
      assert.equal((await send(moderator, target.accountId, 'action', { type: 'suspend' })).status, 403)
      for (const path of ['unsilence', 'unsensitive', 'enable', 'unsuspend', 'memorialize', 'unmemorialize'])
        assert.equal((await send(moderator, target.accountId, path)).status, 403, path)
    }
    assert.equal((await send(admin, owner.accountId, 'demote')).status, 403)
    assert.equal((await send(owner, owner.accountId, 'demote')).status, 403)
    assert.equal((await send(admin, admin.accountId, 'demote')).status, 403)
  })

  test('promote and demote below their own position, and moderators do not', async () => {
    const user = await testServer.createUser()
    assert.equal((await send(moderator, user.accountId, 'promote')).status, 403)
    assert.equal((await call('promote', user, admin)).role!.name, 'Moderator')
    assert.equal((await send(admin, user.accountId, 'promote')).status, 403)
    assert.equal((await call('promote', user, owner)).role!.name, 'Admin')
    assert.equal((await send(owner, user.accountId, 'promote')).status, 403)
    assert.equal((await call('demote', user, owner)).role!.name, 'Moderator')
    assert.equal((await call('demote', user, admin)).role!.id, '-99')
    assert.equal((await send(admin, user.accountId, 'demote')).status, 403)
    assert.deepEqual(await auditOf(user), ['change_role', 'change_role', 'change_role', 'change_role'])
  })

  test('give users a role below their own', async () => {
    const user = await testServer.createUser()
    const put = (as: TestUser, roleId: string) => as.client.put(`${PATH}/${user.accountId}/role`, { role_id: roleId })
    assert.equal((await put(admin, '1')).body.role.name, 'Moderator')
    for (const roleId of ['2', '3']) assert.equal((await put(admin, roleId)).status, 403)
    assert.equal((await put(admin, '4711')).status, 422)
    assert.equal((await put(admin, '-99')).body.role.id, '-99')
  })
})

test('a suspended account is deleted only by staff who may delete user data, and cannot be unsuspended then', async () => {
  const user = await testServer.createUser()
  await post(user)
  const remove = (as: TestUser) => as.client.delete(`${PATH}/${user.accountId}`)
  assert.equal((await remove(admin)).status, 403)
  await act('suspend', user)
  assert.equal((await remove(moderator)).status, 403)
  assert.equal((await remove(admin)).status, 200)
  assert.equal((await send(admin, user.accountId, 'unsuspend')).status, 403)
  await testServer.waitForJobs()
  assert.equal((await testServer.anonymous.get(`/api/v1/accounts/${user.accountId}`)).status, 404)
})

test('masto.js calls each action', async () => {
  const user = await testServer.createUser()
  const { accounts } = createRestAPIClient({ url: await addressOf(), accessToken: moderator.token }).v1.admin
  await accounts.$select(user.accountId).action.create({ type: 'silence' })
  assert.equal((await accounts.$select(user.accountId).unsilence()).silenced, false)
  await accounts.$select(user.accountId).action.create({ type: 'disable' })
  assert.equal((await accounts.$select(user.accountId).enable()).disabled, false)
  await accounts.$select(user.accountId).action.create({ type: 'sensitive' })
  assert.equal((await accounts.$select(user.accountId).unsensitive()).sensitized, false)
  await accounts.$select(user.accountId).action.create({ type: 'suspend' })
  assert.equal((await accounts.$select(user.accountId).unsuspend()).suspended, false)
  const pending = await testServer.createUser({ approved: false })
  assert.equal((await accounts.$select(pending.accountId).approve()).approved, true)
  await accounts.$select((await testServer.createUser({ approved: false })).accountId).reject()
})
