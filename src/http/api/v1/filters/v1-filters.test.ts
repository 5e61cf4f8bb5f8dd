import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { createRestAPIClient } from 'masto'
import type { ClientResponse } from '../../../../../test/http/client.ts'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'
import type { Filter, FilterKeyword, V1Filter } from '../../../../entities/accounts/filter.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)

const V1 = '/api/v1/filters'
const V2 = '/api/v2/filters'

type FilterWithKeywords = Filter & { keywords: FilterKeyword[] }

async function createV1Filter(user: TestUser, fields: object = {}): Promise<V1Filter> {
  const { status, body } = await user.client.post(V1, { phrase: 'cat', context: ['home'], ...fields })
  assert.equal(status, 200, JSON.stringify(body))
  assertEntity('V1Filter', body)
  return body
}

async function createV2Filter(user: TestUser, fields: object): Promise<FilterWithKeywords> {
  return (await user.client.post(V2, { title: 'cats', context: ['home'], ...fields })).body
}

/** Converts version 2 filters to the version 1 filters that the API shows for them. */
function phrasesOf(filters: readonly FilterWithKeywords[]): V1Filter[] {
  return filters.flatMap((filter) =>
    filter.keywords.map(({ id, keyword, whole_word }) => ({
      id,
      phrase: keyword,
      context: filter.context,
      whole_word,
      expires_at: filter.expires_at,
      irreversible: filter.filter_action === 'hide',
    })),
  )
}

const context = fc.uniqueArray(
  fc.constantFrom('home' as const, 'notifications' as const, 'public' as const, 'thread' as const, 'account' as const),
  { minLength: 1 },
)
const phrase = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((text) => text.trim() !== '')

test('filters of either API version are readable in the other', async () => {
  const user = await testServer.createUser()
  const { client } = user
  const legacy = fc.record({
    phrase,
    context,
    irreversible: fc.boolean(),
    whole_word: fc.boolean(),
    expires_in: fc.constantFrom(0, 3600),
  })
  const keywords_attributes = fc.array(fc.record({ keyword: phrase, whole_word: fc.boolean() }), { maxLength: 3 })
  const filter = fc.record({
    title: phrase,
    context,
    filter_action: fc.constantFrom('warn', 'hide', 'blur'),
    expires_in: fc.constantFrom(0, 3600),
    keywords_attributes,
  })
  await fc.assert(
    fc.asyncProperty(legacy, filter, async (older, newer) => {
      const v1Filter = await createV1Filter(user, older)
      const [expiring, lasting] = [v1Filter.expires_at !== null, older.expires_in === 0]
      assert.deepEqual(
        { ...v1Filter, id: '', expires_at: null },
        {
          id: '',
          phrase: older.phrase.toWellFormed().replaceAll('\u0000', ''),
          context: older.context,
          whole_word: older.whole_word,
          expires_at: null,
          irreversible: older.irreversible,
        },
      )
      assert.notEqual(expiring, lasting)
      await createV2Filter(user, newer)
      const filters = (await client.get<FilterWithKeywords[]>(V2)).body
      const [first, second] = filters as [FilterWithKeywords, FilterWithKeywords]
      assert.deepEqual(
        [first.title, first.keywords.map(({ keyword }) => keyword)],
        [v1Filter.phrase, [v1Filter.phrase]],
      )
      assert.equal(first.filter_action, older.irreversible ? 'hide' : 'warn')
      assert.deepEqual((await client.get(V1)).body, phrasesOf(filters))
      for (const expected of phrasesOf(filters)) {
        assert.deepEqual((await client.get(`${V1}/${expected.id}`)).body, expected)
      }

      // A copy that version 1 creates from its own output is the same filter in version 2, except for its title.
      for (const { id: _, expires_at, ...shown } of phrasesOf([second])) {
        const copy = await createV1Filter(user, { ...shown, expires_in: expires_at === null ? 0 : 3600 })
        const copied = (await client.get<FilterWithKeywords[]>(V2)).body.at(-1)!
        assert.deepEqual([copied.context, copied.keywords[0]?.id], [second.context, copy.id])
        assert.equal(copied.filter_action === 'hide', second.filter_action === 'hide')
      }
      for (const { id } of (await client.get<FilterWithKeywords[]>(V2)).body) await client.delete(`${V2}/${id}`)
    }),
    { numRuns: 15 },
  )
})

test('whole_word defaults to true; phrase and context are required', async () => {
  const user = await testServer.createUser()
  const v1Filter = await createV1Filter(user)
  assert.deepEqual(v1Filter, {
    id: v1Filter.id,
    phrase: 'cat',
    context: ['home'],
    whole_word: true,
    expires_at: null,
    irreversible: false,
  })
  for (const [fields, error] of [
    [{ phrase: '' }, "Validation failed: Phrase can't be blank"],
    [{ phrase: 'x'.repeat(257) }, 'Validation failed: Phrase is too long (maximum is 256 characters)'],
    [{ phrase: 'x'.repeat(1_000_000) }, 'Validation failed: Phrase is too long (maximum is 256 characters)'],
    [{ context: [] }, "Validation failed: Context can't be blank"],
    [{ context: ['nowhere'] }, 'Validation failed: Context is not included in the list'],
  ] as const) {
    const created = await user.client.post(V1, { phrase: 'x', context: ['home'], ...fields })
    assert.deepEqual([created.status, created.body], [422, { error }])
    const changed: ClientResponse = await user.client.put(`${V1}/${v1Filter.id}`, fields)
    assert.deepEqual([changed.status, changed.body], [422, { error }])
  }
  assert.deepEqual((await user.client.get(V1)).body, [v1Filter])
})

