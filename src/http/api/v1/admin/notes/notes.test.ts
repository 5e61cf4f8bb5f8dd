import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { assertEntity } from '../../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../../test/servers/test-server.ts'
import type { UserOptions } from '../../../../../../test/servers/create-user.ts'
import type { TestUser } from '../../../../../../test/servers/test-server.ts'
import { deleteAccount } from '../../../../../domain/account-deletion/delete-account.ts'
import type { AdminNote } from '../../../../../entities/admin/accounts/admin-note.ts'

const SCOPES = 'read write admin:read admin:write'
const testServer = await openTestServer()
after(testServer.close)
const { ctx } = testServer
const { db } = ctx

const createStaff = (role: 'moderator' | 'admin', more: UserOptions = {}) =>
  testServer.createUser({ role, scopes: SCOPES, ...more })
const [moderator, colleague, admin] = [
  await createStaff('moderator', { username: 'hidden_moderator' }),
  await createStaff('moderator'),
  await createStaff('admin'),
]

async function report(target: TestUser): Promise<string> {
  const reporter = await testServer.createUser()
  return (await reporter.client.post('/api/v1/reports', { account_id: target.accountId })).body.id
}

/** The paths of the notes on a new account and on a new report, and the reported user. */
async function createSubjects(): Promise<{ kind: string; path: string; target: TestUser; subjectId: string }[]> {
  const [one, two] = [await testServer.createUser(), await testServer.createUser()]
  const reportId = await report(two)
  return [
    { kind: 'account', path: `/api/v1/admin/accounts/${one.accountId}/notes`, target: one, subjectId: one.accountId },
    { kind: 'report', path: `/api/v1/admin/reports/${reportId}/notes`, target: two, subjectId: reportId },
  ]
}

async function add(path: string, content: string, user = moderator): Promise<AdminNote> {
  const { status, body } = await user.client.post<AdminNote>(path, { content })
  assert.equal(status, 200, JSON.stringify(body))
  assertEntity('AdminNote', body)
  return body
}

async function list(path: string): Promise<AdminNote[]> {
  const { status, body } = await moderator.client.get<AdminNote[]>(path)
  assert.equal(status, 200, JSON.stringify(body))
  for (const note of body) assertEntity('AdminNote', note)
  return body
}

const remove = async (path: string, id: string, user: TestUser) => (await user.client.delete(`${path}/${id}`)).status

async function countNotes(): Promise<number> {
  const counts = await Promise.all(
    (['account_moderation_notes', 'report_notes'] as const).map((table) => db.selectFrom(table).select('id').execute()),
  )
  return counts.flat().length
}

