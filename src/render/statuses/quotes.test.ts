import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { countQueries } from '../../../test/performance/count-queries.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'
import { renderStatuses } from './render-statuses.ts'

const testServer = await openTestServer({ effects: false })
const { ctx } = testServer
after(testServer.close)

const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]

async function post(user: TestUser, body: object = {}): Promise<string> {
  return (await user.client.post('/api/v1/statuses', { status: 'words', ...body })).body.id
}

test('a page with any number of quotes takes one statement more than a page without quotes', async () => {
  const plain = await Promise.all(Array.from({ length: 20 }, () => post(alice)))
  const quoting = await Promise.all(plain.map((id) => post(bob, { quoted_status_id: id })))
  const outer = await Promise.all(quoting.map((id) => post(alice, { quoted_status_id: id })))
  const { accountId: viewerId } = await testServer.createUser()
  const count = (ids: readonly string[]) => countQueries(() => ctx.read(renderStatuses, { ids, viewerId }))
  for (const ids of [plain, quoting, outer]) await count(ids)
  const one = await count(plain.slice(0, 1))
  const mixed = await count([...plain.slice(0, 10), ...outer.slice(0, 10)])
  assert.deepEqual(
    [await count(plain), await count(quoting), await count(outer), mixed],
    [one, one + 1, one + 1, one + 1],
  )
  assert.equal(one, 1)
})

test('a quoted status contains the viewer state and the viewer’s matching filters', async () => {
  const viewer = await testServer.createUser()
  await viewer.client.post('/api/v2/filters', {
    title: 'spiders',
    context: ['home'],
    keywords_attributes: [{ keyword: 'spider' }],
  })
  const quoted = await post(alice, { status: 'a spider' })
  const quoting = await post(bob, { quoted_status_id: quoted })
  await viewer.client.post(`/api/v1/statuses/${quoted}/favourite`)
  await viewer.client.post(`/api/v1/statuses/${quoting}/bookmark`)
  const { body } = await viewer.client.get(`/api/v1/statuses/${quoting}`)
  const inner = body.quote.quoted_status
  assert.deepEqual([body.favourited, body.bookmarked, body.filtered], [false, true, []])
  assert.deepEqual([inner.favourited, inner.bookmarked, inner.filtered[0].filter.title], [true, false, 'spiders'])
  const anonymous = (await testServer.anonymous.get(`/api/v1/statuses/${quoting}`)).body.quote.quoted_status
  assert.ok(!('favourited' in anonymous) && !('filtered' in anonymous))
})

test('an edit of a quoted status appears in all quotes immediately', async () => {
  const quoted = await post(alice, { status: 'before' })
  const quoting = await post(bob, { quoted_status_id: quoted })
  const shown = async () => (await bob.client.get(`/api/v1/statuses/${quoting}`)).body.quote.quoted_status.content
  assert.equal(await shown(), '<p>before</p>')
  await alice.client.put(`/api/v1/statuses/${quoted}`, { status: 'after' })
  assert.equal(await shown(), '<p>after</p>')
})

test('a quote of an invisible status is unauthorized for the viewer in all lists', async () => {
  const blocked = await testServer.createUser()
  const quoted = await post(alice, { status: 'not for you' })
  await alice.client.post(`/api/v1/accounts/${blocked.accountId}/block`)
  const quoting = await post(bob, { quoted_status_id: quoted })
  await blocked.client.post(`/api/v1/statuses/${quoting}/bookmark`)
  for (const path of [
    `/api/v1/accounts/${bob.accountId}/statuses`,
    '/api/v1/timelines/public',
    '/api/v1/bookmarks',
    `/api/v1/statuses?id[]=${quoting}`,
  ]) {
    const { body } = await blocked.client.get(path)
    const found = body.find(({ id }: { id: string }) => id === quoting)
    assert.deepEqual(found.quote, { state: 'unauthorized', quoted_status: null }, path)
    assert.ok(!JSON.stringify(found.quote).includes('not for you'))
  }
})
