import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import { assertOnWire } from '../../../../../test/wire.ts'
import { openWorld } from '../../../../../test/world.ts'
import type { Person } from '../../../../../test/world.ts'
import type { Filter, FilterKeyword } from '../../../../entities/filter.ts'

const world = await openWorld({ effects: false })
after(world.close)
const { ctx } = world

const PATH = '/api/v2/filters'
const CONTEXTS = ['home', 'notifications', 'public', 'thread', 'account']

async function make(person: Person, traits: object = {}): Promise<Filter & { keywords: FilterKeyword[] }> {
  const { status, body } = await person.client.post(PATH, { title: 'cats', context: ['home'], ...traits })
  assert.equal(status, 200, JSON.stringify(body))
  assertOnWire('Filter', body)
  return body
}

const words = ({ keywords = [] }: Filter) => keywords.map((one) => [one.keyword, one.whole_word])

async function versionOf({ accountId }: Person): Promise<number> {
  const { filters_version } = await ctx.db
    .selectFrom('users')
    .select('filters_version')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return filters_version
}

test('a filter has what it was given, and what it was not given is as it is by default', async () => {
  const person = await world.createPerson()
  const plain = await make(person, { context: CONTEXTS })
  assert.deepEqual(
    { ...plain, id: '' },
    {
      id: '',
      title: 'cats',
      context: CONTEXTS,
      expires_at: null,
      filter_action: 'warn',
      keywords: [],
      statuses: [],
    },
  )
  const before = Date.now()
  const full = await make(person, {
    title: 'x'.repeat(256),
    context: ['public', 'public', 'thread'],
    filter_action: 'blur',
    expires_in: 3600,
    keywords_attributes: [{ keyword: 'cat' }, { keyword: 'k'.repeat(512), whole_word: false }, { keyword: '' }],
  })
  assert.deepEqual([full.context, full.filter_action], [['public', 'thread'], 'blur'])
  const lasts = Date.parse(full.expires_at!) - before
  assert.ok(lasts >= 3_599_000 && lasts < 3_660_000)
  assert.deepEqual(words(full), [
    ['cat', true],
    ['k'.repeat(512), false],
  ])
  assert.deepEqual((await person.client.get(PATH)).body, [plain, full])
  assert.deepEqual((await person.client.get(`${PATH}/${full.id}`)).body, full)
})

test('a change leaves alone what it does not name, and a removed filter is gone with all that it looked for', async () => {
  const person = await world.createPerson()
  const made = await make(person, { expires_in: 60, filter_action: 'hide', keywords_attributes: [{ keyword: 'cat' }] })
  const path = `${PATH}/${made.id}`
  assert.deepEqual((await person.client.put(path, {})).body, made)
  const renamed = await person.client.put(path, { title: 'dogs', context: ['account'] })
  assert.deepEqual(renamed.body, { ...made, title: 'dogs', context: ['account'] })
  assert.deepEqual((await person.client.put(path, { filter_action: 'warn' })).body.filter_action, 'warn')
  for (const forever of [0, '', '0', null]) {
    await person.client.put(path, { expires_in: 60 })
    assert.equal((await person.client.put(path, { expires_in: forever })).body.expires_at, null, String(forever))
  }
  const keyword = made.keywords[0]!.id
  assert.deepEqual(await person.client.delete(path).then(({ status, body }) => [status, body]), [200, {}])
  for (const gone of [path, `${path}/keywords`, `${PATH}/keywords/${keyword}`]) {
    assert.equal((await person.client.get(gone)).status, 404, gone)
  }
  assert.deepEqual((await person.client.get(PATH)).body, [])
})

