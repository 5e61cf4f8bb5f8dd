import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertEntity } from '../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { NotFoundError } from '../../../lib/errors.ts'
import { deleteStatusesAsStaff } from './delete-statuses-as-staff.ts'
import { warnAccount } from '../accounts/warn-account.ts'

const testServer = await openTestServer()
after(testServer.close)
const { ctx } = testServer

const mailsTo = async (email: string) =>
  ctx.db.selectFrom('mails').select(['subject', 'text']).where('recipient', '=', email).execute()

test('an author gets one notification and one mail about all statuses that staff delete, with the reason', async () => {
  const [alice, bob, staff] = await Promise.all([
    testServer.createUser(),
    testServer.createUser(),
    testServer.createUser({ role: 'moderator' }),
  ])
  const post = async (status: string): Promise<string> =>
    (await alice.client.post('/api/v1/statuses', { status })).body.id
  const statusIds = [await post('one'), await post('two')]
  const remainingId = await post('three')
  const otherAuthorsId = (await bob.client.post('/api/v1/statuses', { status: 'four' })).body.id
  await ctx.write((tx) =>
    deleteStatusesAsStaff(tx, {
      by: staff.accountId,
      statusIds: [...statusIds, otherAuthorsId, '1'],
      text: 'Not here, please',
    }),
  )
  await testServer.waitForJobs()
  for (const id of [...statusIds, otherAuthorsId])
    assert.equal((await alice.client.get(`/api/v1/statuses/${id}`)).status, 404)
  assert.equal((await alice.client.get(`/api/v1/statuses/${remainingId}`)).status, 200)
  const { body } = await alice.client.get('/api/v1/notifications')
  assert.equal(body.length, 1)
  assertEntity('Notification', body[0])
  const { type, account, moderation_warning: warning } = body[0]
  assert.deepEqual([type, account.id], ['moderation_warning', alice.accountId])
  assert.deepEqual(
    [warning.action, warning.text, warning.status_ids, warning.target_account.id, warning.appeal],
    ['delete_statuses', 'Not here, please', statusIds, alice.accountId, null],
  )
  const grouped = await alice.client.get('/api/v2/notifications')
  assertEntity('GroupedNotificationsResults', grouped.body)
  assert.deepEqual(grouped.body.notification_groups[0].moderation_warning, warning)
  const [mail, ...otherMails] = await mailsTo(alice.email)
  assert.equal(otherMails.length, 0)
  assert.match(mail!.subject, /^Some of your posts were removed/)
  assert.match(mail!.text, /This is about 2 posts\.[\s\S]*> Not here, please/)
  assert.equal((await mailsTo(bob.email)).length, 1)
  const audit = ctx.db.selectFrom('audit_log_entries').select(['action', 'account_id', 'target_id'])
  assert.deepEqual(
    (await audit.where('target_type', '=', 'status').orderBy('target_id').execute()).map((entry) => ({ ...entry })),
    [...statusIds, otherAuthorsId].map((id) => ({ action: 'delete', account_id: staff.accountId, target_id: id })),
  )
})

test('unknown status ids are refused', async () => {
  await assert.rejects(
    ctx.write((tx) => deleteStatusesAsStaff(tx, { by: null, statusIds: ['1', 'x'] })),
    NotFoundError,
  )
})

test('a warning does not name the moderator, and notifies nobody if it is recorded silently', async () => {
  const [alice, staff] = await Promise.all([testServer.createUser(), testServer.createUser({ role: 'moderator' })])
  const warning = { by: staff.accountId, targetAccountId: alice.accountId, action: 'none', text: 'Be kind' } as const
  await ctx.write((tx) => warnAccount(tx, { ...warning, notify: false }))
  await ctx.write((tx) => warnAccount(tx, warning))
  await testServer.waitForJobs()
  const { body } = await alice.client.get('/api/v1/notifications')
  assert.equal(body.length, 1)
  assert.ok(!JSON.stringify(body).includes(staff.username))
  assert.equal((await mailsTo(alice.email)).length, 1)
})
