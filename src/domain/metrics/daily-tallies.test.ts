import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createRemoteAccount } from '../../../test/federation/remote-records.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { AdminMeasure } from '../../entities/admin/operations/admin-metrics.ts'
import { tallyDays } from './daily-tallies.ts'

const PATH = '/api/v1/admin/measures'
const DAY_MS = 86_400_000

let aheadDays = 0
const testServer = await openTestServer({ effects: false, now: () => new Date(Date.now() + aheadDays * DAY_MS) })
after(testServer.close)
const { ctx } = testServer
const { db } = ctx
const moderator = await testServer.createUser({ role: 'moderator', scopes: 'read write admin:read admin:write' })
const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]

const dayAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)

/** Tallies the days, as of a number of days ahead of today. */
async function tally(days: number): Promise<void> {
  aheadDays = days
  await tallyDays(ctx).finally(() => (aheadDays = 0))
}

/** Inserts a public status of an account with a hashtag, as of some days ago. */
async function insertStatus(accountId: string, days: number, tagId: string): Promise<void> {
  const id = String(BigInt(Date.now() - days * DAY_MS) << 16n)
  await sql`
    with inserted as (
      insert into statuses (id, account_id, uri, url, visibility, local)
      values (${id}::bigint + (random() * 60000)::int, ${accountId}, gen_random_uuid(), '', 'public', false) returning id)
    insert into status_tags (status_id, tag_id) select id, ${tagId} from inserted`.execute(db)
}

test('active users and uses of hashtags are the same before and after their days are tallied', async () => {
  const { id } = await db
    .insertInto('tags')
    .values({ name: 'wrens', display_name: 'Wrens' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const far = await createRemoteAccount(ctx)
  for (const [account, days] of [
    [far, 9],
    [far, 6],
    [alice.accountId, 6],
    [far, 4],
    [far, 4],
    [bob.accountId, 2],
    [far, 1],
    [alice.accountId, 0],
  ] as const)
    await insertStatus(account, days, id)
  await sql`insert into user_active_days (day, user_id)
    select current_date - d, ${bob.userId}::bigint from unnest('{10,8,5,3,2}'::int[]) d
    union all select current_date - d, ${alice.userId}::bigint from unnest('{9,5,4}'::int[]) d on conflict do nothing`.execute(
    db,
  )
  const keys = ['active_users', 'tag_uses', 'tag_servers']
  const of = { tag_uses: { id }, tag_servers: { id } }
  const read = async () => {
    const periods: AdminMeasure[][] = []
    for (const [first, last] of [
      [2, 0],
      [4, 0],
      [6, 2],
      [3, 3],
      [10, 0],
    ] as const) {
      const { body } = await moderator.client.post(PATH, { start_at: dayAgo(first), end_at: dayAgo(last), keys, ...of })
      periods.push(body)
    }
    return periods
  }
  const before = await read()
  assert.deepEqual(
    before[2]!.map(({ total, previous_total: previous }) => [total, previous]),
    [
      ['2', '2'],
      ['5', '1'],
      ['2', '1'],
    ],
  )
  for (const days of [-6, -3, -1, 0]) {
    await tally(days)
    assert.deepEqual(await read(), before, `${days}`)
  }
  const { rows } = await sql<{ days: number }>`select count(distinct day)::int as days from daily_active_users`.execute(
    db,
  )
  assert.ok(rows[0]!.days >= 6, `${rows[0]!.days}`)
  await tally(740)
  const kept = await sql`select from daily_active_users union all select from daily_tag_uses`.execute(db)
  assert.equal(kept.rows.length, 0)
})
