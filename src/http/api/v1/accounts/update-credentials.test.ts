import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { openWorld } from '../../../../../test/world.ts'
import type { Person } from '../../../../../test/world.ts'
import { assertOnWire } from '../../../../../test/wire.ts'
import { countGraphemes } from '../../../../lib/text/countCharacters.ts'

const world = await openWorld({ effects: false })
after(world.close)

const PATH = '/api/v1/accounts/update_credentials'
const change = ({ client }: Person, body: unknown) => client.patch(PATH, body)
const changeByForm = ({ client }: Person, pairs: [string, string][]) =>
  client.send({
    method: 'PATCH',
    url: PATH,
    payload: new URLSearchParams(pairs).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

const FLAGS = ['locked', 'bot', 'discoverable', 'indexable', 'hide_collections'] as const
const TABS = ['show_media', 'show_media_replies', 'show_featured'] as const

test('BI5 every spelling of a boolean means the same for each switch, and what is none changes nothing', async () => {
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
  const alice = await world.createPerson()
  const shown = async () => {
    const { body } = await alice.client.get('/api/v1/accounts/verify_credentials')
    assertOnWire('CredentialAccount', body)
    return [...FLAGS, ...TABS].map((name) => body[name]).concat(body.source.sensitive)
  }
  const send = async (value: unknown) => {
    const { status } = await change(alice, { ...all(value), source: { sensitive: value } })
    assert.equal(status, 200)
    assert.equal((await alice.client.patch('/api/v1/profile', all(value))).status, 200)
  }
  for (const [sent, meant] of table) {
    for (const before of meant === 'same' ? [true, false] : [!meant]) {
      await send(before)
      await send(sent)
      assert.deepEqual([sent, await shown()], [sent, Array(9).fill(meant === 'same' ? before : meant)])
    }
  }
})

test('AC10 nothing that is sent changes a name, a handle or what only the staff decides', async () => {
  const alice = await world.createPerson({ username: 'alice' })
  const columns = ['username', 'domain', 'uri', 'url', 'memorial', 'suspended_at', 'silenced_at', 'moved_to_account_id']
  const facts = async () =>
    JSON.stringify(
      await world.ctx.db
        .selectFrom('accounts')
        .innerJoin('users', 'users.account_id', 'accounts.id')
        .select(['username', 'domain', 'uri', 'url', 'memorial', 'suspended_at', 'silenced_at', 'also_known_as'])
        .select(['email', 'role_id', 'approved', 'confirmed_at', 'disabled_at', 'password_hash'])
        .where('accounts.id', '=', alice.accountId)
        .executeTakeFirstOrThrow(),
    )
  const before = await facts()
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
        also_known_as: ['https://elsewhere.test/users/alice'],
        verified_at: '2020-01-01T00:00:00Z',
        fields_attributes: [{ name: 'a', value: 'b', verified_at: '2020-01-01T00:00:00Z' }],
      })
      assert.equal(status, 200)
    }
  }
  assert.equal(await facts(), before)
  const { body } = await alice.client.get('/api/v1/accounts/verify_credentials')
  assert.deepEqual([body.username, body.fields[0].verified_at], ['alice', null])
})

test('a profile has at most four fields, each on one line, however they are sent; otherwise all are refused', async () => {
  const text = fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('', ' ', '\n', 'a\r\nb', '👩‍👩‍👧'.repeat(255), 'x'.repeat(255), 'x'.repeat(256)),
    },
  )
  const fields = fc.array(fc.record({ name: text, value: text }), { maxLength: 6 })
  const ways = {
    array: (person: Person, list: Field[]) => change(person, { fields_attributes: list }),
    map: (person: Person, list: Field[]) =>
      change(person, { fields_attributes: Object.fromEntries(list.map((field, n) => [n + 1, field])) }),
    form: (person: Person, list: Field[]) =>
      changeByForm(
        person,
        list.flatMap(({ name, value }, n): [string, string][] => [
          [`fields_attributes[${n}][name]`, name],
          [`fields_attributes[${n}][value]`, value],
        ]),
      ),
  }
  const people = new Map<string, Person>()
  for (const way of Object.keys(ways)) people.set(way, await world.createPerson())
  await fc.assert(
    fc.asyncProperty(fields, async (list) => {
      const kept = list
        .map(({ name, value }) => ({ name: oneLine(name), value: oneLine(value) }))
        .filter(({ name, value }) => name !== '' || value !== '')
      const fits =
        kept.length <= 4 &&
        kept.every(({ name, value }) => name !== '' && countGraphemes(name) <= 255 && countGraphemes(value) <= 255)
      for (const [way, send] of Object.entries(ways)) {
        const person = people.get(way)!
        // A form without a pair says nothing of fields.
        if (way === 'form' && list.length === 0) continue
        const { status, body } = await send(person, list)
        assert.equal(status, fits ? 200 : 422, `${way}: ${JSON.stringify(body.error)}`)
        const { body: shown } = await person.client.get('/api/v1/accounts/verify_credentials')
        const now = shown.source.fields.map(({ name, value }: Field) => ({ name, value }))
        if (fits) assert.deepEqual(now, kept)
      }
    }),
    { numRuns: 30 },
  )
})

interface Field {
  name: string
  value: string
}

/** Control characters are blanks; NUL, which no database holds, is nothing. */
const oneLine = (text: string) =>
  text
    .toWellFormed()
    .replaceAll('\u0000', '')
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()

