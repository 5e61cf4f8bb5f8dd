import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeJobsDue } from '../../../../test/jobs/make-jobs-due.ts'
import { post, readStatus } from '../../../../test/features/quotes.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'

const MINUTE_MS = 60_000

let aheadMs = 0
const testServer = await openTestServer({ now: () => new Date(Date.now() + aheadMs) })
after(testServer.close)

const schedule = async ({ client }: TestUser, fields: object) => {
  const scheduledAt = new Date(Date.now() + aheadMs + 10 * MINUTE_MS).toISOString()
  return client.post('/api/v1/statuses', { status: 'later', scheduled_at: scheduledAt, ...fields })
}

/** Advances the clock by 15 minutes, publishes all due statuses and returns the statuses of the user. */
async function publishDueStatuses({ accountId, client }: TestUser) {
  aheadMs += 15 * MINUTE_MS
  await makeJobsDue(testServer.ctx, 'publishScheduledStatus')
  await testServer.waitForJobs()
  return (await client.get(`/api/v1/accounts/${accountId}/statuses`)).body
}

test('a scheduled quote is published at its time, by the quote policy of that time', async () => {
  const [author, quoter] = [await testServer.createUser(), await testServer.createUser()]
  const { id } = await post(author)
  const { body } = await schedule(quoter, { quoted_status_id: id, quote_approval_policy: 'followers' })
  assert.deepEqual([body.params.quoted_status_id, body.params.quote_approval_policy], [id, 'followers'])
  assert.equal((await readStatus(author.client, id)).quotes_count, 0)
  const [published] = await publishDueStatuses(quoter)
  assert.deepEqual([published.quote.state, published.quote.quoted_status.id], ['accepted', id])
  assert.deepEqual(published.quote_approval.automatic, ['followers'])
  assert.equal((await readStatus(author.client, id)).quotes_count, 1)
})

test('a status that can no longer be quoted is left out; a scheduled status without other content is not published', async () => {
  const [author, quoter] = [await testServer.createUser(), await testServer.createUser()]
  const quoted = await post(author)
  await schedule(quoter, { quoted_status_id: quoted.id })
  await schedule(quoter, { quoted_status_id: quoted.id, status: '' })
  await author.client.put(`/api/v1/statuses/${quoted.id}/interaction_policy`, { quote_approval_policy: 'nobody' })
  const published = await publishDueStatuses(quoter)
  assert.deepEqual(
    published.map(({ content, quote }: { content: string; quote: unknown }) => [content, quote]),
    [['<p>later</p>', null]],
  )
  assert.deepEqual((await quoter.client.get('/api/v1/scheduled_statuses')).body, [])
})

test('a quote of a status that may not be quoted now cannot be scheduled', async () => {
  const [author, quoter] = [await testServer.createUser(), await testServer.createUser()]
  const { id } = await post(author, { visibility: 'private' })
  assert.equal((await schedule(quoter, { quoted_status_id: id })).status, 404)
})