suite('the staff’s notes', () => {
  test('on accounts and reports are listed with their authors, newest first, and say whether you may delete them', async () => {
    for (const { kind, path } of await createSubjects()) {
      const first = await add(path, '  Promised\r\nto stop <b>\u0007 ')
      const second = await add(path, 'Again', colleague)
      assert.equal(first.content, 'Promised\nto stop <b>')
      assert.deepEqual([first.account!.id, second.account!.id], [moderator.accountId, colleague.accountId])
      assert.deepEqual([first.deletable, second.deletable], [true, true])
      assert.deepEqual(await list(path), [{ ...second, deletable: false }, first], kind)
    }
  })

  test('are deleted by their authors and by staff of a higher position', async () => {
    for (const { path } of await createSubjects()) {
      const [own, other, third] = [await add(path, 'One'), await add(path, 'Two'), await add(path, 'Three', admin)]
      assert.equal(await remove(path, own.id, colleague), 403)
      assert.equal(await remove(path, third.id, moderator), 403)
      assert.equal(await remove(path, own.id, moderator), 200)
      assert.equal(await remove(path, other.id, admin), 200)
      assert.equal(await remove(path, own.id, moderator), 404)
      assert.deepEqual(await list(path), [{ ...third, deletable: false }])
    }
  })

  test('are found only on their own account or report', async () => {
    const [first, second] = [await createSubjects(), await createSubjects()]
    for (const [index, { path }] of first.entries()) {
      const note = await add(path, 'Mine')
      assert.equal(await remove(second[index]!.path, note.id, moderator), 404)
      assert.deepEqual(await list(second[index]!.path), [])
    }
    for (const kind of ['accounts', 'reports']) {
      const path = `/api/v1/admin/${kind}/4711/notes`
      assert.equal((await moderator.client.get(path)).status, 404)
      assert.equal((await moderator.client.post(path, { content: 'x' })).status, 404)
      assert.equal(await remove(path, '1', moderator), 404)
    }
  })

  test('have 1 to 2,000 characters', async () => {
    for (const { path } of await createSubjects()) {
      const statusOf = async (payload: object) => (await moderator.client.post(path, payload)).status
      for (const payload of [{}, { content: '' }, { content: ' \n ' }]) assert.equal(await statusOf(payload), 400)
      for (const content of ['\u0007', 'x'.repeat(2_001)]) assert.equal(await statusOf({ content }), 422)
      assert.deepEqual(await list(path), [])
      assert.equal((await add(path, '😀'.repeat(2_000))).content.length, 4_000)
    }
  })

  test('are recorded in the audit log without their text', async () => {
    for (const { kind, path, target, subjectId } of await createSubjects()) {
      const { id } = await add(path, 'Secret words')
      assert.equal(await remove(path, id, admin), 200)
      const type = kind === 'account' ? 'account_moderation_note' : 'report_note'
      const entries = await db
        .selectFrom('audit_log_entries')
        .select(['action', 'account_id', 'label', 'details'])
        .where('target_type', '=', type)
        .where('target_id', '=', id)
        .orderBy('id')
        .execute()
      const rest = { label: target.username, details: { [`${kind}_id`]: subjectId } }
      assert.deepEqual(entries, [
        { action: 'create', account_id: moderator.accountId, ...rest },
        { action: 'delete', account_id: admin.accountId, ...rest },
      ])
    }
  })

  test('can be added when a report is resolved or reopened', async () => {
    const target = await testServer.createUser()
    const id = await report(target)
    const act = async (action: string, payload?: object) => {
      const { status, body } = await moderator.client.post(`/api/v1/admin/reports/${id}/${action}`, payload)
      return status === 200 ? body.action_taken : status
    }
    assert.equal(await act('resolve', { note: 'x'.repeat(2_001) }), 422)
    assert.equal((await moderator.client.get(`/api/v1/admin/reports/${id}`)).body.action_taken, false)
    assert.equal(await act('resolve', { note: 'Nothing wrong' }), true)
    assert.equal(await act('reopen', { note: 'On second thought' }), false)
    assert.equal(await act('resolve', { note: '' }), true)
    assert.equal(await act('reopen'), false)
    assert.deepEqual(
      (await list(`/api/v1/admin/reports/${id}/notes`)).map(({ content }) => content),
      ['On second thought', 'Nothing wrong'],
    )
  })

  test('VI19: are in no response to the user or the reporter, and neither is their author', async () => {
    const [target, reporter] = [await testServer.createUser(), await testServer.createUser()]
    const payload = { account_id: target.accountId }
    const { body: reported } = await reporter.client.post('/api/v1/reports', payload)
    await add(`/api/v1/admin/accounts/${target.accountId}/notes`, 'Hidden remark')
    await moderator.client.post(`/api/v1/admin/reports/${reported.id}/resolve`, { note: 'Hidden remark' })
    await testServer.waitForJobs()
    for (const user of [target, reporter]) {
      for (const path of [
        `/api/v1/accounts/${target.accountId}`,
        '/api/v1/accounts/verify_credentials',
        `/api/v1/accounts/relationships?id[]=${target.accountId}`,
        '/api/v1/notifications',
      ]) {
        const { status, body } = await user.client.get(path)
        assert.equal(status, 200, path)
        const text = JSON.stringify(body)
        assert.ok(!text.includes('Hidden remark') && !text.includes(moderator.username), path)
      }
      assert.equal((await user.client.get(`/api/v1/admin/accounts/${target.accountId}/notes`)).status, 403)
    }
  })

  test('are deleted with the account or the report, and stay without an author if that account is deleted', async () => {
    const before = await countNotes()
    const author = await createStaff('moderator')
    const subjects = await createSubjects()
    for (const { path } of subjects) await add(path, 'Left', author)
    await ctx.write((tx) => deleteAccount(tx, author))
    await testServer.waitForJobs()
    for (const { path } of subjects) {
      const [note] = await list(path)
      assert.deepEqual([note!.content, note!.account], ['Left', null])
    }
    assert.equal(await remove(subjects[0]!.path, (await list(subjects[0]!.path))[0]!.id, moderator), 200)
    await add(subjects[0]!.path, 'Again')
    for (const { target } of subjects) await ctx.write((tx) => deleteAccount(tx, target))
    await testServer.waitForJobs()
    assert.equal(await countNotes(), before)
  })
})
