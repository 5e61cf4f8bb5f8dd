import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { openWorld } from '../../../test/world.ts'
import type { Person } from '../../../test/world.ts'

const world = await openWorld({ env: { DB_POOL: '10' } })
after(world.close)

const PEOPLE = 5
const ACTIONS =
  'follow unfollow remove_from_followers block unblock mute unmute favourite unfavourite mention lock open'

const deeds = fc.array(
  fc.record({
    action: fc.constantFrom(...ACTIONS.split(' ')),
    from: fc.nat({ max: PEOPLE - 1 }),
    to: fc.nat({ max: PEOPLE - 1 }),
  }),
  { minLength: 40, maxLength: 80 },
)

async function take(action: string, from: Person, { to, statusId }: { to: Person; statusId: string }) {
  if (action === 'mention') return from.client.post('/api/v1/statuses', { status: `@${to.username} hello` })
  if (action.endsWith('favourite')) return from.client.post(`/api/v1/statuses/${statusId}/${action}`)
  if (action === 'lock' || action === 'open') {
    return from.client.patch('/api/v1/accounts/update_credentials', { locked: action === 'lock' })
  }
  return from.client.post(`/api/v1/accounts/${to.accountId}/${action}`)
}

test('FP1 VI4 whatever people do to each other at once, nothing is told of what is not, or across a block or mute', async () => {
  await fc.assert(
    fc.asyncProperty(deeds, async (list) => {
      const people = await Promise.all(Array.from({ length: PEOPLE }, () => world.createPerson()))
      const posts = await Promise.all(
        people.map(async ({ client }) => (await client.post('/api/v1/statuses', { status: 'mine' })).body.id as string),
      )
      const answers = await Promise.all(
        list.map(({ action, from, to }) => take(action, people[from]!, { to: people[to]!, statusId: posts[to]! })),
      )
      assert.ok(answers.every(({ status }) => status < 500))
      await world.settle()
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
            where f.account_id = n.from_account_id and f.status_id = n.status_id)`.execute(world.ctx.db)
      assert.deepEqual(rows, [])
    }),
    { numRuns: 8 },
  )
})
