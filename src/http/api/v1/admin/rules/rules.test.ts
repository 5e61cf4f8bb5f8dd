import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { assertEntity } from '../../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../../test/servers/test-server.ts'
import type { AdminRule } from '../../../../../entities/admin/settings/admin-rule.ts'
import type { Rule } from '../../../../../entities/instance/instance.ts'

const PATH = '/api/v1/admin/rules'

const testServer = await openTestServer()
after(testServer.close)
const { db } = testServer.ctx
const admin = await testServer.createUser({ role: 'admin', scopes: 'admin:read admin:write write:reports' })

async function create(payload: object): Promise<AdminRule> {
  const { status, body } = await admin.client.post<AdminRule>(PATH, payload)
  assert.equal(status, 200, JSON.stringify(body))
  assertEntity('AdminRule', body)
  return body
}

const publicRules = async () => (await testServer.anonymous.get<Rule[]>('/api/v1/instance/rules')).body
const publicTexts = async () => (await publicRules()).map(({ text }) => text)
const entriesOf = (id: string) =>
  db
    .selectFrom('audit_log_entries')
    .select(['action', 'label', 'account_id', 'details'])
    .where('target_type', '=', 'rule')
    .where('target_id', '=', id)
    .orderBy('id')
    .execute()

suite('rules', () => {
  test('are created, viewed, updated, translated and deleted, and each action is in the audit log', async () => {
    const rule = await create({ text: ' Be kind\u0007 ', hint: 'Always' })
    assert.deepEqual([rule.text, rule.hint, rule.translations], ['Be kind', 'Always', {}])
    assert.deepEqual((await admin.client.get(`${PATH}/${rule.id}`)).body, rule)
    const changed = await admin.client.put<AdminRule>(`${PATH}/${rule.id}`, { text: 'Be very kind' })
    assert.deepEqual([changed.status, changed.body], [200, { ...rule, text: 'Be very kind' }])
    const german = await admin.client.put<AdminRule>(`${PATH}/${rule.id}/translations/DE`, { text: 'Sei nett' })
    assertEntity('AdminRule', german.body)
    assert.deepEqual(german.body.translations, { de: { text: 'Sei nett', hint: '' } })
    const [shown] = await publicRules()
    assertEntity('Rule', shown)
    assert.deepEqual([shown!.text, shown!.translations['de']?.text], ['Be very kind', 'Sei nett'])
    const removed = await admin.client.delete<AdminRule>(`${PATH}/${rule.id}/translations/de`)
    assert.deepEqual([removed.status, removed.body.translations], [200, {}])
    assert.equal((await admin.client.delete(`${PATH}/${rule.id}/translations/de`)).status, 404)

    const { status, body } = await admin.client.delete(`${PATH}/${rule.id}`)
    assert.deepEqual([status, body], [200, {}])
    assert.equal((await admin.client.get(`${PATH}/${rule.id}`)).status, 404)
    assert.deepEqual(await publicRules(), [])
    const entries = await entriesOf(rule.id)
    assert.deepEqual(
      entries.map(({ action, label }) => [action, label]),
      [
        ['create', 'Be kind'],
        ['update', 'Be very kind'],
        ['translate', 'Be very kind'],
        ['remove_translation', 'Be very kind'],
        ['delete', 'Be very kind'],
      ],
    )
    assert.ok(entries.every(({ account_id: id }) => id === admin.accountId))
    assert.deepEqual(entries[1]!.details, {
      old: { text: 'Be kind', hint: 'Always' },
      new: { text: 'Be very kind', hint: 'Always' },
    })
  })

  test('are shown in the order of the staff, and a new one is the last', async () => {
    const rules = [await create({ text: 'One' }), await create({ text: 'Two' }), await create({ text: 'Three' })]
    assert.deepEqual(await publicTexts(), ['One', 'Two', 'Three'])
    const ids = rules.map(({ id }) => id).toReversed()
    const { status, body } = await admin.client.post<AdminRule[]>(`${PATH}/reorder`, { rule_ids: ids })
    assert.equal(status, 200)
    assert.deepEqual(
      body.map(({ id, priority }) => [id, priority]),
      ids.map((id, place) => [id, place]),
    )
    const last = await create({ text: 'Four' })
    assert.deepEqual(await publicTexts(), ['Three', 'Two', 'One', 'Four'])
    assert.deepEqual(
      (await admin.client.get<AdminRule[]>(PATH)).body.map(({ id }) => id),
      [...ids, last.id],
    )
    for (const wrong of [[], ids, [...ids, ids[0]!], [...ids, '4711'], [...ids, 'nonsense']]) {
      const answer = await admin.client.post(`${PATH}/reorder`, { rule_ids: wrong })
      assert.deepEqual([answer.status, answer.body.error], [422, 'The list must contain each rule once'])
    }
    assert.deepEqual(await publicTexts(), ['Three', 'Two', 'One', 'Four'])
  })

  test('stay in existing reports after they were deleted', async () => {
    const rule = await create({ text: 'No spam' })
    const spammer = await testServer.createUser()
    const staff = await testServer.createUser({ role: 'owner', scopes: 'admin:read write:reports' })
    const payload = { account_id: spammer.accountId, rule_ids: [rule.id] }
    const { id } = (await staff.client.post('/api/v1/reports', payload)).body
    await admin.client.delete(`${PATH}/${rule.id}`)
    const report = await staff.client.get<{ rules: Rule[] }>(`/api/v1/admin/reports/${id}`)
    assert.deepEqual(
      report.body.rules.map(({ text }) => text),
      ['No spam'],
    )
  })

  test('need a text of limited length and a known language', async () => {
    const { id } = await create({ text: 'Be brief' })
    for (const payload of [{}, { text: ' ' }, { text: 'x'.repeat(301) }, { text: 'x', hint: 'x'.repeat(1001) }]) {
      assert.equal((await admin.client.post(PATH, payload)).status, 422, JSON.stringify(payload).slice(0, 40))
      const translated = await admin.client.put(`${PATH}/${id}/translations/de`, payload)
      assert.equal(translated.status, 422, JSON.stringify(payload).slice(0, 40))
    }
    assert.equal((await admin.client.put(`${PATH}/${id}`, { text: '' })).status, 422)
    assert.equal((await admin.client.put(`${PATH}/${id}/translations/nonsense`, { text: 'x' })).status, 422)
  })

  test('that do not exist are 404', async () => {
    for (const id of ['4711', '0', 'nonsense']) {
      for (const answer of [
        await admin.client.get(`${PATH}/${id}`),
        await admin.client.put(`${PATH}/${id}`, { text: 'x' }),
        await admin.client.delete(`${PATH}/${id}`),
        await admin.client.put(`${PATH}/${id}/translations/de`, { text: 'x' }),
      ])
        assert.deepEqual([answer.status, answer.body.error], [404, 'Record not found'], id)
    }
  })
})
