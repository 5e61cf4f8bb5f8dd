import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import { findPort } from '../../../../../test/servers/linnet-process.ts'
import { waitForInstance } from '../../../../../test/servers/wait-for-instance.ts'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { Tx } from '../../../../domain/context.ts'
import { addRule, removeRule, translateRule } from '../../../../domain/instance/rules.ts'
import { changeSetting, resetSetting } from '../../../../domain/instance/instance-settings.ts'
import type { SettingName } from '../../../../domain/instance/setting-definitions.ts'
import { publishTerms, removeTerms } from '../../../../domain/instance/terms-of-service.ts'
import type { Instance, V1Instance } from '../../../../entities/instance/instance.ts'

const port = await findPort()
const domain = `localhost:${port}`
const origin = `http://${domain}`
let now = () => new Date()
const testServer = await openTestServer({ env: { PORT: port, LOCAL_DOMAIN: domain }, now: () => now() })
after(testServer.close)
await testServer.listen()
const { ctx, anonymous } = testServer
const owner = await testServer.createUser({ username: 'owner', role: 'owner' })
const helper = await testServer.createUser({ username: 'Helper' })

const write = <T>(work: (tx: Tx) => Promise<T>) => ctx.write(work)
const setSetting = (name: SettingName, text: string) => write((tx) => changeSetting(tx, { by: null, name, text }))
const get = async <T>(path: string) => (await anonymous.get<T>(`/api/v1/instance/${path}`)).body

const instanceWhere = (matches: (instance: Instance) => boolean) => waitForInstance(anonymous, matches)

test('a changed setting is in the instance a tenth of a second later', async (t) => {
  let milliseconds = performance.now()
  t.mock.method(performance, 'now', () => milliseconds)
  const readTitles = async () =>
    Promise.all(['v1', 'v2'].map(async (v) => (await anonymous.get<Instance>(`/api/${v}/instance`)).body.title))
  const before = await readTitles()
  await setSetting('title', 'Renamed')
  milliseconds += 100
  assert.deepEqual(
    [before, await readTitles()],
    [
      [domain, domain],
      ['Renamed', 'Renamed'],
    ],
  )
  await write((tx) => resetSetting(tx, { by: null, name: 'title' }))
})

test('rules are in order, with hints and translations, until they are removed', async () => {
  assert.deepEqual(await get('rules'), [])
  const first = await write((tx) => addRule(tx, { by: null, text: ' Be kind ', hint: 'To <b>everybody</b>' }))
  const second = await write((tx) => addRule(tx, { by: null, text: 'No spam', hint: '' }))
  await write((tx) => translateRule(tx, { by: null, id: first, language: 'DE', text: 'Sei nett', hint: '' }))
  await write((tx) =>
    translateRule(tx, { by: null, id: first, language: 'pt-br', text: 'Seja gentil', hint: 'Sempre' }),
  )
  const rules = await get<Instance['rules']>('rules')
  for (const rule of rules) assertEntity('Rule', rule)
  assert.deepEqual(rules, [
    {
      id: first,
      text: 'Be kind',
      hint: 'To <b>everybody</b>',
      translations: { de: { text: 'Sei nett', hint: '' }, 'pt-BR': { text: 'Seja gentil', hint: 'Sempre' } },
    },
    { id: second, text: 'No spam', hint: '', translations: {} },
  ])
  const instance = await instanceWhere((current) => current.rules.length === 2)
  assert.deepEqual(instance.rules, rules)
  await write((tx) => removeRule(tx, { by: null, id: first }))
  assert.deepEqual(await get('rules'), [rules[1]])
  for (const fields of [{ text: ' ' }, { text: 'x'.repeat(301) }, { text: 'x', hint: 'x'.repeat(1_001) }]) {
    await assert.rejects(
      write((tx) => addRule(tx, { by: null, hint: '', ...fields })),
      { status: 422 },
    )
  }
})

test('documents are rendered as HTML, with the time of their last change', async () => {
  for (const [path, name, entity] of [
    ['extended_description', 'extended-description', 'ExtendedDescription'],
    ['privacy_policy', 'privacy-policy', 'PrivacyPolicy'],
  ] as const) {
    assert.deepEqual(await get(path), { updated_at: null, content: '' })
    now = () => new Date('2027-01-02T03:04:05.678Z')
    await setSetting(name, '# Hello\n\n<script>x</script> [here](/about)')
    now = () => new Date()
    const document = await get(path)
    assertEntity(entity, document)
    assert.deepEqual(document, {
      updated_at: '2027-01-02T03:04:05.678Z',
      content: `<h1>Hello</h1>\n<p>&lt;script&gt;x&lt;/script&gt; <a href="${origin}/about" rel="nofollow noopener">here</a></p>`,
    })
    await write((tx) => resetSetting(tx, { by: null, name }))
    assert.deepEqual(await get(path), { updated_at: null, content: '' })
  }
})

