import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { countQueries } from '../../../test/count-queries.ts'
import { openWorld } from '../../../test/world.ts'
import type { List } from '../../entities/list.ts'
import type { Status } from '../../entities/status.ts'
import { addToFeeds } from './fill.ts'

// Statements are counted where nobody else asks: no world of this file has workers.
const world = await openWorld({ effects: false })
after(world.close)

test('a page of a list costs the same few statements whatever it holds', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  await alice.client.post(`/api/v1/accounts/${bob.accountId}/follow`)
  const { body: list } = await alice.client.post<List>('/api/v1/lists', { title: 'Friends' })
  await alice.client.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [bob.accountId] })
  for (let n = 0; n < 40; n += 1) {
    const { body } = await bob.client.post<Status>('/api/v1/statuses', { status: `#tag${n} number ${n}` })
    await addToFeeds(world.ctx, { statusId: body.id })
  }
  const path = `/api/v1/timelines/list/${list.id}`
  const read = async (limit: number) => (await alice.client.get<Status[]>(`${path}?limit=${limit}`)).body.length
  assert.equal(await read(40), 40)
  const [small, large] = [await countQueries(() => read(2)), await countQueries(() => read(40))]
  // What has changed, whose list it is, and which statuses.
  assert.deepEqual([small, large], [3, 3])
})
