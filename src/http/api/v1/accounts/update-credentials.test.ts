import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { suspend } from '../../../../../test/features/moderation.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'
import { countGraphemes } from '../../../../lib/text/count-characters.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)

const PATH = '/api/v1/accounts/update_credentials'
const change = ({ client }: TestUser, body: unknown) => client.patch(PATH, body)
const changeByForm = ({ client }: TestUser, pairs: [string, string][]) =>
  client.send({
    method: 'PATCH',
    url: PATH,
    payload: new URLSearchParams(pairs).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

const FLAGS = ['locked', 'bot', 'discoverable', 'indexable', 'hide_collections'] as const
const TABS = ['show_media', 'show_media_replies', 'show_featured'] as const

test('BI5 every boolean parameter accepts the same spellings; other values change nothing', async () => {
  const all = (value: unknown) => Object.fromEntries([...FLAGS, ...TABS, 'sensitive'].map((name) => [name, value]))
  const table: [unknown, boolean | 'same'][] = [
    ...([false, 'false', 'FALSE', '0', 0, 'f', 'F', 'off', 'OFF'] as const).map((sent): [unknown, boolean] => [
      sent,
      false,
    ]),
    ...([true, 'true', 'TRUE', '1', 1, 't', 'on', 'yes', 'x', 2] as const).map((sent): [unknown, boolean] => [
      sent,
      true,
    ]),
    ...[null, '', [], {}, [false], { a: true }].map((sent): [unknown, 'same'] => [sent, 'same']),
  ]
  const alice = await testServer.createUser()
  const readFlags = async () => {
    const { body } = await alice.client.get('/api/v1/accounts/verify_credentials')
    assertEntity('CredentialAccount', body)
    return [...FLAGS, ...TABS].map((name) => body[name]).concat(body.source.sensitive)
  }
  const send = async (value: unknown) => {
    const { status } = await change(alice, { ...all(value), source: { sensitive: value } })
    assert.equal(status, 200)
    assert.equal((await alice.client.patch('/api/v1/profile', all(value))).status, 200)
  }
  for (const [sent, expected] of table) {
    for (const before of expected === 'same' ? [true, false] : [!expected]) {
      await send(before)
      await send(sent)
      assert.deepEqual([sent, await readFlags()], [sent, Array(9).fill(expected === 'same' ? before : expected)])
    }
  }
})

test('AC10 no parameter changes the username, the handle or values that only staff may set', async () => {
  const alice = await testServer.createUser({ username: 'alice' })
  const columns = ['username', 'domain', 'uri', 'url', 'memorial', 'suspended_at', 'silenced_at', 'moved_to_account_id']
  const readColumns = async () =>
    JSON.stringify(
      await testServer.ctx.db
        .selectFrom('accounts')
        .innerJoin('users', 'users.account_id', 'accounts.id')
        .select(['username', 'domain', 'uri', 'url', 'memorial', 'suspended_at', 'silenced_at', 'also_known_as'])
        .select(['email', 'role_id', 'approved', 'confirmed_at', 'disabled_at', 'password_hash'])
        .where('accounts.id', '=', alice.accountId)
        .executeTakeFirstOrThrow(),
    )
  const before = await readColumns()
  for (const username of ['bob', 'ALICE', 'admin', 'a\n']) {
    for (const path of [PATH, '/api/v1/profile']) {
      const { status } = await alice.client.patch(path, {
        username,
        acct: username,
        ...Object.fromEntries(columns.map((name) => [name, username])),
        account: { username },
        source: { username, privacy: 'unlisted' },
        role: { id: '3' },
        role_id: '3',
        email: 'other@mail.test',
        also_known_as: ['https://remote.test/users/alice'],
        verified_at: '2020-01-01T00:00:00Z',
        fields_attributes: [{ name: 'a', value: 'b', verified_at: '2020-01-01T00:00:00Z' }],
      })
      assert.equal(status, 200)
    }
  }
  assert.equal(await readColumns(), before)
  const { body } = await alice.client.get('/api/v1/accounts/verify_credentials')
  assert.deepEqual([body.username, body.fields[0].verified_at], ['alice', null])
})

test('a text in place of the fields of a profile changes none of them', async () => {
  const alice = await testServer.createUser()
  await change(alice, { fields_attributes: [{ name: 'Web', value: 'mine' }] })
  for (const text of ['', 'x']) {
    assert.equal((await change(alice, { fields_attributes: text })).status, 200)
    const { body } = await changeByForm(alice, [['fields_attributes', text]])
    assert.deepEqual(body.source.fields, [{ name: 'Web', value: 'mine', verified_at: null }])
  }
})

test('a profile has at most four single-line fields in every encoding; invalid fields reject the request', async () => {
  const text = fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('', ' ', '\n', 'a\r\nb', '👩‍👩‍👧'.repeat(255), 'x'.repeat(255), 'x'.repeat(256)),
    },
  )
  const fields = fc.array(fc.record({ name: text, value: text }), { maxLength: 6 })
  const encodings = {
    array: (user: TestUser, list: Field[]) => change(user, { fields_attributes: list }),
    map: (user: TestUser, list: Field[]) =>
      change(user, { fields_attributes: Object.fromEntries(list.map((field, n) => [n + 1, field])) }),
    form: (user: TestUser, list: Field[]) =>
      changeByForm(
        user,
        list.flatMap(({ name, value }, n): [string, string][] => [
          [`fields_attributes[${n}][name]`, name],
          [`fields_attributes[${n}][value]`, value],
        ]),
      ),
  }
  const users = new Map<string, TestUser>()
  for (const encoding of Object.keys(encodings)) users.set(encoding, await testServer.createUser())
  await fc.assert(
    fc.asyncProperty(fields, async (list) => {
      const stored = list
        .map(({ name, value }) => ({ name: oneLine(name), value: oneLine(value) }))
        .filter(({ name, value }) => name !== '' || value !== '')
      const isValid =
        stored.length <= 4 &&
        stored.every(({ name, value }) => name !== '' && countGraphemes(name) <= 255 && countGraphemes(value) <= 255)
      for (const [encoding, send] of Object.entries(encodings)) {
        const user = users.get(encoding)!
        // A form without pairs contains no fields.
        if (encoding === 'form' && list.length === 0) continue
        const { status, body } = await send(user, list)
        assert.equal(status, isValid ? 200 : 422, `${encoding}: ${JSON.stringify(body.error)}`)
        const { body: credentials } = await user.client.get('/api/v1/accounts/verify_credentials')
        const fieldsNow = credentials.source.fields.map(({ name, value }: Field) => ({ name, value }))
        if (isValid) assert.deepEqual(fieldsNow, stored)
      }
    }),
    { numRuns: 30 },
  )
})

