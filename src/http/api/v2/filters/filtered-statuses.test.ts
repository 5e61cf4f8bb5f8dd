import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { FILTERS, createFilter } from '../../../../../test/features/filters.ts'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)

test('statuses are added to and removed from a filter; for a boost the boosted status', async () => {
  const [author, user] = [await testServer.createUser(), await testServer.createUser()]
  const post = async (fields: object = {}) =>
    (await author.client.post('/api/v1/statuses', { status: 'meow', ...fields })).body.id as string
  const [first, second] = [await post(), await post()]
  const reblog = (await author.client.post(`/api/v1/statuses/${second}/reblog`)).body.id
  const created = await createFilter(user)
  const all = `${FILTERS}/${created.id}/statuses`
  const firstEntry = await user.client.post(all, { status_id: first })
  assertEntity('FilterStatus', firstEntry.body)
  assert.equal(firstEntry.body.status_id, first)
  const secondEntry = await user.client.post(all, { status_id: reblog })
  assert.equal(secondEntry.body.status_id, second)
  assert.deepEqual((await user.client.get(all)).body, [firstEntry.body, secondEntry.body])
  assert.deepEqual((await user.client.get(`${FILTERS}/${created.id}`)).body.statuses, [
    firstEntry.body,
    secondEntry.body,
  ])
  const twice = await user.client.post(all, { status_id: second })
  assert.deepEqual([twice.status, twice.body.error], [422, 'Validation failed: Status has already been taken'])
  const path = `${FILTERS}/statuses/${firstEntry.body.id}`
  assert.deepEqual((await user.client.get(path)).body, firstEntry.body)
  assert.deepEqual((await user.client.delete(path)).body, {})
  assert.equal((await user.client.get(path)).status, 404)

  const hidden = await post({ visibility: 'direct' })
  const rejected = await user.client.post(all, { status_id: hidden })
  const unknown = await user.client.post(all, { status_id: '1' })
  assert.deepEqual([rejected.status, rejected.body], [404, unknown.body])
  assert.equal((await user.client.post(all, { status_id: 'x' })).status, 404)
  assert.equal((await user.client.post(all, {})).status, 400)
  await author.client.delete(`/api/v1/statuses/${second}`)
  assert.deepEqual((await user.client.get(all)).body, [])
})
