import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openFediverse } from '../../../../../../test/federation/fediverse.ts'
import { assertEntity } from '../../../../../../test/http/entities/entity-schemas.ts'
import { makeJobsDue } from '../../../../../../test/jobs/make-jobs-due.ts'
import { openSocket } from '../../../../../../test/streaming/streams.ts'
import { ROLE_IDS } from '../../../../../domain/accounts/registration/insert-local-account.ts'
import { changeRole } from '../../../../../domain/moderation/accounts/change-role.ts'

const PATH = '/api/v1/admin/accounts'

const fediverse = await openFediverse({ hosts: ['remote.test'] })
after(fediverse.close)
const { testServer, peer, uriOf } = fediverse
const { db } = testServer.ctx
const moderator = await testServer.createUser({ role: 'moderator', scopes: 'read write admin:read admin:write' })
const follower = await peer.host('remote.test').createActor('follower')

const call = (path: string, id: string) => moderator.client.post(`${PATH}/${id}/${path}`)

test('an account becomes a memorial, whose log-ins end and which followers receive, until that is undone', async () => {
  const user = await testServer.createUser()
  const { accountId } = user
  await fediverse.deliver(follower, follower.activity('Follow', uriOf(user)))
  await testServer.waitForJobs()
  const isMemorial = async () =>
    (await testServer.anonymous.get(`/api/v1/accounts/${accountId}`)).body.memorial === true
  const isMemorialRemotely = async () => {
    await makeJobsDue(testServer.ctx, 'deliverProfile')
    await testServer.waitForJobs()
    return follower.inbox.all('Update').at(-1)!['object'].memorial
  }
  const socket = await openSocket(await testServer.listen(), { token: user.token })
  assert.equal(await isMemorial(), false)
  for (let n = 0; n < 2; n += 1) {
    const { status, body } = await call('memorialize', accountId)
    assert.deepEqual([status, body.account.memorial], [200, true])
    assertEntity('AdminAccount', body)
  }
  assert.equal((await socket.closed).code, 1008)
  assert.equal(await isMemorial(), true)
  assert.equal(await isMemorialRemotely(), true)
  const read = () => user.client.get('/api/v1/accounts/verify_credentials')
  assert.deepEqual([(await read()).status, (await read()).body.error], [401, 'The access token was revoked'])
  for (let n = 0; n < 2; n += 1) assert.equal((await call('unmemorialize', accountId)).status, 200)
  assert.equal(await isMemorial(), false)
  assert.equal(await isMemorialRemotely(), false)
  assert.equal((await read()).status, 401)
  const entries = db.selectFrom('audit_log_entries').select('action').where('target_id', '=', accountId)
  assert.deepEqual(
    (await entries.orderBy('id').execute()).map(({ action }) => action),
    ['memorialize', 'unmemorialize'],
  )
})

test('the account of a remote user and an unknown one do not become memorials', async () => {
  const { id } = await db
    .selectFrom('accounts')
    .select('id')
    .where('domain', '=', 'remote.test')
    .executeTakeFirstOrThrow()
  for (const path of ['memorialize', 'unmemorialize']) {
    assert.equal((await call(path, id)).status, 403)
    assert.equal((await call(path, '4711')).status, 404)
  }
})

test('a memorial gets no mails, neither as a user nor as a member of the staff', async () => {
  const [memorial, colleague, user] = [
    await testServer.createUser({ role: 'moderator' }),
    await testServer.createUser({ role: 'moderator' }),
    await testServer.createUser(),
  ]
  await user.client.post('/api/v1/statuses', { status: `@${memorial.username} @${colleague.username} hello` })
  await testServer.waitForJobs()
  assert.equal((await call('memorialize', memorial.accountId)).status, 403, 'of the same position')
  await db.updateTable('accounts').set({ memorial: true }).where('id', '=', memorial.accountId).execute()
  await user.client.post('/api/v1/reports', { account_id: colleague.accountId })
  await testServer.waitForJobs()
  await makeJobsDue(testServer.ctx, 'mailNotification')
  await testServer.waitForJobs()
  const mails = await db.selectFrom('mails').select(['recipient', 'subject']).orderBy('id').execute()
  const subjectsTo = ({ email }: { email: string }) =>
    mails.filter(({ recipient }) => recipient === email).map(({ subject }) => subject)
  assert.deepEqual(subjectsTo(memorial), [])
  assert.deepEqual(subjectsTo(moderator), [`New report about @${colleague.username} on linnet.test`])
  assert.deepEqual(subjectsTo(colleague), [`${user.username} mentioned you`])
})

test('a memorial and an unconfirmed user do not count as administrators', async () => {
  const { accountId: memorialId } = await testServer.createUser({ role: 'owner' })
  await testServer.createUser({ role: 'owner', confirmed: false })
  const { accountId } = await testServer.createUser({ role: 'owner' })
  const demote = () => testServer.ctx.write((tx) => changeRole(tx, { by: null, accountId, roleId: ROLE_IDS.user }))
  await db.updateTable('accounts').set({ memorial: true }).where('id', '=', memorialId).execute()
  await assert.rejects(demote(), { message: 'At least one administrator who can log in must remain' })
  await db.updateTable('accounts').set({ memorial: false }).where('id', '=', memorialId).execute()
  await demote()
})
