import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { FILTERS, makeFilter } from '../../../../../test/filters.ts'
import { assertOnWire } from '../../../../../test/wire.ts'
import { openWorld } from '../../../../../test/world.ts'

const world = await openWorld({ effects: false })
after(world.close)

test('single posts are filtered by routes of their own, a boost as what it boosts', async () => {
  const [author, person] = [await world.createPerson(), await world.createPerson()]
  const post = async (more: object = {}) =>
    (await author.client.post('/api/v1/statuses', { status: 'meow', ...more })).body.id as string
  const [first, second] = [await post(), await post()]
  const boost = (await author.client.post(`/api/v1/statuses/${second}/reblog`)).body.id
  const made = await makeFilter(person)
  const all = `${FILTERS}/${made.id}/statuses`
  const one = await person.client.post(all, { status_id: first })
  assertOnWire('FilterStatus', one.body)
  assert.equal(one.body.status_id, first)
  const two = await person.client.post(all, { status_id: boost })
  assert.equal(two.body.status_id, second)
  assert.deepEqual((await person.client.get(all)).body, [one.body, two.body])
  assert.deepEqual((await person.client.get(`${FILTERS}/${made.id}`)).body.statuses, [one.body, two.body])
  const twice = await person.client.post(all, { status_id: second })
  assert.deepEqual([twice.status, twice.body.error], [422, 'Validation failed: Status has already been taken'])
  const path = `${FILTERS}/statuses/${one.body.id}`
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
