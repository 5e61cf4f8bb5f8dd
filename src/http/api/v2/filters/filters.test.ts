import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import { FILTERS, filtersVersionOf, createFilter, keywordsOf } from '../../../../../test/features/filters.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { ctx } = testServer

const CONTEXTS = ['home', 'notifications', 'public', 'thread', 'account']

test('a filter has the sent fields and defaults for the others', async () => {
  const user = await testServer.createUser()
  const plain = await createFilter(user, { context: CONTEXTS })
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
  const full = await createFilter(user, {
    title: 'x'.repeat(256),
    context: ['public', 'public', 'thread'],
    filter_action: 'blur',
    expires_in: 3600,
    keywords_attributes: [{ keyword: 'cat' }, { keyword: 'k'.repeat(512), whole_word: false }, { keyword: '' }],
  })
  assert.deepEqual([full.context, full.filter_action], [['public', 'thread'], 'blur'])
  const remainingMs = Date.parse(full.expires_at!) - before
  assert.ok(remainingMs >= 3_599_000 && remainingMs < 3_660_000)
  assert.deepEqual(keywordsOf(full), [
    ['cat', true],
    ['k'.repeat(512), false],
  ])
  assert.deepEqual((await user.client.get(FILTERS)).body, [plain, full])
  assert.deepEqual((await user.client.get(`${FILTERS}/${full.id}`)).body, full)
})

test('a change keeps omitted fields, and deleting a filter deletes its keywords and statuses', async () => {
  const user = await testServer.createUser()
  const created = await createFilter(user, {
    expires_in: 60,
    filter_action: 'hide',
    keywords_attributes: [{ keyword: 'cat' }],
  })
  const path = `${FILTERS}/${created.id}`
  assert.deepEqual((await user.client.put(path, {})).body, created)
  const renamed = await user.client.put(path, { title: 'dogs', context: ['account'] })
  assert.deepEqual(renamed.body, { ...created, title: 'dogs', context: ['account'] })
  assert.deepEqual((await user.client.put(path, { filter_action: 'warn' })).body.filter_action, 'warn')
  for (const forever of [0, '', '0', null]) {
    await user.client.put(path, { expires_in: 60 })
    assert.equal((await user.client.put(path, { expires_in: forever })).body.expires_at, null, String(forever))
  }
  const keyword = created.keywords[0]!.id
  assert.deepEqual(await user.client.delete(path).then(({ status, body }) => [status, body]), [200, {}])
  for (const deleted of [path, `${path}/keywords`, `${FILTERS}/keywords/${keyword}`]) {
    assert.equal((await user.client.get(deleted)).status, 404, deleted)
  }
  assert.deepEqual((await user.client.get(FILTERS)).body, [])
})

test('each change increments the filters version of its user only', async () => {
  const [user, other] = [await testServer.createUser(), await testServer.createUser()]
  const created = await createFilter(user, { keywords_attributes: [{ keyword: 'cat' }] })
  const status = (await other.client.post('/api/v1/statuses', { status: 'meow' })).body.id
  const { client } = user
  const keyword = `${FILTERS}/keywords/${created.keywords[0]!.id}`
  assert.equal(await filtersVersionOf(ctx, user), 1)
  await client.put(`${FILTERS}/${created.id}`, { title: 'dogs' })
  await client.post(`${FILTERS}/${created.id}/keywords`, { keyword: 'dog' })
  await client.put(keyword, { keyword: 'bird' })
  await client.delete(keyword)
  const entry = await client.post(`${FILTERS}/${created.id}/statuses`, { status_id: status })
  await client.delete(`${FILTERS}/statuses/${entry.body.id}`)
  await client.delete(`${FILTERS}/${created.id}`)
  assert.deepEqual([await filtersVersionOf(ctx, user), await filtersVersionOf(ctx, other)], [8, 0])
})

test('masto.js manages filters, keywords and filtered statuses', async () => {
  const url = await testServer.listen()
  const user = await testServer.createUser()
  const author = await testServer.createUser()
  const status = (await author.client.post('/api/v1/statuses', { status: 'a cat' })).body.id
  const rest = createRestAPIClient({ url, accessToken: user.token })
  const created = await rest.v2.filters.create({
    title: 'Cats',
    context: ['home', 'public'],
    filterAction: 'hide',
    expiresIn: 3600,
    keywordsAttributes: [{ keyword: 'cat', wholeWord: true }],
  })
  assert.deepEqual([created.title, created.context, created.filterAction], ['Cats', ['home', 'public'], 'hide'])
  assert.deepEqual((await rest.v2.filters.list())[0]?.id, created.id)
  const filterClient = rest.v2.filters.$select(created.id)
  const keyword = await filterClient.keywords.create({ keyword: 'kitten', wholeWord: false })
  assert.deepEqual(
    (await filterClient.keywords.list()).map((filterKeyword) => filterKeyword.keyword),
    ['cat', 'kitten'],
  )
  assert.equal((await rest.v2.filters.keywords.$select(keyword.id).update({ keyword: 'puss' })).keyword, 'puss')
  assert.equal((await rest.v2.filters.keywords.$select(keyword.id).fetch()).wholeWord, false)
  await rest.v2.filters.keywords.$select(keyword.id).remove()
  const entry = await filterClient.statuses.create({ statusId: status })
  assert.deepEqual(await filterClient.statuses.list(), [{ id: entry.id, statusId: status }])
  assert.equal((await rest.v2.filters.statuses.$select(entry.id).fetch()).statusId, status)
  const [result] = (await rest.v1.statuses.$select(status).fetch()).filtered ?? []
  assert.deepEqual([result?.filter.id, result?.keywordMatches, result?.statusMatches], [created.id, ['cat'], [status]])
  await rest.v2.filters.statuses.$select(entry.id).remove()
  assert.equal((await filterClient.update({ title: 'Dogs', context: ['home'], filterAction: 'warn' })).title, 'Dogs')
  await filterClient.remove()
  await assert.rejects(filterClient.fetch(), { name: 'MastoHttpError', statusCode: 404 })
})
