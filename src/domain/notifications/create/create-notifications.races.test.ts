import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'

const testServer = await openTestServer({ env: { DB_POOL: '10' } })
after(testServer.close)

const USER_COUNT = 5
const ACTIONS =
  'follow unfollow remove_from_followers block unblock mute unmute favourite unfavourite mention lock open'

const steps = fc.array(
  fc.record({
    action: fc.constantFrom(...ACTIONS.split(' ')),
    from: fc.nat({ max: USER_COUNT - 1 }),
    to: fc.nat({ max: USER_COUNT - 1 }),
  }),
  { minLength: 40, maxLength: 80 },
)

async function perform(action: string, from: TestUser, { to, statusId }: { to: TestUser; statusId: string }) {
  if (action === 'mention') return from.client.post('/api/v1/statuses', { status: `@${to.username} hello` })
  if (action.endsWith('favourite')) return from.client.post(`/api/v1/statuses/${statusId}/${action}`)
  if (action === 'lock' || action === 'open') {
    return from.client.patch('/api/v1/accounts/update_credentials', { locked: action === 'lock' })
  }
  return from.client.post(`/api/v1/accounts/${to.accountId}/${action}`)
}

test('FP1 VI4 concurrent actions leave no notification without a cause, or across a block or mute', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const users = await Promise.all(Array.from({ length: USER_COUNT }, () => testServer.createUser()))
      const statusIds = await Promise.all(
        users.map(async ({ client }) => (await client.post('/api/v1/statuses', { status: 'mine' })).body.id as string),
      )
      const responses = await Promise.all(
        list.map(({ action, from, to }) => perform(action, users[from]!, { to: users[to]!, statusId: statusIds[to]! })),
      )
      assert.ok(responses.every(({ status }) => status < 500))
      await testServer.waitForJobs()
      const { rows } = await sql<{ type: string; why: string }>`
        select n.type, 'block' as why from notifications n join blocks b
          on b.account_id = n.account_id and b.target_account_id = n.from_account_id
        union all select n.type, 'mute' from notifications n join mutes m
          on m.account_id = n.account_id and m.target_account_id = n.from_account_id and m.hide_notifications
        union all select n.type, 'no cause' from notifications n where
          n.type = 'follow' and not exists (select from follows f
            where f.account_id = n.from_account_id and f.target_account_id = n.account_id)
          or n.type = 'follow_request' and not exists (select from follow_requests f
            where f.account_id = n.from_account_id and f.target_account_id = n.account_id)
          or n.type = 'favourite' and not exists (select from favourites f
            where f.account_id = n.from_account_id and f.status_id = n.status_id)`.execute(testServer.ctx.db)
      assert.deepEqual(rows, [])
    }),
    { numRuns: 8 },
  )
})
