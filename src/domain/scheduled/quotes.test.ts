import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { hasten } from '../../../test/hasten.ts'
import { post, see } from '../../../test/quotes.ts'
import { openWorld } from '../../../test/world.ts'
import type { Person } from '../../../test/world.ts'

const MINUTE_MS = 60_000

let aheadMs = 0
const world = await openWorld({ now: () => new Date(Date.now() + aheadMs) })
after(world.close)

const schedule = async ({ client }: Person, fields: object) => {
  const scheduledAt = new Date(Date.now() + aheadMs + 10 * MINUTE_MS).toISOString()
  return client.post('/api/v1/statuses', { status: 'later', scheduled_at: scheduledAt, ...fields })
}

/** Posts whatever is due in a quarter of an hour; gives what somebody has posted by then. */
async function wait({ accountId, client }: Person) {
  aheadMs += 15 * MINUTE_MS
  await hasten(world.ctx, 'publishScheduled')
  await world.settle()
  return (await client.get(`/api/v1/accounts/${accountId}/statuses`)).body
}

test('a quote that is scheduled is made when its time has come, by the rules of then', async () => {
  const [author, quoter] = [await world.createPerson(), await world.createPerson()]
  const { id } = await post(author)
  const { body } = await schedule(quoter, { quoted_status_id: id, quote_approval_policy: 'followers' })
  assert.deepEqual([body.params.quoted_status_id, body.params.quote_approval_policy], [id, 'followers'])
  assert.equal((await see(author.client, id)).quotes_count, 0)
  const [made] = await wait(quoter)
  assert.deepEqual([made.quote.state, made.quote.quoted_status.id], ['accepted', id])
  assert.deepEqual(made.quote_approval.automatic, ['followers'])
  assert.equal((await see(author.client, id)).quotes_count, 1)
})

test('what can not be quoted by then is left out; where nothing else is said, nothing is posted', async () => {
  const [author, quoter] = [await world.createPerson(), await world.createPerson()]
  const quoted = await post(author)
  await schedule(quoter, { quoted_status_id: quoted.id })
  await schedule(quoter, { quoted_status_id: quoted.id, status: '' })
  await author.client.put(`/api/v1/statuses/${quoted.id}/interaction_policy`, { quote_approval_policy: 'nobody' })
  const made = await wait(quoter)
  assert.deepEqual(
    made.map(({ content, quote }: { content: string; quote: unknown }) => [content, quote]),
    [['<p>later</p>', null]],
  )
  assert.deepEqual((await quoter.client.get('/api/v1/scheduled_statuses')).body, [])
})

test('what may not be quoted now is not scheduled', async () => {
  const [author, quoter] = [await world.createPerson(), await world.createPerson()]
  const { id } = await post(author, { visibility: 'private' })
  assert.equal((await schedule(quoter, { quoted_status_id: id })).status, 404)
})