test('keywords are added, changed and removed with their filter, in JSON, in forms and by an index', async () => {
  const person = await world.createPerson()
  const made = await make(person, { keywords_attributes: { 0: { keyword: 'one' }, 1: { keyword: 'two' } } })
  const [one, two] = made.keywords as [FilterKeyword, FilterKeyword]
  const path = `${PATH}/${made.id}`
  const changed = await person.client.put(path, {
    keywords_attributes: [
      { id: one.id, _destroy: true },
      { id: two.id, whole_word: false },
      { keyword: 'three' },
      { keyword: 'never', _destroy: 'true' },
    ],
  })
  assert.deepEqual(words(changed.body), [
    ['two', false],
    ['three', true],
  ])
  const three = changed.body.keywords[1]
  const form = new URLSearchParams([
    ['keywords_attributes[0][id]', two.id],
    ['keywords_attributes[0][_destroy]', '1'],
    ['keywords_attributes[1][id]', three.id],
    ['keywords_attributes[1][keyword]', 'drei'],
    ['keywords_attributes[2][keyword]', 'four'],
    ['keywords_attributes[2][whole_word]', 'false'],
  ])
  const answer = await person.client.send({
    method: 'PUT',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: String(form),
  })
  assert.deepEqual(words(answer.body), [
    ['drei', true],
    ['four', false],
  ])
  const listed = await person.client.send({
    method: 'POST',
    url: PATH,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload:
      'title=t&context[]=home&context[]=thread&keywords_attributes[][keyword]=a&keywords_attributes[][whole_word]=0' +
      '&keywords_attributes[][keyword]=b',
  })
  assert.deepEqual(listed.body.context, ['home', 'thread'])
  assert.deepEqual(words(listed.body), [
    ['a', false],
    ['b', true],
  ])
})

test('keywords have routes of their own', async () => {
  const person = await world.createPerson()
  const made = await make(person, { keywords_attributes: [{ keyword: 'one' }] })
  const all = `${PATH}/${made.id}/keywords`
  const two = await person.client.post(all, { keyword: 'two' })
  assertOnWire('FilterKeyword', two.body)
  const three = await person.client.post(all, { keyword: 'three', whole_word: 'off' })
  assert.deepEqual([two.body.whole_word, three.body.whole_word], [true, false])
  assert.deepEqual((await person.client.get(all)).body, [made.keywords[0], two.body, three.body])
  const path = `${PATH}/keywords/${two.body.id}`
  assert.deepEqual((await person.client.get(path)).body, two.body)
  const changed = { ...two.body, keyword: 'zwei', whole_word: false }
  assert.deepEqual((await person.client.put(path, { keyword: 'zwei', whole_word: false })).body, changed)
  assert.deepEqual((await person.client.put(path, {})).body, changed)
  assert.deepEqual((await person.client.delete(path)).body, {})
  assert.equal((await person.client.get(path)).status, 404)
  assert.deepEqual((await person.client.get(`${PATH}/${made.id}`)).body.keywords, [made.keywords[0], three.body])
})

test('single posts are filtered by routes of their own, a boost as what it boosts', async () => {
  const [author, person] = [await world.createPerson(), await world.createPerson()]
  const post = async (more: object = {}) =>
    (await author.client.post('/api/v1/statuses', { status: 'meow', ...more })).body.id as string
  const [first, second] = [await post(), await post()]
  const boost = (await author.client.post(`/api/v1/statuses/${second}/reblog`)).body.id
  const made = await make(person)
  const all = `${PATH}/${made.id}/statuses`
  const one = await person.client.post(all, { status_id: first })
  assertOnWire('FilterStatus', one.body)
  assert.equal(one.body.status_id, first)
  const two = await person.client.post(all, { status_id: boost })
  assert.equal(two.body.status_id, second)
  assert.deepEqual((await person.client.get(all)).body, [one.body, two.body])
  assert.deepEqual((await person.client.get(`${PATH}/${made.id}`)).body.statuses, [one.body, two.body])
  const twice = await person.client.post(all, { status_id: second })
  assert.deepEqual([twice.status, twice.body.error], [422, 'Validation failed: Status has already been taken'])
  const path = `${PATH}/statuses/${one.body.id}`
  assert.deepEqual((await person.client.get(path)).body, one.body)
  assert.deepEqual((await person.client.delete(path)).body, {})
  assert.equal((await person.client.get(path)).status, 404)

  const hidden = await post({ visibility: 'direct' })
  const refused = await person.client.post(all, { status_id: hidden })
  const unknown = await person.client.post(all, { status_id: '1' })
  assert.deepEqual([refused.status, refused.body], [404, unknown.body])
  assert.equal((await person.client.post(all, { status_id: 'x' })).status, 404)
  assert.equal((await person.client.post(all, {})).status, 400)
  await author.client.delete(`/api/v1/statuses/${second}`)
  assert.deepEqual((await person.client.get(all)).body, [])
})

