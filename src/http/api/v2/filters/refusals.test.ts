import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { FILTERS, filtersVersionOf, makeFilter, wordsOf } from '../../../../../test/filters.ts'
import { openWorld } from '../../../../../test/world.ts'

const world = await openWorld({ effects: false })
after(world.close)
const { ctx } = world

test('VI11 the filters of others are as if they were not there', async () => {
  const [owner, other] = [await world.createPerson(), await world.createPerson()]
  const made = await makeFilter(owner, { keywords_attributes: [{ keyword: 'cat' }] })
  const status = (await owner.client.post('/api/v1/statuses', { status: 'meow' })).body.id
  const entry = (await owner.client.post(`${FILTERS}/${made.id}/statuses`, { status_id: status })).body.id
  const before = (await owner.client.get(`${FILTERS}/${made.id}`)).body
  const keyword = made.keywords[0]!.id
  const own = await makeFilter(other)
  const paths = [
    `${FILTERS}/${made.id}`,
    `${FILTERS}/${made.id}/keywords`,
    `${FILTERS}/${made.id}/statuses`,
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
    const answer = await other.client.put(`${FILTERS}/${own.id}`, { title: 'new', keywords_attributes: [change] })
    assert.equal(answer.status, 404)
  }
  assert.deepEqual((await other.client.get(FILTERS)).body, [own])
  assert.deepEqual((await owner.client.get(`${FILTERS}/${made.id}`)).body, before)
})

test('BI18 BI5 BI6 names that are too long, missing or of a strange shape are refused, never a fault', async () => {
  const person = await world.createPerson()
  const made = await makeFilter(person, { keywords_attributes: [{ keyword: 'cat' }] })
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
    const created = await person.client.post(FILTERS, { title: 'x', context: ['home'], ...traits })
    assert.deepEqual([created.status, created.body], [422, { error }])
    const changed = await person.client.put(`${FILTERS}/${made.id}`, traits)
    assert.deepEqual([changed.status, changed.body], [422, { error }])
  }
  assert.equal((await person.client.post(FILTERS, {})).status, 422)
  assert.equal((await person.client.post(FILTERS, { title: 'x' })).status, 422)
  const keywords = `${FILTERS}/${made.id}/keywords`
  for (const keyword of [megabyte, '', ' ', undefined, null, [], {}]) {
    assert.equal((await person.client.post(keywords, { keyword })).status, 422)
  }
  assert.equal((await person.client.put(`${FILTERS}/keywords/${made.keywords[0]!.id}`, { keyword: '' })).status, 422)
  assert.equal((await person.client.put(`${FILTERS}/${made.id}`, { keywords_attributes: [{ id: '-1' }] })).status, 404)
  assert.deepEqual((await person.client.get(FILTERS)).body, [made])

  assert.equal((await makeFilter(person, { title: '🙂'.repeat(256) })).title, '🙂'.repeat(256))
  const odd = await makeFilter(person, {
    title: 'a\u0000b\ud800',
    keywords_attributes: [{ keyword: '%_\\.*\u0000\udfff', whole_word: [] }, 'x', null, []],
  })
  assert.deepEqual([odd.title, wordsOf(odd)], ['ab\ufffd', [['%_\\.*\ufffd', true]]])
})

test('BI9 any number of seconds is taken: none is for good, and less than none has ended', async () => {
  const person = await world.createPerson()
  const ends = async (seconds: unknown) => (await makeFilter(person, { expires_in: seconds })).expires_at
  for (const forever of [0, '', null, 1e18, '1000000000000000000', 1e300]) {
    assert.equal(await ends(forever), null, String(forever))
  }
  for (const ended of [-1, '-60', -1e18]) assert.ok(Date.parse((await ends(ended))!) < Date.now(), String(ended))
  assert.ok(Date.parse((await ends('60.5'))!) > Date.now())
})

test('one person’s filters hold only so much, and a refused change leaves nothing behind', async () => {
  const person = await world.createPerson()
  const made = await makeFilter(person)
  const many = (n: number, size: number) =>
    Array.from({ length: n }, (_, i) => ({ keyword: `${i}`.padEnd(size, 'x').slice(0, size) }))
  const path = `${FILTERS}/${made.id}`
  assert.equal((await person.client.put(path, { keywords_attributes: many(129, 512) })).status, 422)
  assert.equal((await person.client.put(path, { keywords_attributes: many(1_000, 5) })).status, 200)
  const version = await filtersVersionOf(ctx, person)
  const refused = await person.client.post(`${path}/keywords`, { keyword: 'one too many' })
  assert.equal(refused.status, 422)
  assert.match(refused.body.error, /more than 1000 keywords/)
  assert.equal(await filtersVersionOf(ctx, person), version)
  assert.equal((await person.client.get(`${path}/keywords`)).body.length, 1_000)
})
