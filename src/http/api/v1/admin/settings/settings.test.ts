import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { until } from '../../../../../../test/streaming/streams.ts'
import { assertEntity } from '../../../../../../test/http/entities/entity-schemas.ts'
import { createVisitor } from '../../../../../../test/http/create-visitor.ts'
import { openTestServer } from '../../../../../../test/servers/test-server.ts'
import type { AdminSetting } from '../../../../../entities/admin/settings/admin-setting.ts'
import type { AdminTermsOfService } from '../../../../../entities/admin/settings/admin-terms-of-service.ts'
import type { Instance } from '../../../../../entities/instance/instance.ts'

const PATH = '/api/v1/admin/settings'
const TERMS = '/api/v1/admin/terms_of_service'

const testServer = await openTestServer({ now: () => new Date('2026-11-05T12:00:00Z') })
after(testServer.close)
const { db } = testServer.ctx
const read = createVisitor(testServer)
const admin = await testServer.createUser({ role: 'owner', scopes: 'admin:read admin:write' })

const list = async () => (await admin.client.get<AdminSetting[]>(PATH)).body
const find = async (name: string) => (await list()).find((setting) => setting.name === name)!
const change = (payload: object) => admin.client.patch<AdminSetting[]>(PATH, payload)
const entries = async (type: string) =>
  (
    await db
      .selectFrom('audit_log_entries')
      .select(['action', 'label', 'details', 'account_id'])
      .where('target_type', '=', type)
      .orderBy('id')
      .execute()
  ).map(({ action, label, details, account_id: actor }) => {
    assert.equal(actor, admin.accountId)
    return [action, label, details]
  })

/** Polls the instance, which is cached for a moment. */
async function instanceWhere(isExpected: (instance: Instance) => boolean): Promise<void> {
  await until(async () => isExpected((await read('/api/v2/instance')).body))
}

suite('settings', () => {
  test('are listed with value, default, type and allowed values', async () => {
    const settings = await list()
    for (const setting of settings) assertEntity('AdminSetting', setting)
    const byName = new Map(settings.map((setting) => [setting.name, setting]))
    assert.deepEqual(byName.get('domain_blocks'), {
      name: 'domain_blocks',
      description: 'who can see the list of blocked servers',
      type: 'choice',
      value: 'disabled',
      default: 'disabled',
      allowed_values: ['disabled', 'users', 'all'],
      max_characters: null,
    })
    const { type, value, max_characters: max } = byName.get('title')!
    assert.deepEqual([type, value, max], ['line', 'linnet.test', 100])
    assert.deepEqual([byName.get('trends')?.type, byName.get('trends')?.value], ['boolean', true])
  })

  test('change together, are visible in the instance, and are in the audit log by name', async () => {
    const long = 'word '.repeat(1000).trim()
    const { status, body } = await change({
      title: ' Birds ',
      registrations: 'approved',
      peers: false,
      privacy_policy: long,
      contact_email: 'hello@birds.test',
      activity: true,
    })
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(body, await list())
    const values = new Map(body.map(({ name, value }) => [name, value]))
    assert.deepEqual(
      ['title', 'registrations', 'peers', 'privacy_policy', 'contact_email'].map((name) => values.get(name)),
      ['Birds', 'approved', false, long, 'hello@birds.test'],
    )
    await instanceWhere(
      ({ title, registrations, contact }) =>
        title === 'Birds' && registrations.approval_required && contact.email === 'hello@birds.test',
    )
    assert.match((await testServer.anonymous.get('/api/v1/instance/privacy_policy')).body.content, /word word/)
    assert.equal((await testServer.anonymous.get('/api/v1/instance/peers')).status, 404)

    const reset = await admin.client.delete<AdminSetting>(`${PATH}/title`)
    assert.deepEqual([reset.status, reset.body], [200, await find('title')])
    assert.equal(reset.body.value, 'linnet.test')
    await instanceWhere(({ title }) => title === 'linnet.test')

    const recorded = await entries('setting')
    assert.deepEqual(
      recorded.toSorted(([, a], [, b]) => (String(a) < String(b) ? -1 : 1)),
      [
        ['update', 'contact-email', {}],
        ['update', 'peers', { old: true, new: false }],
        ['update', 'privacy-policy', { old_characters: 0, new_characters: long.length }],
        ['update', 'registrations', { old: 'open', new: 'approved' }],
        ['update', 'title', { old: 'linnet.test', new: 'Birds' }],
        ['reset', 'title', { old: 'Birds', new: 'linnet.test' }],
      ],
    )
    assert.doesNotMatch(JSON.stringify(recorded), /hello@birds/)
  })

  test('change all or none, and the error names each invalid one', async () => {
    const before = await list()
    const { status, body } = await admin.client.patch(PATH, {
      description: 'Changed',
      title: 'x'.repeat(101),
      contact_email: 'nowhere',
      status_page: 'javascript:alert(1)',
      contact_account: 'nobody',
    })
    assert.deepEqual(
      [status, body.error],
      [
        422,
        'Validation failed: Title is too long (maximum is 100 characters), Contact email is not an e-mail address, ' +
          'Contact account is not a local account, Status page is not a web address',
      ],
    )
    assert.deepEqual(Object.keys(body.details), ['title', 'contact_email', 'contact_account', 'status_page'])
    for (const [payload, error] of [
      [{ description: 'Changed', registrations: 'perhaps' }, 'Registrations is not included in the list'],
      [{ description: 'Changed', title: 'two\nlines' }, 'Title has more than one line'],
    ] as const) {
      const answer = await change(payload)
      assert.deepEqual([answer.status, (answer.body as { error?: string }).error], [422, `Validation failed: ${error}`])
    }
    assert.equal((await change({ titel: 'x', constructor: 'x' })).status, 200)
    assert.deepEqual(await list(), before)
    for (const name of ['titel', 'contact-email', '__proto__']) {
      assert.equal((await admin.client.delete(`${PATH}/${name}`)).status, 404, name)
    }
    const outsider = await testServer.anonymous.patch(PATH, { title: 'x' })
    assert.equal(outsider.status, 401)
  })

  test('in Markdown have a preview that is what their pages show, for staff who may change them', async () => {
    const text = '## Hello\n\n[us](/about) <b>now</b>\n\n| a |\n|---|\n| b |'
    const { status, body } = await admin.client.post(`${PATH}/preview`, { text })
    assert.equal(status, 200)
    assertEntity('AdminDocumentPreview', body)
    assert.match(body.content, /^<h2>Hello<\/h2>\n<p><a href="https:\/\/linnet\.test\/about"[^>]*>us<\/a> &lt;b&gt;now/)
    await change({ extended_description: text })
    await until(async () => (await read('/api/v1/instance/extended_description')).body.content === body.content)
    await change({ extended_description: '' })
    assert.deepEqual((await admin.client.post(`${PATH}/preview`, {})).body, { content: '' })
    assert.equal((await admin.client.post(`${PATH}/preview`, { text: 'x'.repeat(100_001) })).status, 422)
    const user = await testServer.createUser({ scopes: 'read write admin:read admin:write' })
    assert.equal((await user.client.post(`${PATH}/preview`, { text })).status, 403)
  })

  test('that one process changes are visible to another one', async () => {
    const { connection } = testServer
    const other = await openTestServer({ database: { connection, drop: async () => {} } })
    after(other.close)
    const headers = { authorization: `Bearer ${admin.token}` }
    const read = async () => {
      const { body } = await other.anonymous.send({ url: PATH, headers })
      return (body as AdminSetting[]).find(({ name }) => name === 'directory')!.value
    }
    assert.equal(await read(), true)
    await change({ directory: false })
    assert.equal(await read(), false)
    assert.equal((await other.anonymous.get('/api/v1/directory')).status, 404)
    await admin.client.delete(`${PATH}/directory`)
    assert.equal(await read(), true)
  })
})