test('BI9 expires_in of version 1 accepts any number of seconds', async () => {
  const user = await testServer.createUser()
  for (const expires_in of [0, '', null, 1e18])
    assert.equal((await createV1Filter(user, { expires_in })).expires_at, null)
  assert.ok(Date.parse((await createV1Filter(user, { expires_in: -1 })).expires_at!) < Date.now())
})

test('a change of the only keyword changes its filter, but not the title', async () => {
  const user = await testServer.createUser()
  const v1Filter = await createV1Filter(user)
  const fields = { phrase: 'dog', context: ['public', 'thread'], irreversible: true, whole_word: false, expires_in: 60 }
  const { body: changed } = await user.client.put(`${V1}/${v1Filter.id}`, fields)
  assert.ok(Date.parse(changed.expires_at) > Date.now())
  const { expires_in: _, ...shown } = fields
  assert.deepEqual(changed, { ...shown, id: v1Filter.id, expires_at: changed.expires_at })
  const [filter] = (await user.client.get<FilterWithKeywords[]>(V2)).body as [FilterWithKeywords]
  assert.deepEqual([filter.title, filter.filter_action, filter.context], ['dog', 'hide', ['public', 'thread']])
  assert.deepEqual((await user.client.put(`${V1}/${v1Filter.id}`, {})).body, changed)

  const named = await createV2Filter(user, { filter_action: 'blur', keywords_attributes: [{ keyword: 'kitten' }] })
  const id = named.keywords[0]!.id
  await user.client.put(`${V1}/${id}`, { phrase: 'puss', irreversible: false })
  const after = (await user.client.get<FilterWithKeywords>(`${V2}/${named.id}`)).body
  assert.deepEqual([after.title, after.filter_action, after.keywords[0]?.keyword], ['cats', 'blur', 'puss'])
})

test('one of several keywords can be changed alone; a change of the whole filter is rejected', async () => {
  const user = await testServer.createUser()
  const filter = await createV2Filter(user, {
    context: ['home', 'public'],
    filter_action: 'hide',
    keywords_attributes: [{ keyword: 'one' }, { keyword: 'two' }],
  })
  const path = `${V1}/${filter.keywords[0]!.id}`
  const same = { context: ['public', 'home'], irreversible: true, expires_in: 0 }
  const { status, body } = await user.client.put(path, { ...same, phrase: 'eins', whole_word: false })
  assert.deepEqual([status, body.phrase, body.whole_word], [200, 'eins', false])
  for (const change of [{ context: ['home'] }, { irreversible: false }, { expires_in: 60 }]) {
    const rejected = await user.client.put(path, { ...same, ...change, phrase: 'uno' })
    assert.equal(rejected.status, 422, JSON.stringify(change))
  }
  const after = (await user.client.get<FilterWithKeywords>(`${V2}/${filter.id}`)).body
  assert.deepEqual({ ...after, keywords: [] }, { ...filter, keywords: [] })
  assert.deepEqual(after.keywords, [{ ...filter.keywords[0], keyword: 'eins', whole_word: false }, filter.keywords[1]])
})

test('removing the last keyword deletes a filter without statuses', async () => {
  const user = await testServer.createUser()
  const { client } = user
  const status = (await (await testServer.createUser()).client.post('/api/v1/statuses', { status: 'meow' })).body.id
  const filter = await createV2Filter(user, { keywords_attributes: [{ keyword: 'one' }, { keyword: 'two' }] })
  const [one, two] = filter.keywords as [FilterKeyword, FilterKeyword]
  assert.deepEqual((await client.delete(`${V1}/${one.id}`)).body, {})
  assert.deepEqual((await client.get<FilterWithKeywords>(`${V2}/${filter.id}`)).body.keywords, [two])
  await client.post(`${V2}/${filter.id}/statuses`, { status_id: status })
  await client.delete(`${V1}/${two.id}`)
  const rest = (await client.get<FilterWithKeywords>(`${V2}/${filter.id}`)).body
  assert.deepEqual([rest.keywords, rest.statuses?.length], [[], 1])
  const v1Filter = await createV1Filter(user)
  await client.delete(`${V1}/${v1Filter.id}`)
  assert.equal((await client.get(`${V1}/${v1Filter.id}`)).status, 404)
  assert.deepEqual((await client.get<FilterWithKeywords[]>(V2)).body, [rest])
})

test('VI11 keywords of other users get the response of unknown keywords', async () => {
  const [owner, other] = [await testServer.createUser(), await testServer.createUser()]
  const v1Filter = await createV1Filter(owner)
  for (const method of ['GET', 'PUT', 'DELETE'] as const) {
    const { status, body } = await other.client.send({ method, url: `${V1}/${v1Filter.id}` })
    assert.deepEqual([status, body], [404, { error: 'Record not found' }], method)
  }
  assert.deepEqual((await owner.client.get(V1)).body, [v1Filter])
})

test('masto.js manages version 1 filters', async () => {
  const { token } = await testServer.createUser()
  const rest = createRestAPIClient({ url: await testServer.listen(), accessToken: token })
  const v1Filter = await rest.v1.filters.create({ phrase: 'cat', context: ['home'], irreversible: true })
  assert.deepEqual([v1Filter.phrase, v1Filter.irreversible, v1Filter.wholeWord], ['cat', true, true])
  assert.deepEqual(await rest.v1.filters.list(), [v1Filter])
  const one = rest.v1.filters.$select(v1Filter.id)
  assert.equal((await one.update({ phrase: 'dog', context: ['public'] })).phrase, 'dog')
  assert.deepEqual((await one.fetch()).context, ['public'])
  await one.remove()
  assert.deepEqual(await rest.v1.filters.list(), [])
})