test('the sites that may name an author are domains, each once, in one spelling, a hundred at most', async () => {
  const alice = await world.createPerson()
  const spelling = fc.constantFrom<(domain: string) => string>(
    (domain) => domain,
    (domain) => domain.toUpperCase(),
    (domain) => `  ${domain}\n`,
    (domain) => `https://${domain}/`,
    (domain) => `HTTP://${domain}`,
    (domain) => `${domain}.`,
    (domain) => `${domain}:8443`,
  )
  const sites = fc.array(fc.tuple(fc.domain(), fc.array(spelling, { minLength: 1, maxLength: 3 })), { maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(sites, async (list) => {
      const sent = list.flatMap(([domain, spellings]) => spellings.map((spell) => spell(domain)))
      const { status, body } = await change(alice, { attribution_domains: ['', ...sent] })
      assert.equal(status, 200, JSON.stringify(sent))
      assert.deepEqual(body.source.attribution_domains, [...new Set(list.map(([domain]) => domain.toLowerCase()))])
    }),
    { numRuns: 40 },
  )
  const hundred = Array.from({ length: 100 }, (_, n) => `n${n}.example`)
  assert.equal((await change(alice, { attribution_domains: [...hundred, 'N0.example'] })).status, 200)
  const kept = async () => (await alice.client.get('/api/v1/profile')).body.attribution_domains
  const wrong = [
    'x',
    'localhost',
    '127.0.0.1',
    '[::1]',
    'a b.example',
    '*.example.com',
    'a.example/path',
    'a@b.example',
  ]
  for (const one of [...wrong, 'javascript:alert(1)', 'a..example', `${'x'.repeat(300)}.example`, '\u0001.example']) {
    const { status, body } = await change(alice, { display_name: 'new', attribution_domains: ['a.example', one] })
    assert.equal(status, 422, one)
    assert.match(body.error, /^Validation failed: Attribution domains holds “.{1,60}”, which is not a domain$/)
  }
  const many = await change(alice, { attribution_domains: [...hundred, 'one.more.example'] })
  assert.deepEqual(
    [many.status, many.body.error],
    [422, 'Validation failed: Attribution domains is too long (maximum is 100 domains)'],
  )
  assert.deepEqual(await kept(), hundred)
  const unicode = await change(alice, { attribution_domains: ['Bücher.example'] })
  assert.deepEqual([unicode.body.source.attribution_domains, unicode.body.display_name], [['bücher.example'], ''])
  await changeByForm(alice, [
    ['attribution_domains[]', 'a.example'],
    ['attribution_domains[]', 'b.example'],
  ])
  assert.deepEqual(await kept(), ['a.example', 'b.example'])
  await changeByForm(alice, [['attribution_domains[]', '']])
  assert.deepEqual(await kept(), [])
})

test('what new posts are like is chosen in one place and seen in all', async () => {
  const alice = await world.createPerson({ role: 'admin' })
  const { body } = await change(alice, { source: { quote_policy: 'followers', language: '', sensitive: true } })
  assertOnWire('CredentialAccount', body)
  const { quote_policy: policy, language, sensitive, privacy } = body.source
  assert.deepEqual([policy, language, sensitive, privacy], ['followers', null, true, 'public'])
  const refused = await change(alice, { source: { quote_policy: 'friends' } })
  assert.deepEqual(
    [refused.status, refused.body.error],
    [422, 'Validation failed: Quote policy is not included in the list'],
  )
  assert.equal((await alice.client.get('/api/v1/preferences')).body['posting:default:quote_policy'], 'followers')
  assert.equal((await change(alice, { locked: true })).body.source.privacy, 'private')
})

test('a role tells what it lets do, everybody’s rights included, and what it may own', async () => {
  await world.ctx.db
    .updateTable('roles')
    .set({ collection_limit: 25, color: '#336699' })
    .where('id', '=', '2')
    .execute()
  const roles: [string, object, object[]][] = []
  for (const role of ['user', 'admin', 'owner'] as const) {
    const { client } = await world.createPerson({ role })
    const { body } = await client.get('/api/v1/accounts/verify_credentials')
    assertOnWire('CredentialAccount', body)
    roles.push([role, body.role, body.roles])
  }
  const everyone = { id: '-99', name: '', permissions: '65536', color: '', highlighted: false, collection_limit: 10 }
  assert.deepEqual(roles[0], ['user', everyone, []])
  assert.deepEqual(roles[1]!.slice(2), [[{ id: '2', name: 'Admin', color: '#336699' }]])
  const limits = roles.map(([, role]) => (role as { collection_limit: number }).collection_limit)
  assert.deepEqual(limits, [10, 25, 10])
  assert.equal((roles[2]![1] as { permissions: string }).permissions, String(2 ** 23 - 1))
})

test('requests to follow are counted to forty, without those of who is suspended', async () => {
  const alice = await world.createPerson({ locked: true })
  const count = async () =>
    (await alice.client.get('/api/v1/accounts/verify_credentials')).body.source.follow_requests_count
  const askers = await Promise.all(Array.from({ length: 42 }, () => world.createPerson()))
  for (const asker of askers) await asker.client.post(`/api/v1/accounts/${alice.accountId}/follow`)
  assert.equal(await count(), 40)
  const shut = askers.slice(0, 5).map(({ accountId }) => accountId)
  await world.ctx.db.updateTable('accounts').set({ suspended_at: new Date() }).where('id', 'in', shut).execute()
  assert.equal(await count(), 37)
})
