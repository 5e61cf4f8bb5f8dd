import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { FILTERS, filtersVersionOf, createFilter, keywordsOf } from '../../../../../test/features/filters.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { ctx } = testServer

test('VI11 filters of other users get the response of unknown filters', async () => {
  const [owner, other] = [await testServer.createUser(), await testServer.createUser()]
  const created = await createFilter(owner, { keywords_attributes: [{ keyword: 'cat' }] })
  const status = (await owner.client.post('/api/v1/statuses', { status: 'meow' })).body.id
  const entry = (await owner.client.post(`${FILTERS}/${created.id}/statuses`, { status_id: status })).body.id
  const before = (await owner.client.get(`${FILTERS}/${created.id}`)).body
  const keyword = created.keywords[0]!.id
  const own = await createFilter(other)
  const paths = [
    `${FILTERS}/${created.id}`,
    `${FILTERS}/${created.id}/keywords`,
    `${FILTERS}/${created.id}/statuses`,
    `${FILTERS}/keywords/${keyword}`,
    `${FILTERS}/statuses/${entry}`,
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
    const response = await other.client.put(`${FILTERS}/${own.id}`, { title: 'new', keywords_attributes: [change] })
    assert.equal(response.status, 404)
  }
  assert.deepEqual((await other.client.get(FILTERS)).body, [own])
  assert.deepEqual((await owner.client.get(`${FILTERS}/${created.id}`)).body, before)
})

test('BI18 BI5 BI6 texts that are too long, missing or of a wrong type are rejected', async () => {
  const user = await testServer.createUser()
  const created = await createFilter(user, { keywords_attributes: [{ keyword: 'cat' }] })
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
  for (const [fields, error] of cases) {
    const rejected = await user.client.post(FILTERS, { title: 'x', context: ['home'], ...fields })
    assert.deepEqual([rejected.status, rejected.body], [422, { error }])
    const changed = await user.client.put(`${FILTERS}/${created.id}`, fields)
    assert.deepEqual([changed.status, changed.body], [422, { error }])
  }
  assert.equal((await user.client.post(FILTERS, {})).status, 422)
  assert.equal((await user.client.post(FILTERS, { title: 'x' })).status, 422)
  const keywords = `${FILTERS}/${created.id}/keywords`
  for (const keyword of [megabyte, '', ' ', undefined, null, [], {}]) {
    assert.equal((await user.client.post(keywords, { keyword })).status, 422)
  }
  assert.equal((await user.client.put(`${FILTERS}/keywords/${created.keywords[0]!.id}`, { keyword: '' })).status, 422)
  assert.equal((await user.client.put(`${FILTERS}/${created.id}`, { keywords_attributes: [{ id: '-1' }] })).status, 404)
  assert.deepEqual((await user.client.get(FILTERS)).body, [created])

  assert.equal((await createFilter(user, { title: '🙂'.repeat(256) })).title, '🙂'.repeat(256))
  const cleaned = await createFilter(user, {
    title: 'a\u0000b\ud800',
    keywords_attributes: [{ keyword: '%_\\.*\u0000\udfff', whole_word: [] }, 'x', null, []],
  })
  assert.deepEqual([cleaned.title, keywordsOf(cleaned)], ['ab\ufffd', [['%_\\.*\ufffd', true]]])
})

test('BI9 expires_in accepts any number: 0 never expires, a negative number has expired', async () => {
  const user = await testServer.createUser()
  const expiryOf = async (seconds: unknown) => (await createFilter(user, { expires_in: seconds })).expires_at
  for (const forever of [0, '', null, 1e18, '1000000000000000000', 1e300]) {
    assert.equal(await expiryOf(forever), null, String(forever))
  }
  for (const ended of [-1, '-60', -1e18]) assert.ok(Date.parse((await expiryOf(ended))!) < Date.now(), String(ended))
  assert.ok(Date.parse((await expiryOf('60.5'))!) > Date.now())
})

test('the filters of a user have a size limit, and a rejected change has no effect', async () => {
  const user = await testServer.createUser()
  const created = await createFilter(user)
  const keywordList = (n: number, size: number) =>
    Array.from({ length: n }, (_, i) => ({ keyword: `${i}`.padEnd(size, 'x').slice(0, size) }))
  const path = `${FILTERS}/${created.id}`
  assert.equal((await user.client.put(path, { keywords_attributes: keywordList(129, 512) })).status, 422)
  assert.equal((await user.client.put(path, { keywords_attributes: keywordList(1_000, 5) })).status, 200)
  const version = await filtersVersionOf(ctx, user)
  const rejected = await user.client.post(`${path}/keywords`, { keyword: 'one too many' })
  assert.equal(rejected.status, 422)
  assert.match(rejected.body.error, /more than 1000 keywords/)
  assert.equal(await filtersVersionOf(ctx, user), version)
  assert.equal((await user.client.get(`${path}/keywords`)).body.length, 1_000)
})
