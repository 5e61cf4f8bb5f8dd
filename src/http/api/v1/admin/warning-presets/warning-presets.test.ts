import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import { assertEntity } from '../../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../../test/servers/test-server.ts'
import { permissionBit } from '../../../../../domain/access/permissions.ts'
import type { AdminStrike } from '../../../../../entities/admin/accounts/admin-strike.ts'
import type { AdminWarningPreset } from '../../../../../entities/admin/accounts/admin-warning-preset.ts'

const PATH = '/api/v1/admin/warning_presets'
const ADMIN_SCOPES = 'read write admin:read admin:write'

const testServer = await openTestServer()
after(testServer.close)
const { db } = testServer.ctx
const admin = await testServer.createUser({ role: 'admin', scopes: ADMIN_SCOPES })
const moderator = await testServer.createUser({ role: 'moderator', scopes: ADMIN_SCOPES })

async function create(payload: object): Promise<AdminWarningPreset> {
  const { status, body } = await admin.client.post<AdminWarningPreset>(PATH, payload)
  assert.equal(status, 200, JSON.stringify(body))
  assertEntity('AdminWarningPreset', body)
  return body
}

async function strikesOf({ accountId }: TestUser): Promise<AdminStrike[]> {
  return (await moderator.client.get<AdminStrike[]>(`/api/v1/admin/accounts/${accountId}/strikes`)).body
}

suite('warning presets', () => {
  test('are created, viewed, listed, updated and deleted, and each action is in the audit log', async () => {
    const created = await create({ title: ' Spam ', text: 'Please stop advertising\u0007.\r\nThank you. ' })
    const { id } = created
    assert.deepEqual([created.title, created.text], ['Spam', 'Please stop advertising.\nThank you.'])
    const untitled = await create({ text: 'Be kind' })
    assert.equal(untitled.title, '')
    assert.deepEqual((await admin.client.get(PATH)).body, [untitled, created])
    assert.deepEqual((await admin.client.get(`${PATH}/${id}`)).body, created)
    const { body: changed } = await admin.client.put<AdminWarningPreset>(`${PATH}/${id}`, { title: 'Advertising' })
    assertEntity('AdminWarningPreset', changed)
    assert.deepEqual(
      [changed.title, changed.text, changed.created_at],
      ['Advertising', created.text, created.created_at],
    )
    for (const one of [id, untitled.id]) assert.deepEqual((await admin.client.delete(`${PATH}/${one}`)).body, {})
    assert.deepEqual((await admin.client.get(PATH)).body, [])
    const entries = await db
      .selectFrom('audit_log_entries')
      .select(['action', 'label', 'account_id'])
      .where('target_type', '=', 'warning_preset')
      .orderBy('id')
      .execute()
    assert.deepEqual(
      entries.map(({ action, label }) => [action, label]),
      [
        ['create', 'Spam'],
        ['create', 'Be kind'],
        ['update', 'Advertising'],
        ['delete', 'Advertising'],
        ['delete', 'Be kind'],
      ],
    )
    assert.ok(entries.every((entry) => entry.account_id === admin.accountId))
  })

  test('need a text, and have limits', async () => {
    const { id } = await create({ text: 'Fine' })
    for (const texts of [{ text: ' \n' }, { text: 'x'.repeat(2_001) }, { title: 'x'.repeat(201), text: 'x' }]) {
      assert.equal((await admin.client.post(PATH, texts)).status, 422, JSON.stringify(texts).slice(0, 40))
      assert.equal((await admin.client.put(`${PATH}/${id}`, texts)).status, 422)
    }
    const { status, body } = await admin.client.post(PATH, { title: 'No text' })
    assert.deepEqual([status, body.error], [422, "Validation failed: Text can't be blank"])
    for (const unknown of ['4711', 'x']) {
      assert.equal((await admin.client.get(`${PATH}/${unknown}`)).status, 404)
      assert.equal((await admin.client.put(`${PATH}/${unknown}`, { text: 'x' })).status, 404)
      assert.equal((await admin.client.delete(`${PATH}/${unknown}`)).status, 404)
    }
  })

  test('are changed by staff who manage settings, and read also by those who manage users', async () => {
    const { id } = await create({ text: 'Readable' })
    const paths = [PATH, `${PATH}/${id}`]
    for (const path of paths) assert.equal((await moderator.client.get(path)).status, 200)
    assert.equal((await moderator.client.post(PATH, { text: 'x' })).status, 403)
    assert.equal((await moderator.client.put(`${PATH}/${id}`, { text: 'x' })).status, 403)
    assert.equal((await moderator.client.delete(`${PATH}/${id}`)).status, 403)
    for (const [id, permission, status] of [
      ['51', 'manageSettings', 200],
      ['52', 'manageReports', 403],
    ] as const) {
      const user = await testServer.createUser({ scopes: ADMIN_SCOPES })
      const role = { id, name: permission, position: 5, permissions: String(permissionBit(permission)) }
      await db.insertInto('roles').values(role).execute()
      await db.updateTable('users').set({ role_id: id }).where('id', '=', user.userId).execute()
      for (const path of paths) assert.equal((await user.client.get(path)).status, status, permission)
    }
  })

  test('come before the text of an action, with a blank line between', async () => {
    const preset = await create({ text: 'Please stop.' })
    const user = await testServer.createUser()
    const act = (payload: object) =>
      moderator.client.post(`/api/v1/admin/accounts/${user.accountId}/action`, { type: 'none', ...payload })
    assert.equal((await act({ warning_preset_id: preset.id, text: ' Really. ' })).status, 200)
    assert.equal((await act({ warning_preset_id: preset.id })).status, 200)
    assert.equal((await act({ warning_preset_id: '', text: 'Only this' })).status, 200)
    const masto = createRestAPIClient({ url: await testServer.listen(), accessToken: moderator.token })
    await masto.v1.admin.accounts
      .$select(user.accountId)
      .action.create({ type: 'none', warningPresetId: preset.id, text: 'x'.repeat(2_000) })
    for (const unknown of ['4711', 'x']) {
      const { status, body } = await act({ type: 'suspend', warning_preset_id: unknown })
      assert.deepEqual([status, body], [404, { error: 'Record not found' }])
    }
    assert.equal((await admin.client.delete(`${PATH}/${preset.id}`)).status, 200)
    assert.deepEqual(
      (await strikesOf(user)).map(({ action, text }) => [action, text]),
      [`Please stop.\n\n${'x'.repeat(2_000)}`, 'Only this', 'Please stop.', 'Please stop.\n\nReally.'].map((text) => [
        'none',
        text,
      ]),
    )
  })
})