test('VI11 the filters of others are as if they were not there', async () => {
  const [owner, other] = [await world.createPerson(), await world.createPerson()]
  const made = await make(owner, { keywords_attributes: [{ keyword: 'cat' }] })
  const status = (await owner.client.post('/api/v1/statuses', { status: 'meow' })).body.id
  const entry = (await owner.client.post(`${PATH}/${made.id}/statuses`, { status_id: status })).body.id
  const before = (await owner.client.get(`${PATH}/${made.id}`)).body
  const keyword = made.keywords[0]!.id
  const own = await make(other)
  const paths = [
    `${PATH}/${made.id}`,
    `${PATH}/${made.id}/keywords`,
    `${PATH}/${made.id}/statuses`,
    `${PATH}/keywords/${keyword}`,
    `${PATH}/statuses/${entry}`,
    `/api/v1/filters/${keyword}`,
  ]
  const body = { title: 'mine', keyword: 'mine', phrase: 'mine', status_id: status, context: ['home'] }
  for (const path of paths) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const) {
      const payload = method === 'GET' ? {} : { payload: body }
      assert.equal((await other.client.send({ method, url: path, ...payload })).status, 404, `${method} ${path}`)
    }
  }
  for (const change of [
    { id: keyword, keyword: 'mine' },
    { id: keyword, _destroy: true },
  ]) {
    const answer = await other.client.put(`${PATH}/${own.id}`, { title: 'new', keywords_attributes: [change] })
    assert.equal(answer.status, 404)
  }
  assert.deepEqual((await other.client.get(PATH)).body, [own])
  assert.deepEqual((await owner.client.get(`${PATH}/${made.id}`)).body, before)
})

test('BI18 BI5 BI6 names that are too long, missing or of a strange shape are refused, never a fault', async () => {
  const person = await world.createPerson()
  const made = await make(person, { keywords_attributes: [{ keyword: 'cat' }] })
  const megabyte = 'x'.repeat(1_000_000)
  const tooLong = 'Validation failed: Title is too long (maximum is 256 characters)'
  const cases: [object, string][] = [
    [{ title: megabyte }, tooLong],
    [{ title: 'x'.repeat(257) }, tooLong],
    [{ title: '🙂'.repeat(257) }, tooLong],
    [{ title: ' \n' }, "Validation failed: Title can't be blank"],
    [{ context: [] }, "Validation failed: Context can't be blank"],
    [{ context: ['nowhere'] }, 'Validation failed: Context is not included in the list'],
    [{ filter_action: 'burn' }, 'Validation failed: Filter action is not included in the list'],
    [
      { keywords_attributes: [{ keyword: megabyte }] },
      'Validation failed: Keyword is too long (maximum is 512 characters)',
    ],
    [{ keywords_attributes: [{ keyword: ' ', whole_word: true }] }, "Validation failed: Keyword can't be blank"],
  ]
  for (const [traits, error] of cases) {
    const created = await person.client.post(PATH, { title: 'x', context: ['home'], ...traits })
    assert.deepEqual([created.status, created.body], [422, { error }])
    const changed = await person.client.put(`${PATH}/${made.id}`, traits)
    assert.deepEqual([changed.status, changed.body], [422, { error }])
  }
  assert.equal((await person.client.post(PATH, {})).status, 422)
  assert.equal((await person.client.post(PATH, { title: 'x' })).status, 422)
  const keywords = `${PATH}/${made.id}/keywords`
  for (const keyword of [megabyte, '', ' ', undefined, null, [], {}]) {
    assert.equal((await person.client.post(keywords, { keyword })).status, 422)
  }
  assert.equal((await person.client.put(`${PATH}/keywords/${made.keywords[0]!.id}`, { keyword: '' })).status, 422)
  assert.equal((await person.client.put(`${PATH}/${made.id}`, { keywords_attributes: [{ id: '-1' }] })).status, 404)
  assert.deepEqual((await person.client.get(PATH)).body, [made])

  assert.equal((await make(person, { title: '🙂'.repeat(256) })).title, '🙂'.repeat(256))
  const odd = await make(person, {
    title: 'a\u0000b\ud800',
    keywords_attributes: [{ keyword: '%_\\.*\u0000\udfff', whole_word: [] }, 'x', null, []],
  })
  assert.deepEqual([odd.title, words(odd)], ['ab\ufffd', [['%_\\.*\ufffd', true]]])
})

test('BI9 any number of seconds is taken: none is for good, and less than none has ended', async () => {
  const person = await world.createPerson()
  const ends = async (seconds: unknown) => (await make(person, { expires_in: seconds })).expires_at
  for (const forever of [0, '', null, 1e18, '1000000000000000000', 1e300]) {
    assert.equal(await ends(forever), null, String(forever))
  }
  for (const ended of [-1, '-60', -1e18]) assert.ok(Date.parse((await ends(ended))!) < Date.now(), String(ended))
  assert.ok(Date.parse((await ends('60.5'))!) > Date.now())
})