interface Field {
  name: string
  value: string
}

/** Replaces control characters by spaces and removes NUL, which PostgreSQL cannot store. */
const oneLine = (text: string) =>
  text
    .toWellFormed()
    .replaceAll('\u0000', '')
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()

test('attribution_domains are at most 100 domains, normalised and without duplicates', async () => {
  const alice = await testServer.createUser()
  const spelling = fc.constantFrom<(domain: string) => string>(
    (domain) => domain,
    (domain) => domain.toUpperCase(),
    (domain) => `  ${domain}\n`,
    (domain) => `https://${domain}/`,
    (domain) => `HTTP://${domain}`,
    (domain) => `${domain}.`,
    (domain) => `${domain}:8443`,
  )
  const domainLists = fc.array(fc.tuple(fc.domain(), fc.array(spelling, { minLength: 1, maxLength: 3 })), {
    maxLength: 8,
  })
  await fc.assert(
    fc.asyncProperty(domainLists, async (list) => {
      const sent = list.flatMap(([domain, spellings]) => spellings.map((spell) => spell(domain)))
      const { status, body } = await change(alice, { attribution_domains: ['', ...sent] })
      assert.equal(status, 200, JSON.stringify(sent))
      assert.deepEqual(body.source.attribution_domains, [...new Set(list.map(([domain]) => domain.toLowerCase()))])
    }),
    { numRuns: 40 },
  )
  const maxDomains = Array.from({ length: 100 }, (_, n) => `n${n}.example`)
  assert.equal((await change(alice, { attribution_domains: [...maxDomains, 'N0.example'] })).status, 200)
  const readDomains = async () => (await alice.client.get('/api/v1/profile')).body.attribution_domains
  const invalid = [
    'x',
    'localhost',
    '127.0.0.1',
    '[::1]',
    'a b.example',
    '*.example.com',
    'a.example/path',
    'a@b.example',
  ]
  for (const domain of [
    ...invalid,
    'javascript:alert(1)',
    'a..example',
    `${'x'.repeat(300)}.example`,
    '\u0001.example',
  ]) {
    const { status, body } = await change(alice, { display_name: 'new', attribution_domains: ['a.example', domain] })
    assert.equal(status, 422, domain)
    assert.match(body.error, /^Validation failed: Attribution domains holds “.{1,60}”, which is not a domain$/)
  }
  const tooMany = await change(alice, { attribution_domains: [...maxDomains, 'one.more.example'] })
  assert.deepEqual(
    [tooMany.status, tooMany.body.error],
    [422, 'Validation failed: Attribution domains is too long (maximum is 100 domains)'],
  )
  assert.deepEqual(await readDomains(), maxDomains)
  const unicode = await change(alice, { attribution_domains: ['Bücher.example'] })
  assert.deepEqual([unicode.body.source.attribution_domains, unicode.body.display_name], [['bücher.example'], ''])
  await changeByForm(alice, [
    ['attribution_domains[]', 'a.example'],
    ['attribution_domains[]', 'b.example'],
  ])
  assert.deepEqual(await readDomains(), ['a.example', 'b.example'])
  await changeByForm(alice, [['attribution_domains[]', '']])
  assert.deepEqual(await readDomains(), [])
})

