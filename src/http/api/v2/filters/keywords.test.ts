import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { FILTERS, filtersVersionOf, makeFilter, wordsOf } from '../../../../../test/filters.ts'
import { assertOnWire } from '../../../../../test/wire.ts'
import { openWorld } from '../../../../../test/world.ts'
import type { FilterKeyword } from '../../../../entities/filter.ts'

const world = await openWorld({ env: { DB_POOL: '10' }, effects: false })
after(world.close)
const { ctx } = world

test('keywords are added, changed and removed with their filter, in JSON, in forms and by an index', async () => {
  const person = await world.createPerson()
  const made = await makeFilter(person, { keywords_attributes: { 0: { keyword: 'one' }, 1: { keyword: 'two' } } })
  const [one, two] = made.keywords as [FilterKeyword, FilterKeyword]
  const path = `${FILTERS}/${made.id}`
  const changed = await person.client.put(path, {
    keywords_attributes: [
      { id: one.id, _destroy: true },
      { id: two.id, whole_word: false },
      { keyword: 'three' },
      { keyword: 'never', _destroy: 'true' },
    ],
  })
  assert.deepEqual(wordsOf(changed.body), [
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
  assert.deepEqual(wordsOf(answer.body), [
    ['drei', true],
    ['four', false],
  ])
  const listed = await person.client.send({
    method: 'POST',
    url: FILTERS,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload:
      'title=t&context[]=home&context[]=thread&keywords_attributes[][keyword]=a&keywords_attributes[][whole_word]=0' +
      '&keywords_attributes[][keyword]=b',
  })
  assert.deepEqual(listed.body.context, ['home', 'thread'])
  assert.deepEqual(wordsOf(listed.body), [
    ['a', false],
    ['b', true],
  ])
})

test('keywords have routes of their own', async () => {
  const person = await world.createPerson()
  const made = await makeFilter(person, { keywords_attributes: [{ keyword: 'one' }] })
  const all = `${FILTERS}/${made.id}/keywords`
  const two = await person.client.post(all, { keyword: 'two' })
  assertOnWire('FilterKeyword', two.body)
  const three = await person.client.post(all, { keyword: 'three', whole_word: 'off' })
  assert.deepEqual([two.body.whole_word, three.body.whole_word], [true, false])
  assert.deepEqual((await person.client.get(all)).body, [made.keywords[0], two.body, three.body])
  const path = `${FILTERS}/keywords/${two.body.id}`
  assert.deepEqual((await person.client.get(path)).body, two.body)
  const changed = { ...two.body, keyword: 'zwei', whole_word: false }
  assert.deepEqual((await person.client.put(path, { keyword: 'zwei', whole_word: false })).body, changed)
  assert.deepEqual((await person.client.put(path, {})).body, changed)
  assert.deepEqual((await person.client.delete(path)).body, {})
  assert.equal((await person.client.get(path)).status, 404)
  assert.deepEqual((await person.client.get(`${FILTERS}/${made.id}`)).body.keywords, [made.keywords[0], three.body])
})

test('BI17 twenty keywords at once are all there, in one version each', async () => {
  const person = await world.createPerson()
  const made = await makeFilter(person)
  const add = async (n: number) => person.client.post(`${FILTERS}/${made.id}/keywords`, { keyword: `word ${n}` })
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => add(n)))
  assert.ok(answers.every(({ status }) => status === 200))
  assert.equal((await person.client.get(`${FILTERS}/${made.id}/keywords`)).body.length, 20)
  assert.equal(await filtersVersionOf(ctx, person), 21)
})
