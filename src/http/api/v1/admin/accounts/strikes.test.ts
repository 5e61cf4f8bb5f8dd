import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { assertEntity } from '../../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../../test/servers/test-server.ts'
import { deleteStatusesAsStaff } from '../../../../../domain/moderation/statuses/delete-statuses-as-staff.ts'
import type { AdminStrike } from '../../../../../entities/admin/accounts/admin-strike.ts'
import type { Notification } from '../../../../../entities/notifications/notification.ts'
import type { Report } from '../../../../../entities/instance/report.ts'
import type { Status } from '../../../../../entities/statuses/status.ts'

const testServer = await openTestServer()
after(testServer.close)
const moderator = await testServer.createUser({ role: 'moderator', scopes: 'admin:read admin:write' })

const list = (accountId: string) => moderator.client.get<AdminStrike[]>(`/api/v1/admin/accounts/${accountId}/strikes`)

suite('strikes', () => {
  test('list the actions against an account, newest first, with the moderator, the report and the statuses', async () => {
    const [user, reporter] = [await testServer.createUser(), await testServer.createUser()]
    const { body: report } = await reporter.client.post('/api/v1/reports', { account_id: user.accountId })
    const { body: status } = await user.client.post('/api/v1/statuses', { status: 'Bad', visibility: 'private' })
    const payload = { type: 'sensitive', text: 'Too much', report_id: report.id }
    await moderator.client.post(`/api/v1/admin/accounts/${user.accountId}/action`, payload)
    await testServer.ctx.write((tx) => deleteStatusesAsStaff(tx, { by: null, statusIds: [status.id] }))
    const { status: code, body: strikes } = await list(user.accountId)
    assert.equal(code, 200)
    for (const strike of strikes) assertEntity('AdminStrike', strike)
    const [deletion, mark] = strikes
    assert.deepEqual(
      [deletion!.action, deletion!.status_ids, deletion!.account, deletion!.report_id],
      ['delete_statuses', [status.id], null, null],
    )
    assert.deepEqual(
      [mark!.action, mark!.text, mark!.status_ids, mark!.report_id, mark!.account!.id, mark!.target_account.id],
      ['sensitive', 'Too much', null, report.id, moderator.accountId, user.accountId],
    )
    assert.deepEqual([mark!.overruled_at, mark!.appeal, mark!.target_account.email], [null, null, user.email])
  })

  test('list the statuses of the report that led to the action, and so do the warning and its mail', async () => {
    const [user, reporter] = [await testServer.createUser(), await testServer.createUser()]
    const post = async () => (await user.client.post<Status>('/api/v1/statuses', { status: 'Bad' })).body.id
    const [reported] = [await post(), await post()]
    const payload = { account_id: user.accountId, status_ids: [reported] }
    const { body: report } = await reporter.client.post<Report>('/api/v1/reports', payload)
    for (const action of [{ type: 'none', report_id: report.id }, { type: 'silence' }]) {
      await moderator.client.post(`/api/v1/admin/accounts/${user.accountId}/action`, action)
      await testServer.waitForJobs()
    }
    const { body: strikes } = await list(user.accountId)
    assert.deepEqual(
      strikes.map((strike) => [strike.action, strike.status_ids, strike.statuses.map(({ id }) => id)]),
      [
        ['silence', null, []],
        ['none', [reported], [reported]],
      ],
    )
    const { body: notifications } = await user.client.get<Notification[]>('/api/v1/notifications')
    const warnings = notifications.map(({ moderation_warning: warning }) => warning!.status_ids)
    assert.deepEqual(warnings, [null, [reported]])
    const mails = await testServer.ctx.db
      .selectFrom('mails')
      .select('text')
      .where('recipient', '=', user.email)
      .orderBy('id')
      .execute()
    assert.deepEqual(
      mails.map(({ text }) => text.includes('This is about one post.')),
      [true, false],
    )
  })

  test('are empty for an account without one, and missing for an unknown account', async () => {
    const user = await testServer.createUser()
    assert.deepEqual((await list(user.accountId)).body, [])
    for (const id of ['4711', 'x']) assert.equal((await list(id)).status, 404)
  })
})