test('one person’s filters hold only so much, and a refused change leaves nothing behind', async () => {
  const person = await world.createPerson()
  const made = await make(person)
  const many = (n: number, size: number) =>
    Array.from({ length: n }, (_, i) => ({ keyword: `${i}`.padEnd(size, 'x').slice(0, size) }))
  const path = `${PATH}/${made.id}`
  assert.equal((await person.client.put(path, { keywords_attributes: many(129, 512) })).status, 422)
  assert.equal((await person.client.put(path, { keywords_attributes: many(1_000, 5) })).status, 200)
  const version = await versionOf(person)
  const refused = await person.client.post(`${path}/keywords`, { keyword: 'one too many' })
  assert.equal(refused.status, 422)
  assert.match(refused.body.error, /more than 1000 keywords/)
  assert.equal(await versionOf(person), version)
  assert.equal((await person.client.get(`${path}/keywords`)).body.length, 1_000)
})

test('each change raises the version of the filters of its person, and of nobody else', async () => {
  const [person, other] = [await world.createPerson(), await world.createPerson()]
  const made = await make(person, { keywords_attributes: [{ keyword: 'cat' }] })
  const status = (await other.client.post('/api/v1/statuses', { status: 'meow' })).body.id
  const { client } = person
  const keyword = `${PATH}/keywords/${made.keywords[0]!.id}`
  assert.equal(await versionOf(person), 1)
  await client.put(`${PATH}/${made.id}`, { title: 'dogs' })
  await client.post(`${PATH}/${made.id}/keywords`, { keyword: 'dog' })
  await client.put(keyword, { keyword: 'bird' })
  await client.delete(keyword)
  const entry = await client.post(`${PATH}/${made.id}/statuses`, { status_id: status })
  await client.delete(`${PATH}/statuses/${entry.body.id}`)
  await client.delete(`${PATH}/${made.id}`)
  assert.deepEqual([await versionOf(person), await versionOf(other)], [8, 0])
})

test('BI17 twenty keywords at once are all there, in one version each', async () => {
  const person = await world.createPerson()
  const made = await make(person)
  const add = async (n: number) => person.client.post(`${PATH}/${made.id}/keywords`, { keyword: `word ${n}` })
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => add(n)))
  assert.ok(answers.every(({ status }) => status === 200))
  assert.equal((await person.client.get(`${PATH}/${made.id}/keywords`)).body.length, 20)
  assert.equal(await versionOf(person), 21)
})

test('masto.js makes, reads, changes and removes filters, keywords and filtered posts', async () => {
  const url = await world.listen()
  const person = await world.createPerson()
  const author = await world.createPerson()
  const status = (await author.client.post('/api/v1/statuses', { status: 'a cat' })).body.id
  const rest = createRestAPIClient({ url, accessToken: person.token })
  const made = await rest.v2.filters.create({
    title: 'Cats',
    context: ['home', 'public'],
    filterAction: 'hide',
    expiresIn: 3600,
    keywordsAttributes: [{ keyword: 'cat', wholeWord: true }],
  })
  assert.deepEqual([made.title, made.context, made.filterAction], ['Cats', ['home', 'public'], 'hide'])
  assert.deepEqual((await rest.v2.filters.list())[0]?.id, made.id)
  const one = rest.v2.filters.$select(made.id)
  const keyword = await one.keywords.create({ keyword: 'kitten', wholeWord: false })
  assert.deepEqual(
    (await one.keywords.list()).map((each) => each.keyword),
    ['cat', 'kitten'],
  )
  assert.equal((await rest.v2.filters.keywords.$select(keyword.id).update({ keyword: 'puss' })).keyword, 'puss')
  await rest.v2.filters.keywords.$select(keyword.id).remove()
  const entry = await one.statuses.create({ statusId: status })
  assert.equal((await rest.v2.filters.statuses.$select(entry.id).fetch()).statusId, status)
  const [result] = (await rest.v1.statuses.$select(status).fetch()).filtered ?? []
  assert.deepEqual([result?.filter.id, result?.keywordMatches, result?.statusMatches], [made.id, ['cat'], [status]])
  await rest.v2.filters.statuses.$select(entry.id).remove()
  assert.equal((await one.update({ title: 'Dogs', context: ['home'], filterAction: 'warn' })).title, 'Dogs')
  await one.remove()
  await assert.rejects(one.fetch(), { name: 'MastoHttpError', statusCode: 404 })
})
