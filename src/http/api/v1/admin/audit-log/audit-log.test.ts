import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertEntity } from '../../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../../test/servers/test-server.ts'
import { deleteAccount } from '../../../../../domain/account-deletion/delete-account.ts'
import type { AdminAuditLogEntry } from '../../../../../entities/admin/operations/admin-audit-log-entry.ts'

const testServer = await openTestServer()
after(testServer.close)
const scopes = 'read write admin:read admin:write'
const [moderator, admin] = [
  await testServer.createUser({ role: 'moderator', scopes }),
  await testServer.createUser({ role: 'admin', scopes }),
]

async function read(query: Record<string, string>): Promise<AdminAuditLogEntry[]> {
  const { status, body } = await moderator.client.get<AdminAuditLogEntry[]>('/api/v1/admin/audit_log', query)
  assert.equal(status, 200, JSON.stringify(body))
  for (const entry of body) assertEntity('AdminAuditLogEntry', entry)
  return body
}

test('the audit log lists actions newest first, with who acted, by filters', async () => {
  const [first, second] = [await testServer.createUser(), await testServer.createUser()]
  const act = (by: typeof admin, target: typeof admin, path: string, payload: object = {}) =>
    by.client.post(`/api/v1/admin/accounts/${target.accountId}/${path}`, payload)
  await act(moderator, first, 'action', { type: 'silence' })
  await act(admin, second, 'promote')
  await act(admin, first, 'unsilence')
  const summaryOf = (entries: AdminAuditLogEntry[]) =>
    entries.map(({ action, label, account }) => `${account?.username} ${action} ${label}`)
  const [silenced, promoted, unsilenced] = [
    `${moderator.username} silence ${first.username}`,
    `${admin.username} change_role ${second.username}`,
    `${admin.username} unsilence ${first.username}`,
  ]
  assert.deepEqual(summaryOf(await read({})), [unsilenced, promoted, silenced])
  assert.deepEqual(summaryOf(await read({ account_id: admin.accountId })), [unsilenced, promoted])
  assert.deepEqual(summaryOf(await read({ action: 'silence' })), [silenced])
  assert.deepEqual(summaryOf(await read({ target_type: 'account', target_id: first.accountId })), [
    unsilenced,
    silenced,
  ])
  assert.deepEqual(await read({ target_type: 'report' }), [])
  for (const name of ['account_id', 'target_id']) assert.deepEqual(await read({ [name]: 'nonsense' }), [], name)
  const [change] = await read({ action: 'change_role' })
  assert.deepEqual(change!.details, { role: 'Moderator', role_id: '1' })
})

test('an entry stays after its target and the member of the staff are deleted', async () => {
  const [helper, target] = [
    await testServer.createUser({ role: 'moderator', scopes }),
    await testServer.createUser({ approved: false }),
  ]
  await helper.client.post(`/api/v1/admin/accounts/${target.accountId}/reject`)
  await testServer.ctx.write((tx) => deleteAccount(tx, { accountId: helper.accountId }))
  await testServer.waitForJobs()
  const [entry] = await read({ target_type: 'account', target_id: target.accountId })
  assert.deepEqual([entry!.action, entry!.label, entry!.account], ['reject', target.username, null])
})
