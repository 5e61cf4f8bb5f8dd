import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import { createCollection } from '../../../../../../test/features/collections.ts'
import { assertEntity } from '../../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../../test/servers/test-server.ts'
import { permissionBit } from '../../../../../domain/access/permissions.ts'
import type { AdminReport } from '../../../../../entities/admin/content/admin-report.ts'

const ADMIN_SCOPES = 'read write admin:read admin:write'
const PATH = '/api/v1/admin/reports'

const testServer = await openTestServer()
after(testServer.close)
const { db } = testServer.ctx
const moderator = await testServer.createUser({ role: 'moderator', scopes: ADMIN_SCOPES })

async function post(user: TestUser, more: object = {}): Promise<string> {
  const { status, body } = await user.client.post('/api/v1/statuses', { status: 'Something', ...more })
  assert.equal(status, 200)
  return body.id
}

/** Creates a reporter and a reported user with a status, and returns them with the id of the report. */
async function createReport(more: object = {}) {
  const [reporter, target] = [await testServer.createUser(), await testServer.createUser()]
  const statusId = await post(target)
  const payload = { account_id: target.accountId, status_ids: [statusId], comment: 'Look', ...more }
  const { status, body } = await reporter.client.post('/api/v1/reports', payload)
  assert.equal(status, 200, JSON.stringify(body))
  return { id: body.id as string, reporter, target, statusId }
}

async function get(id: string, user = moderator): Promise<AdminReport> {
  const { status, body } = await user.client.get<AdminReport>(`${PATH}/${id}`)
  assert.equal(status, 200, JSON.stringify(body))
  assertEntity('AdminReport', body)
  return body
}

async function act(id: string, action: string, user = moderator): Promise<AdminReport> {
  const { status, body } = await user.client.post<AdminReport>(`${PATH}/${id}/${action}`)
  assert.equal(status, 200, JSON.stringify(body))
  assertEntity('AdminReport', body)
  return body
}

async function idsOf(query: Record<string, string>): Promise<string[]> {
  const { status, body } = await moderator.client.get<AdminReport[]>(PATH, query)
  assert.equal(status, 200)
  return body.map((report) => report.id)
}

async function auditOf(id: string): Promise<{ action: string; label: string; account_id: string | null }[]> {
  return db
    .selectFrom('audit_log_entries')
    .select(['action', 'label', 'account_id'])
    .where('target_type', '=', 'report')
    .where('target_id', '=', id)
    .orderBy('id')
    .execute()
}

