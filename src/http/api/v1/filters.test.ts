import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { createRestAPIClient } from 'masto'
import type { Answer } from '../../../../test/client.ts'
import { assertOnWire } from '../../../../test/wire.ts'
import { openWorld } from '../../../../test/world.ts'
import type { Person } from '../../../../test/world.ts'
import type { Filter, FilterKeyword, V1Filter } from '../../../entities/filter.ts'

const world = await openWorld({ effects: false })
after(world.close)

const V1 = '/api/v1/filters'
const V2 = '/api/v2/filters'

type Whole = Filter & { keywords: FilterKeyword[] }

async function make(person: Person, traits: object = {}): Promise<V1Filter> {
  const { status, body } = await person.client.post(V1, { phrase: 'cat', context: ['home'], ...traits })
  assert.equal(status, 200, JSON.stringify(body))
  assertOnWire('V1Filter', body)
  return body
}

async function makeWhole(person: Person, traits: object): Promise<Whole> {
  return (await person.client.post(V2, { title: 'cats', context: ['home'], ...traits })).body
}

/** What the first version shows of filters of the second. */
function phrasesOf(filters: readonly Whole[]): V1Filter[] {
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

test('what is made by either version is read by the other', async () => {
  const person = await world.createPerson()
  const { client } = person
  const legacy = fc.record({
    phrase,
    context,
    irreversible: fc.boolean(),
    whole_word: fc.boolean(),
    expires_in: fc.constantFrom(0, 3600),
  })
  const keywords_attributes = fc.array(fc.record({ keyword: phrase, whole_word: fc.boolean() }), { maxLength: 3 })
  const whole = fc.record({
    title: phrase,
    context,
    filter_action: fc.constantFrom('warn', 'hide', 'blur'),
    expires_in: fc.constantFrom(0, 3600),
    keywords_attributes,
  })
  await fc.assert(
    fc.asyncProperty(legacy, whole, async (older, newer) => {
      const made = await make(person, older)
      const [expiring, lasting] = [made.expires_at !== null, older.expires_in === 0]
      assert.deepEqual(
        { ...made, id: '', expires_at: null },
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
      await makeWhole(person, newer)
      const filters = (await client.get<Whole[]>(V2)).body
      const [first, second] = filters as [Whole, Whole]
      assert.deepEqual([first.title, first.keywords.map(({ keyword }) => keyword)], [made.phrase, [made.phrase]])
      assert.equal(first.filter_action, older.irreversible ? 'hide' : 'warn')
      assert.deepEqual((await client.get(V1)).body, phrasesOf(filters))
      for (const one of phrasesOf(filters)) assert.deepEqual((await client.get(`${V1}/${one.id}`)).body, one)

      // The way back: what the first version shows, made anew by it, is the same to the second, but for its name.
      for (const { id: _, expires_at, ...shown } of phrasesOf([second])) {
        const copy = await make(person, { ...shown, expires_in: expires_at === null ? 0 : 3600 })
        const copied = (await client.get<Whole[]>(V2)).body.at(-1)!
        assert.deepEqual([copied.context, copied.keywords[0]?.id], [second.context, copy.id])
        assert.equal(copied.filter_action === 'hide', second.filter_action === 'hide')
      }
      for (const { id } of (await client.get<Whole[]>(V2)).body) await client.delete(`${V2}/${id}`)
    }),
    { numRuns: 15 },
  )
})

test('whole words are meant unless it is said otherwise, and a phrase is needed as are contexts', async () => {
  const person = await world.createPerson()
  const made = await make(person)
  assert.deepEqual(made, {
    id: made.id,
    phrase: 'cat',
    context: ['home'],
    whole_word: true,
    expires_at: null,
    irreversible: false,
  })
  for (const [traits, error] of [
    [{ phrase: '' }, "Validation failed: Phrase can't be blank"],
    [{ phrase: 'x'.repeat(257) }, 'Validation failed: Phrase is too long (maximum is 256 characters)'],
    [{ phrase: 'x'.repeat(1_000_000) }, 'Validation failed: Phrase is too long (maximum is 256 characters)'],
    [{ context: [] }, "Validation failed: Context can't be blank"],
    [{ context: ['nowhere'] }, 'Validation failed: Context is not included in the list'],
  ] as const) {
    const created = await person.client.post(V1, { phrase: 'x', context: ['home'], ...traits })
    assert.deepEqual([created.status, created.body], [422, { error }])
    const changed: Answer = await person.client.put(`${V1}/${made.id}`, traits)
    assert.deepEqual([changed.status, changed.body], [422, { error }])
  }
  assert.deepEqual((await person.client.get(V1)).body, [made])
})

test('BI9 an older client gives any number of seconds as well', async () => {
  const person = await world.createPerson()
  for (const expires_in of [0, '', null, 1e18]) assert.equal((await make(person, { expires_in })).expires_at, null)
  assert.ok(Date.parse((await make(person, { expires_in: -1 })).expires_at!) < Date.now())
})

test('the only keyword of a filter is changed with the filter, whose own name stays', async () => {
  const person = await world.createPerson()
  const made = await make(person)
  const traits = { phrase: 'dog', context: ['public', 'thread'], irreversible: true, whole_word: false, expires_in: 60 }
  const { body: changed } = await person.client.put(`${V1}/${made.id}`, traits)
  assert.ok(Date.parse(changed.expires_at) > Date.now())
  const { expires_in: _, ...shown } = traits
  assert.deepEqual(changed, { ...shown, id: made.id, expires_at: changed.expires_at })
  const [whole] = (await person.client.get<Whole[]>(V2)).body as [Whole]
  assert.deepEqual([whole.title, whole.filter_action, whole.context], ['dog', 'hide', ['public', 'thread']])
  assert.deepEqual((await person.client.put(`${V1}/${made.id}`, {})).body, changed)

  const named = await makeWhole(person, { filter_action: 'blur', keywords_attributes: [{ keyword: 'kitten' }] })
  const id = named.keywords[0]!.id
  await person.client.put(`${V1}/${id}`, { phrase: 'puss', irreversible: false })
  const after = (await person.client.get<Whole>(`${V2}/${named.id}`)).body
  assert.deepEqual([after.title, after.filter_action, after.keywords[0]?.keyword], ['cats', 'blur', 'puss'])
})

test('one of several keywords is changed alone: what would change the others is refused', async () => {
  const person = await world.createPerson()
  const whole = await makeWhole(person, {
    context: ['home', 'public'],
    filter_action: 'hide',
    keywords_attributes: [{ keyword: 'one' }, { keyword: 'two' }],
  })
  const path = `${V1}/${whole.keywords[0]!.id}`
  const same = { context: ['public', 'home'], irreversible: true, expires_in: 0 }
  const { status, body } = await person.client.put(path, { ...same, phrase: 'eins', whole_word: false })
  assert.deepEqual([status, body.phrase, body.whole_word], [200, 'eins', false])
  for (const change of [{ context: ['home'] }, { irreversible: false }, { expires_in: 60 }]) {
    const refused = await person.client.put(path, { ...same, ...change, phrase: 'uno' })
    assert.equal(refused.status, 422, JSON.stringify(change))
  }
  const after = (await person.client.get<Whole>(`${V2}/${whole.id}`)).body
  assert.deepEqual({ ...after, keywords: [] }, { ...whole, keywords: [] })
  assert.deepEqual(after.keywords, [{ ...whole.keywords[0], keyword: 'eins', whole_word: false }, whole.keywords[1]])
})

test('a removed keyword takes along a filter in which nothing else is', async () => {
  const person = await world.createPerson()
  const { client } = person
  const status = (await (await world.createPerson()).client.post('/api/v1/statuses', { status: 'meow' })).body.id
  const whole = await makeWhole(person, { keywords_attributes: [{ keyword: 'one' }, { keyword: 'two' }] })
  const [one, two] = whole.keywords as [FilterKeyword, FilterKeyword]
  assert.deepEqual((await client.delete(`${V1}/${one.id}`)).body, {})
  assert.deepEqual((await client.get<Whole>(`${V2}/${whole.id}`)).body.keywords, [two])
  await client.post(`${V2}/${whole.id}/statuses`, { status_id: status })
  await client.delete(`${V1}/${two.id}`)
  const rest = (await client.get<Whole>(`${V2}/${whole.id}`)).body
  assert.deepEqual([rest.keywords, rest.statuses?.length], [[], 1])
  const made = await make(person)
  await client.delete(`${V1}/${made.id}`)
  assert.equal((await client.get(`${V1}/${made.id}`)).status, 404)
  assert.deepEqual((await client.get<Whole[]>(V2)).body, [rest])
})

test('VI11 the keywords of others are as if they were not there', async () => {
  const [owner, other] = [await world.createPerson(), await world.createPerson()]
  const made = await make(owner)
  for (const method of ['GET', 'PUT', 'DELETE'] as const) {
    const { status, body } = await other.client.send({ method, url: `${V1}/${made.id}` })
    assert.deepEqual([status, body], [404, { error: 'Record not found' }], method)
  }
  assert.deepEqual((await owner.client.get(V1)).body, [made])
})

test('masto.js makes, reads, changes and removes filters by the first version', async () => {
  const { token } = await world.createPerson()
  const rest = createRestAPIClient({ url: await world.listen(), accessToken: token })
  const made = await rest.v1.filters.create({ phrase: 'cat', context: ['home'], irreversible: true })
  assert.deepEqual([made.phrase, made.irreversible, made.wholeWord], ['cat', true, true])
  assert.deepEqual(await rest.v1.filters.list(), [made])
  const one = rest.v1.filters.$select(made.id)
  assert.equal((await one.update({ phrase: 'dog', context: ['public'] })).phrase, 'dog')
  assert.deepEqual((await one.fetch()).context, ['public'])
  await one.remove()
  assert.deepEqual(await rest.v1.filters.list(), [])
})
