import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { countQueries } from '../../../../test/performance/count-queries.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { List } from '../../../entities/accounts/list.ts'
import type { Status } from '../../../entities/statuses/status.ts'
import { fanOutStatuses } from './fan-out-statuses.ts'

// Without effects, no worker of this file runs statements that would be counted.
const testServer = await openTestServer({ effects: false })
after(testServer.close)

test('the number of statements for a page of a list does not depend on its content', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  await alice.client.post(`/api/v1/accounts/${bob.accountId}/follow`)
  const { body: list } = await alice.client.post<List>('/api/v1/lists', { title: 'Friends' })
  await alice.client.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [bob.accountId] })
  for (let n = 0; n < 40; n += 1) {
    const { body } = await bob.client.post<Status>('/api/v1/statuses', { status: `#tag${n} number ${n}` })
    await fanOutStatuses(testServer.ctx, [{ statusId: body.id }])
  }
  const path = `/api/v1/timelines/list/${list.id}`
  const read = async (limit: number) => (await alice.client.get<Status[]>(`${path}?limit=${limit}`)).body.length
  assert.equal(await read(40), 40)
  const [small, large] = [await countQueries(() => read(2)), await countQueries(() => read(40))]
  // The check for invalidations, the owner of the list, and the statuses.
  assert.deepEqual([small, large], [3, 3])
})