test('posting defaults set by update_credentials apply in every entity that shows them', async () => {
  const alice = await testServer.createUser({ role: 'admin' })
  const { body } = await change(alice, { source: { quote_policy: 'followers', language: '', sensitive: true } })
  assertEntity('CredentialAccount', body)
  const { quote_policy: policy, language, sensitive, privacy } = body.source
  assert.deepEqual([policy, language, sensitive, privacy], ['followers', null, true, 'public'])
  const rejected = await change(alice, { source: { quote_policy: 'friends' } })
  assert.deepEqual(
    [rejected.status, rejected.body.error],
    [422, 'Validation failed: Quote policy is not included in the list'],
  )
  assert.equal((await alice.client.get('/api/v1/preferences')).body['posting:default:quote_policy'], 'followers')
  assert.equal((await change(alice, { locked: true })).body.source.privacy, 'private')
})

test('a role has its permissions, including those of everyone, and its collection limit', async () => {
  await testServer.ctx.db
    .updateTable('roles')
    .set({ collection_limit: 25, color: '#336699' })
    .where('id', '=', '2')
    .execute()
  const roles: [string, object, object[]][] = []
  for (const role of ['user', 'admin', 'owner'] as const) {
    const { client } = await testServer.createUser({ role })
    const { body } = await client.get('/api/v1/accounts/verify_credentials')
    assertEntity('CredentialAccount', body)
    roles.push([role, body.role, body.roles])
  }
  const everyone = { id: '-99', name: '', permissions: '65536', color: '', highlighted: false, collection_limit: 10 }
  assert.deepEqual(roles[0], ['user', everyone, []])
  assert.deepEqual(roles[1]!.slice(2), [[{ id: '2', name: 'Admin', color: '#336699' }]])
  const limits = roles.map(([, role]) => (role as { collection_limit: number }).collection_limit)
  assert.deepEqual(limits, [10, 25, 10])
  assert.equal((roles[2]![1] as { permissions: string }).permissions, String(2 ** 23 - 1))
})

test('follow_requests_count stops at 40 and leaves out suspended accounts', async () => {
  const alice = await testServer.createUser({ locked: true })
  const count = async () =>
    (await alice.client.get('/api/v1/accounts/verify_credentials')).body.source.follow_requests_count
  const requesters = await Promise.all(Array.from({ length: 42 }, () => testServer.createUser()))
  for (const requester of requesters) await requester.client.post(`/api/v1/accounts/${alice.accountId}/follow`)
  assert.equal(await count(), 40)
  for (const requester of requesters.slice(0, 5)) await suspend(testServer.ctx, requester)
  assert.equal(await count(), 37)
})
