import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { assertEntity } from '../../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../../test/servers/test-server.ts'
import { deleteStatusesAsStaff } from '../../../../../domain/moderation/statuses/delete-statuses-as-staff.ts'
import type { AdminStrike } from '../../../../../entities/admin/accounts/admin-strike.ts'

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

  test('are empty for an account without one, and missing for an unknown account', async () => {
    const user = await testServer.createUser()
    assert.deepEqual((await list(user.accountId)).body, [])
    for (const id of ['4711', 'x']) assert.equal((await list(id)).status, 404)
  })
})