suite('reports for the staff', () => {
  test('have the reporter, the reported account, its statuses and the rules', async () => {
    const rule = await db
      .insertInto('rules')
      .values({ text: 'Be kind', hint: '' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id, reporter, target, statusId } = await createReport({ rule_ids: [rule.id] })
    const report = await get(id)
    assert.deepEqual(
      [report.account.id, report.target_account.id, report.assigned_account, report.action_taken_by_account],
      [reporter.accountId, target.accountId, null, null],
    )
    assert.deepEqual(
      report.statuses.map((status) => status.id),
      [statusId],
    )
    assert.deepEqual(
      report.rules.map(({ text }) => text),
      ['Be kind'],
    )
    assert.deepEqual([report.category, report.comment, report.action_taken], ['violation', 'Look', false])
    assert.deepEqual(
      [report.target_account.email, report.target_account.confirmed, report.target_account.suspended],
      [target.email, true, false],
    )
  })

  test('include statuses that the moderator could not see', async () => {
    const [author, reader] = [await testServer.createUser(), await testServer.createUser()]
    await reader.client.post(`/api/v1/accounts/${author.accountId}/follow`)
    const statusId = await post(author, { visibility: 'private' })
    const payload = { account_id: author.accountId, status_ids: [statusId] }
    const { body } = await reader.client.post('/api/v1/reports', payload)
    assert.equal((await moderator.client.get(`/api/v1/statuses/${statusId}`)).status, 404)
    assert.deepEqual(
      (await get(body.id)).statuses.map((status) => status.id),
      [statusId],
    )
  })

  test('include statuses that were deleted since', async () => {
    const { id, target, statusId } = await createReport()
    assert.equal((await target.client.delete(`/api/v1/statuses/${statusId}`)).status, 200)
    await testServer.waitForJobs()
    assert.deepEqual(
      (await get(id)).statuses.map((status) => status.id),
      [statusId],
    )
  })

  test('have the reported collections that still exist', async () => {
    const [reporter, target] = [await testServer.createUser(), await testServer.createUser()]
    const collections = [await createCollection(target), await createCollection(target, { name: 'Gone' })]
    const { body } = await reporter.client.post('/api/v1/reports', {
      account_id: target.accountId,
      collection_ids: collections.map(({ id }) => id),
    })
    assert.equal((await target.client.delete(`/api/v1/collections/${collections[1]!.id}`)).status, 200)
    assert.deepEqual(
      (await get(body.id)).collections.map(({ id, name }) => [id, name]),
      [[collections[0]!.id, 'Good people']],
    )
  })

  test('have no e-mail and IP addresses for staff who may not manage users', async () => {
    const role = await db
      .insertInto('roles')
      .values({ id: '50', name: 'Reports', position: 5, permissions: String(permissionBit('manageReports')) })
      .returning('id')
      .executeTakeFirstOrThrow()
    const helper = await testServer.createUser({ scopes: ADMIN_SCOPES })
    await db.updateTable('users').set({ role_id: role.id }).where('id', '=', helper.userId).execute()
    const { id, target } = await createReport()
    await testServer.ctx.db
      .insertInto('sessions')
      .values({ id_hash: Buffer.from(id), user_id: target.userId, ip: '192.0.2.7', expires_at: new Date('2100-01-01') })
      .execute()
    const { email, ip, ips } = (await get(id)).target_account
    assert.deepEqual([email, ip, ips.length], [target.email, '192.0.2.7', 1])
    const hidden = (await get(id, helper)).target_account
    assert.deepEqual([hidden.email, hidden.ip, hidden.ips], [null, null, []])
  })

  test('are listed newest first, unresolved ones by default, by account, and page by page', async () => {
    const first = await createReport()
    const second = await createReport()
    await act(first.id, 'resolve')
    const ofFirst = { target_account_id: first.target.accountId }
    assert.deepEqual(await idsOf(ofFirst), [])
    assert.deepEqual(await idsOf({ ...ofFirst, resolved: 'true' }), [first.id])
    assert.deepEqual(await idsOf({ ...ofFirst, resolved: 'true', unresolved: 'true' }), [first.id])
    assert.deepEqual(await idsOf({ account_id: second.reporter.accountId }), [second.id])
    assert.deepEqual(await idsOf({ account_id: 'nonsense' }), [])
    const all = await idsOf({ resolved: 'true', unresolved: 'true' })
    assert.deepEqual(
      all,
      all.toSorted((a, b) => Number(b) - Number(a)),
    )
    const { body, headers } = await moderator.client.get<AdminReport[]>(PATH, { limit: '1', resolved: 'true' })
    assert.deepEqual(
      body.map((report) => report.id),
      [first.id],
    )
    assert.match(String(headers['link']), /resolved=true.*rel="next"/)
    assert.deepEqual(await idsOf({ max_id: second.id, resolved: 'true', unresolved: 'true', limit: '1' }), [first.id])
  })

  test('are assigned, unassigned, resolved and reopened, and each action is in the audit log once', async () => {
    const { id, target } = await createReport()
    assert.equal((await act(id, 'assign_to_self')).assigned_account?.id, moderator.accountId)
    await act(id, 'assign_to_self')
    assert.equal((await act(id, 'unassign')).assigned_account, null)
    const resolved = await act(id, 'resolve')
    assert.deepEqual([resolved.action_taken, resolved.action_taken_by_account?.id], [true, moderator.accountId])
    assert.equal((await act(id, 'resolve')).action_taken_at, resolved.action_taken_at)
    const reopened = await act(id, 'reopen')
    assert.deepEqual(
      [reopened.action_taken, reopened.action_taken_at, reopened.action_taken_by_account],
      [false, null, null],
    )
    const entries = await auditOf(id)
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['assign', 'unassign', 'resolve', 'reopen'],
    )
    for (const entry of entries)
      assert.deepEqual([entry.label, entry.account_id], [target.username, moderator.accountId])
  })

  test('are listed by the member of the staff who handles them', async () => {
    const [assigned, other] = [await createReport(), await createReport()]
    await act(assigned.id, 'assign_to_self')
    const mine = { assigned_account_id: moderator.accountId }
    assert.deepEqual(await idsOf(mine), [assigned.id])
    assert.deepEqual(await idsOf({ assigned_account_id: other.target.accountId }), [])
    await act(assigned.id, 'unassign')
    assert.deepEqual(await idsOf(mine), [])
  })

  test('get another category and other rules', async () => {
    const rule = await db
      .insertInto('rules')
      .values({ text: 'No spam', hint: '' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id } = await createReport()
    const put = (payload: object) => moderator.client.put<AdminReport>(`${PATH}/${id}`, payload)
    const violation = await put({ rule_ids: [rule.id] })
    assert.deepEqual([violation.body.category, violation.body.rules[0]?.text], ['violation', 'No spam'])
    const spam = await put({ category: 'spam' })
    assert.deepEqual([spam.body.category, spam.body.rules], ['spam', []])
    assert.equal((await put({ rule_ids: ['4711'] })).status, 422)
    assert.equal((await put({ category: 'nonsense' })).status, 422)
    assert.equal((await get(id)).category, 'spam')
  })

  test('that do not exist are 404', async () => {
    for (const id of ['4711', '0', 'nonsense']) {
      assert.equal((await moderator.client.get(`${PATH}/${id}`)).status, 404, id)
      assert.equal((await moderator.client.put(`${PATH}/${id}`, { category: 'spam' })).status, 404, id)
      for (const action of ['assign_to_self', 'unassign', 'resolve', 'reopen'])
        assert.equal((await moderator.client.post(`${PATH}/${id}/${action}`)).status, 404, `${id} ${action}`)
    }
  })

  test('work with masto.js', async () => {
    const { id } = await createReport()
    const url = await testServer.listen()
    const masto = createRestAPIClient({ url, accessToken: moderator.token })
    const { reports } = masto.v1.admin
    assert.ok((await reports.list()).some((report) => report.id === id))
    assert.equal((await reports.$select(id).fetch()).id, id)
    assert.equal((await reports.$select(id).assignToSelf()).assignedAccount?.id, moderator.accountId)
    await reports.$select(id).unassign()
    assert.equal((await reports.$select(id).resolve()).actionTaken, true)
    assert.equal((await reports.$select(id).reopen()).actionTaken, false)
  })
})

test('AD4 entries of the audit log cannot be changed or deleted', async () => {
  const { id } = await createReport()
  await act(id, 'resolve')
  await assert.rejects(db.updateTable('audit_log_entries').set({ label: 'x' }).execute(), /append-only/)
  await assert.rejects(db.deleteFrom('audit_log_entries').execute(), /append-only/)
})