test('terms of service are returned by time and by effective date', async () => {
  const terms = async (date = '') => anonymous.get(`/api/v1/instance/terms_of_service${date}`)
  assert.deepEqual([(await terms()).status, (await terms()).body], [404, { error: 'Record not found' }])
  const publish = (effectiveDate: string, text: string) =>
    write((tx) => publishTerms(tx, { by: null, text, effectiveDate }))
  now = () => new Date('2027-03-10T12:00:00Z')
  await publish('2027-04-01', 'First')
  const upcoming = (await terms()).body
  assertEntity('TermsOfService', upcoming)
  assert.deepEqual(upcoming, {
    effective_date: '2027-04-01',
    effective: false,
    content: '<p>First</p>',
    succeeded_by: null,
  })
  await publish('2027-04-01', 'First, better')
  await publish('2027-06-01', 'Second')
  now = () => new Date('2027-04-01T00:00:00Z')
  assert.deepEqual((await terms()).body, {
    effective_date: '2027-04-01',
    effective: true,
    content: '<p>First, better</p>',
    succeeded_by: '2027-06-01',
  })
  await assert.rejects(
    publish('2027-04-01', 'Changed'),
    /Effective date is the date of terms that are in force already/,
  )
  assert.equal((await terms('/2027-06-01')).body.effective, false)
  now = () => new Date('2027-06-01T00:00:00Z')
  assert.equal((await terms()).body.content, '<p>Second</p>')
  assert.equal((await terms('/2027-04-01')).body.succeeded_by, '2027-06-01')
  for (const date of ['/2027-05-01', '/today', '/2027-6-1', "/'; drop table rules"]) {
    assert.equal((await terms(date)).status, 404, date)
  }
  now = () => new Date()
  for (const effectiveDate of ['2027-04-01', '2027-06-01'])
    await write((tx) => removeTerms(tx, { by: null, effectiveDate }))
  assert.equal((await terms()).status, 404)
  await publish('2020-01-01', 'Old')
  const instance = await instanceWhere(({ configuration }) => configuration.urls.terms_of_service !== null)
  assert.equal(instance.configuration.urls.terms_of_service, `${origin}/terms-of-service`)
  await write((tx) => removeTerms(tx, { by: null, effectiveDate: '2020-01-01' }))
  await instanceWhere(({ configuration }) => configuration.urls.terms_of_service === null)
})

test('languages have codes and English names', async () => {
  const languages = await get<{ code: string; name: string }[]>('languages')
  assert.deepEqual(
    languages.find(({ code }) => code === 'de'),
    { code: 'de', name: 'German' },
  )
  assert.ok(languages.length > 200)
})

test('both versions of the instance show title, description, contact and registrations from the settings', async () => {
  const before = await instanceWhere(() => true)
  assertEntity('Instance', before)
  assert.deepEqual(
    [before.title, before.contact.account?.id, before.source_url],
    [domain, owner.accountId, `${origin}/`],
  )
  assert.deepEqual(before.configuration.urls, {
    streaming: `ws://${domain}`,
    status: null,
    about: `${origin}/about`,
    privacy_policy: `${origin}/privacy-policy`,
    terms_of_service: null,
  })
  await setSetting('title', 'Birds')
  await setSetting('description', 'For those\nwho sing')
  await setSetting('contact-email', 'hello@birds.test')
  await setSetting('contact-account', '@helper')
  await setSetting('status-page', 'https://status.birds.test')
  await setSetting('source-code', 'https://code.birds.test/linnet')
  await setSetting('registrations-message', 'Closed, *for now*')
  await setSetting('registrations', 'none')
  const instance = await instanceWhere(({ registrations, title }) => !registrations.enabled && title === 'Birds')
  assertEntity('Instance', instance)
  assert.deepEqual(
    [instance.description, instance.contact.email, instance.contact.account?.id, instance.configuration.urls.status],
    ['For those\nwho sing', 'hello@birds.test', helper.accountId, 'https://status.birds.test'],
  )
  assert.equal(instance.source_url, 'https://code.birds.test/linnet')
  const { body: page } = await anonymous.send<string>({ url: '/about', headers: { accept: 'text/html' } })
  assert.match(page, /<a href="https:\/\/code\.birds\.test\/linnet">Source code<\/a>/)
  assert.deepEqual(instance.registrations, {
    enabled: false,
    approval_required: false,
    reason_required: false,
    message: '<p>Closed, <em>for now</em></p>',
    min_age: null,
    url: null,
  })
  const { body: older } = await anonymous.get<V1Instance>('/api/v1/instance')
  assertEntity('V1Instance', older)
  assert.deepEqual(
    [older.title, older.short_description, older.email, older.contact_account?.id, older.registrations, older.rules],
    ['Birds', 'For those\nwho sing', 'hello@birds.test', helper.accountId, false, instance.rules],
  )
  await setSetting('registrations', 'open')
  assert.equal((await instanceWhere(({ registrations }) => registrations.enabled)).registrations.message, null)
})

test('an invalid setting is rejected with a message', async () => {
  for (const [name, text, sentence] of [
    ['peers', 'perhaps', 'Peers is not one of on, off'],
    ['domain-blocks', 'some', 'Domain blocks is not one of disabled, users, all'],
    ['title', 'two\nlines', 'Title has more than one line'],
    ['title', 'x'.repeat(101), 'Title is too long (maximum is 100 characters)'],
    ['extended-description', 'x'.repeat(100_001), 'Extended description is too long (maximum is 100000 characters)'],
    ['contact-email', 'nowhere', 'Contact email is not an e-mail address'],
    ['contact-account', 'nobody', 'Contact account is not a local account'],
    ['status-page', 'javascript:alert(1)', 'Status page is not a web address'],
    ['source-code', 'ftp://code.test', 'Source code is not a web address'],
  ] as const) {
    await assert.rejects(setSetting(name, text), { status: 422, message: `Validation failed: ${sentence}` })
  }
})

test('masto.js reads the instance documents', async () => {
  const rest = createRestAPIClient({ url: origin })
  const { v1, v2 } = rest
  const { configuration, rules } = await v2.instance.fetch()
  assert.deepEqual([configuration.urls.streaming, rules?.map(({ text }) => text)], [`ws://${domain}`, ['No spam']])
  assert.equal((await v1.instance.fetch()).title, 'Birds')
  assert.equal((await v1.instance.extendedDescription.fetch()).content, '')
  assert.ok((await v1.instance.languages.list()).length > 200)
})