suite('terms of service', () => {
  test('are published for a date, replaced before it, listed and deleted', async () => {
    const publish = (payload: object) => admin.client.post<AdminTermsOfService>(TERMS, payload)
    const first = await publish({ text: '# Terms', effective_date: '2026-10-01' })
    assert.equal(first.status, 200, JSON.stringify(first.body))
    assertEntity('AdminTermsOfService', first.body)
    const next = { text: 'Draft', effective_date: '2027-01-01' }
    assert.equal((await publish(next)).status, 200)
    assert.equal((await publish({ ...next, text: 'Final' })).body.text, 'Final')
    const { body } = await admin.client.get<AdminTermsOfService[]>(TERMS)
    const rest = { changelog: '', published_at: '2026-11-05T12:00:00.000Z', notification_sent_at: null }
    assert.deepEqual(body, [
      { effective_date: '2027-01-01', effective: false, text: 'Final', succeeded_by: null, ...rest },
      { effective_date: '2026-10-01', effective: true, text: '# Terms', succeeded_by: '2027-01-01', ...rest },
    ])
    assert.deepEqual((await admin.client.get(`${TERMS}/2026-10-01`)).body, body[1])
    const shown = await testServer.anonymous.get('/api/v1/instance/terms_of_service')
    assert.deepEqual([shown.status, shown.body.effective_date], [200, '2026-10-01'])
    assert.equal((await publish({ text: 'Now' })).body.effective_date, '2026-11-05')

    for (const payload of [
      { text: ' ' },
      { text: 'x'.repeat(100_001) },
      { text: 'x', changelog: 'x'.repeat(10_001) },
      { text: 'x', effective_date: '2026-02-31' },
      { text: 'x', effective_date: '2026-10-01' },
    ])
      assert.equal((await publish(payload)).status, 422, JSON.stringify(payload).slice(0, 60))
    for (const date of ['2026-11-05', '2027-01-01']) {
      assert.deepEqual((await admin.client.delete(`${TERMS}/${date}`)).body, {})
    }
    for (const date of ['2027-01-01', 'nonsense']) {
      assert.equal((await admin.client.get(`${TERMS}/${date}`)).status, 404)
      assert.equal((await admin.client.delete(`${TERMS}/${date}`)).status, 404)
    }
    assert.deepEqual(
      (await entries('terms_of_service')).map(([action, label]) => [action, label]),
      [
        ['publish', '2026-10-01'],
        ['publish', '2027-01-01'],
        ['publish', '2027-01-01'],
        ['publish', '2026-11-05'],
        ['delete', '2026-11-05'],
        ['delete', '2027-01-01'],
      ],
    )
  })
})
