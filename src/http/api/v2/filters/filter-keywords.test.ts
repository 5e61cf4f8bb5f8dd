import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { FILTERS, filtersVersionOf, createFilter, keywordsOf } from '../../../../../test/features/filters.ts'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { FilterKeyword } from '../../../../entities/accounts/filter.ts'

const testServer = await openTestServer({ env: { DB_POOL: '10' }, effects: false })
after(testServer.close)
const { ctx } = testServer

test('keywords are added, changed and removed with their filter, in JSON, forms and indexed objects', async () => {
  const user = await testServer.createUser()
  const created = await createFilter(user, { keywords_attributes: { 0: { keyword: 'one' }, 1: { keyword: 'two' } } })
  const [first, second] = created.keywords as [FilterKeyword, FilterKeyword]
  const path = `${FILTERS}/${created.id}`
  const changed = await user.client.put(path, {
    keywords_attributes: [
      { id: first.id, _destroy: true },
      { id: second.id, whole_word: false },
      { keyword: 'three' },
      { keyword: 'never', _destroy: 'true' },
    ],
  })
  assert.deepEqual(keywordsOf(changed.body), [
    ['two', false],
    ['three', true],
  ])
  const third = changed.body.keywords[1]
  const form = new URLSearchParams([
    ['keywords_attributes[0][id]', second.id],
    ['keywords_attributes[0][_destroy]', '1'],
    ['keywords_attributes[1][id]', third.id],
    ['keywords_attributes[1][keyword]', 'drei'],
    ['keywords_attributes[2][keyword]', 'four'],
    ['keywords_attributes[2][whole_word]', 'false'],
  ])
  const response = await user.client.send({
    method: 'PUT',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: String(form),
  })
  assert.deepEqual(keywordsOf(response.body), [
    ['drei', true],
    ['four', false],
  ])
  const listed = await user.client.send({
    method: 'POST',
    url: FILTERS,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload:
      'title=t&context[]=home&context[]=thread&keywords_attributes[][keyword]=a&keywords_attributes[][whole_word]=0' +
      '&keywords_attributes[][keyword]=b',
  })
  assert.deepEqual(listed.body.context, ['home', 'thread'])
  assert.deepEqual(keywordsOf(listed.body), [
    ['a', false],
    ['b', true],
  ])
})

test('keywords have routes of their own', async () => {
  const user = await testServer.createUser()
  const created = await createFilter(user, { keywords_attributes: [{ keyword: 'one' }] })
  const all = `${FILTERS}/${created.id}/keywords`
  const second = await user.client.post(all, { keyword: 'two' })
  assertEntity('FilterKeyword', second.body)
  const third = await user.client.post(all, { keyword: 'three', whole_word: 'off' })
  assert.deepEqual([second.body.whole_word, third.body.whole_word], [true, false])
  assert.deepEqual((await user.client.get(all)).body, [created.keywords[0], second.body, third.body])
  const path = `${FILTERS}/keywords/${second.body.id}`
  assert.deepEqual((await user.client.get(path)).body, second.body)
  const changed = { ...second.body, keyword: 'zwei', whole_word: false }
  assert.deepEqual((await user.client.put(path, { keyword: 'zwei', whole_word: false })).body, changed)
  assert.deepEqual((await user.client.put(path, {})).body, changed)
  assert.deepEqual((await user.client.delete(path)).body, {})
  assert.equal((await user.client.get(path)).status, 404)
  assert.deepEqual((await user.client.get(`${FILTERS}/${created.id}`)).body.keywords, [created.keywords[0], third.body])
})

test('BI17 twenty concurrent requests add twenty keywords, each with a new version', async () => {
  const user = await testServer.createUser()
  const created = await createFilter(user)
  const add = async (n: number) => user.client.post(`${FILTERS}/${created.id}/keywords`, { keyword: `word ${n}` })
  const responses = await Promise.all(Array.from({ length: 20 }, (_, n) => add(n)))
  assert.ok(responses.every(({ status }) => status === 200))
  assert.equal((await user.client.get(`${FILTERS}/${created.id}/keywords`)).body.length, 20)
  assert.equal(await filtersVersionOf(ctx, user), 21)
})
