import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import { FILTERS, filtersVersionOf, makeFilter, wordsOf } from '../../../../../test/filters.ts'
import { openWorld } from '../../../../../test/world.ts'

const world = await openWorld({ effects: false })
after(world.close)
const { ctx } = world

const CONTEXTS = ['home', 'notifications', 'public', 'thread', 'account']

test('a filter has what it was given, and what it was not given is as it is by default', async () => {
  const person = await world.createPerson()
  const plain = await makeFilter(person, { context: CONTEXTS })
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
  const full = await makeFilter(person, {
    title: 'x'.repeat(256),
    context: ['public', 'public', 'thread'],
    filter_action: 'blur',
    expires_in: 3600,
    keywords_attributes: [{ keyword: 'cat' }, { keyword: 'k'.repeat(512), whole_word: false }, { keyword: '' }],
  })
  assert.deepEqual([full.context, full.filter_action], [['public', 'thread'], 'blur'])
  const lasts = Date.parse(full.expires_at!) - before
  assert.ok(lasts >= 3_599_000 && lasts < 3_660_000)
  assert.deepEqual(wordsOf(full), [
    ['cat', true],
    ['k'.repeat(512), false],
  ])
  assert.deepEqual((await person.client.get(FILTERS)).body, [plain, full])
  assert.deepEqual((await person.client.get(`${FILTERS}/${full.id}`)).body, full)
})

test('a change leaves alone what it does not name, and a removed filter is gone with all that it looked for', async () => {
  const person = await world.createPerson()
  const made = await makeFilter(person, {
    expires_in: 60,
    filter_action: 'hide',
    keywords_attributes: [{ keyword: 'cat' }],
  })
  const path = `${FILTERS}/${made.id}`
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
  for (const gone of [path, `${path}/keywords`, `${FILTERS}/keywords/${keyword}`]) {
    assert.equal((await person.client.get(gone)).status, 404, gone)
  }
  assert.deepEqual((await person.client.get(FILTERS)).body, [])
})

test('each change raises the version of the filters of its person, and of nobody else', async () => {
  const [person, other] = [await world.createPerson(), await world.createPerson()]
  const made = await makeFilter(person, { keywords_attributes: [{ keyword: 'cat' }] })
  const status = (await other.client.post('/api/v1/statuses', { status: 'meow' })).body.id
  const { client } = person
  const keyword = `${FILTERS}/keywords/${made.keywords[0]!.id}`
  assert.equal(await filtersVersionOf(ctx, person), 1)
  await client.put(`${FILTERS}/${made.id}`, { title: 'dogs' })
  await client.post(`${FILTERS}/${made.id}/keywords`, { keyword: 'dog' })
  await client.put(keyword, { keyword: 'bird' })
  await client.delete(keyword)
  const entry = await client.post(`${FILTERS}/${made.id}/statuses`, { status_id: status })
  await client.delete(`${FILTERS}/statuses/${entry.body.id}`)
  await client.delete(`${FILTERS}/${made.id}`)
  assert.deepEqual([await filtersVersionOf(ctx, person), await filtersVersionOf(ctx, other)], [8, 0])
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
  assert.equal((await rest.v2.filters.keywords.$select(keyword.id).fetch()).wholeWord, false)
  await rest.v2.filters.keywords.$select(keyword.id).remove()
  const entry = await one.statuses.create({ statusId: status })
  assert.deepEqual(await one.statuses.list(), [{ id: entry.id, statusId: status }])
  assert.equal((await rest.v2.filters.statuses.$select(entry.id).fetch()).statusId, status)
  const [result] = (await rest.v1.statuses.$select(status).fetch()).filtered ?? []
  assert.deepEqual([result?.filter.id, result?.keywordMatches, result?.statusMatches], [made.id, ['cat'], [status]])
  await rest.v2.filters.statuses.$select(entry.id).remove()
  assert.equal((await one.update({ title: 'Dogs', context: ['home'], filterAction: 'warn' })).title, 'Dogs')
  await one.remove()
  await assert.rejects(one.fetch(), { name: 'MastoHttpError', statusCode: 404 })
})
