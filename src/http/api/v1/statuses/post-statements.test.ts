import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { countQueries } from '../../../../../test/performance/count-queries.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)

const post = async ({ client }: TestUser, body: object, headers: Record<string, string> = {}) => {
  const response = await client.post('/api/v1/statuses', { visibility: 'public', ...body }, headers)
  assert.equal(response.status, 200, JSON.stringify(response.body))
  return response.body.id as string
}

/** Two checks for invalidations, `begin`, the author, the status, its job, `commit`, and the response. */
const PLAIN = 8

test('a status is posted with the statements that its content needs, and the response takes one', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const { db } = testServer.ctx
  const parent = await post(bob, { status: 'parent' })
  // The first requests of a user also record the use of the token, and read it and the profile.
  for (const status of ['first #warm', 'second']) await post(alice, { status })
  const { id: mediaId } = await db
    .insertInto('media_attachments')
    .values({
      account_id: alice.accountId,
      type: 'image',
      file_key: 'media/a.png',
      preview_key: 'media/b.png',
      content_type: 'image/png',
      byte_size: '1',
      meta: '{}',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const key = { 'idempotency-key': 'k' }
  const statementsOf = async (body: object, headers?: Record<string, string>) =>
    countQueries(() => post(alice, body, headers))
  assert.deepEqual(
    {
      plain: await statementsOf({ status: 'plain' }),
      'with an idempotency key': await statementsOf({ status: 'plain' }, key),
      'with a content warning': await statementsOf({ status: 'plain', spoiler_text: 'careful' }),
      'with emojis': await statementsOf({ status: ':cat:' }),
      'with media': await statementsOf({ status: 'media', media_ids: [mediaId] }),
      'with a poll': await statementsOf({ status: 'poll', poll: { options: ['a', 'b'], expires_in: 600 } }),
      'with a mention': await statementsOf({ status: `@${bob.username}` }),
      'with known hashtags': await statementsOf({ status: '#warm #Warm' }),
      'with a new link': await statementsOf({ status: 'https://example.org/page' }),
      'with a known link': await statementsOf({ status: 'https://example.org/page' }),
      'a reply': await statementsOf({ status: 'reply', in_reply_to_id: parent }),
      direct: await statementsOf({ status: 'direct', visibility: 'direct' }),
    },
    {
      plain: PLAIN,
      'with an idempotency key': PLAIN + 2,
      'with a content warning': PLAIN,
      'with emojis': PLAIN + 1,
      'with media': PLAIN + 1,
      'with a poll': PLAIN + 1,
      'with a mention': PLAIN + 2,
      'with known hashtags': PLAIN + 4,
      'with a new link': PLAIN + 3,
      'with a known link': PLAIN + 2,
      'a reply': PLAIN + 2,
      direct: PLAIN,
    },
  )
})
