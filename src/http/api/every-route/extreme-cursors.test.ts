import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestServer } from '../../../../test/servers/test-server.ts'

const testServer = await openTestServer()
after(testServer.close)
const reader = await testServer.createUser()
const follower = await testServer.createUser()

const post = (path: string, body?: object) => follower.client.post(`/api/v1/${path}`, body)

for (const text of ['one', 'two', 'three']) {
  const { body: status } = await reader.client.post('/api/v1/statuses', { status: `${text} #walk` })
  for (const action of ['favourite', 'bookmark']) await post(`statuses/${status.id}/${action}`)
}
await post(`accounts/${reader.accountId}/follow`)
await testServer.waitForJobs()

/** The rows of the page that a query selects, as text. */
async function read(path: string, query: string): Promise<string[]> {
  const { status, body } = await follower.client.get(`${path}${query}`)
  assert.equal(status, 200, path + query)
  return body.map((row: unknown) => JSON.stringify(row))
}

for (const path of [
  '/api/v1/timelines/home',
  '/api/v1/timelines/public',
  '/api/v1/timelines/tag/walk',
  `/api/v1/accounts/${reader.accountId}/statuses`,
  '/api/v1/favourites',
  '/api/v1/bookmarks',
]) {
  test(`${path} is read from its end with min_id=0`, async () => {
    const all = await read(path, '')
    assert.equal(all.length, 3)
    assert.deepEqual(await read(path, '?limit=2&min_id=0'), all.slice(1))
    assert.deepEqual(await read(path, '?since_id=0'), all)
  })

  test(`${path} has no rows below the smallest and above the largest id`, async () => {
    const [all, beyond] = [await read(path, ''), '9'.repeat(25)]
    for (const query of ['?max_id=0', `?min_id=${beyond}`, `?since_id=${beyond}`]) {
      assert.deepEqual(await read(path, query), [], query)
    }
    assert.deepEqual(await read(path, `?max_id=${beyond}`), all)
  })
}

test('notifications are read from their end with min_id=0, also in groups', async () => {
  const [v1, v2] = ['/api/v1/notifications', '/api/v2/notifications']
  const single = await reader.client.get<{ type: string }[]>(`${v1}?limit=1&min_id=0`)
  assert.deepEqual(
    single.body.map(({ type }) => type),
    ['favourite'],
  )
  const grouped = await reader.client.get<{ notification_groups: { type: string }[] }>(`${v2}?limit=1&min_id=0`)
  assert.deepEqual(
    grouped.body.notification_groups.map(({ type }) => type),
    ['favourite'],
  )
})
