import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createUsers } from '../../../../test/servers/create-users.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import type { Status } from '../../../entities/statuses/status.ts'
import { deleteAccount } from '../../account-deletion/delete-account.ts'
import { purgeAccount } from '../../account-deletion/purge-account.ts'
import type { Ctx } from '../../context.ts'
import { restoreStatus } from '../restore/restore-status.ts'
import { deleteReblogs } from './delete-reblogs.ts'
import { deleteStatus } from './delete-status.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { ctx } = testServer
const { db } = ctx
const fans = await createUsers(ctx, { prefix: 'fan', count: 1_100 })

/** Posts a status that this number of accounts reblogs. */
async function postWithReblogs(author: TestUser, count: number): Promise<Status> {
  const { body } = await author.client.post<Status>('/api/v1/statuses', { status: 'Read this' })
  await sql`
    with reblogs as (
      insert into statuses (account_id, uri, url, visibility, reblog_of_id)
      select id, ${body.uri}::text || '/' || id, ${body.uri}::text || '/' || id, 'public', ${body.id}
      from unnest(${fans.slice(0, count)}::bigint[]) id returning id, account_id
    ), counted as (
      insert into status_stats (status_id) select id from reblogs
    )
    update account_stats st set statuses_count = statuses_count + 1 from reblogs where st.account_id = reblogs.account_id`.execute(
    db,
  )
  await sql`update status_stats set reblogs_count = ${count} where status_id = ${body.id}`.execute(db)
  return body
}

async function countReblogs({ id }: { id: string }): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from statuses where reblog_of_id = ${id}`.execute(
    db,
  )
  return rows[0]!.n
}

/** Returns a context that records after each transaction how many reblogs a status has. */
function recordReblogs(status: Status): { recording: Ctx; counts: number[] } {
  const counts: number[] = []
  const recording: Ctx = {
    ...ctx,
    async write(work) {
      const result = await ctx.write(work)
      counts.push(await countReblogs(status))
      return result
    },
  }
  return { recording, counts }
}

/** Returns how many statuses the counters of the fans contain. */
async function countedStatuses(): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select sum(statuses_count)::int as n from account_stats where account_id = any(${fans}::bigint[])`.execute(db)
  return rows[0]!.n
}

test('a status with many reblogs disappears at once, and a job deletes its reblogs 500 at a time', async () => {
  const author = await testServer.createUser()
  const status = await postWithReblogs(author, 1_100)
  assert.equal((await author.client.delete(`/api/v1/statuses/${status.id}`)).status, 200)
  assert.deepEqual([await countReblogs(status), await countedStatuses()], [600, 600])
  assert.equal((await author.client.get(`/api/v1/statuses/${status.id}`)).status, 404)
  const { rows } = await sql<{ id: string; account_id: string }>`
    select id, account_id from statuses where reblog_of_id = ${status.id} limit 1`.execute(db)
  const [reblog] = rows
  assert.equal((await author.client.get(`/api/v1/statuses/${reblog!.id}`)).status, 404)
  assert.deepEqual((await author.client.get(`/api/v1/accounts/${reblog!.account_id}/statuses`)).body, [])
  const { recording, counts } = recordReblogs(status)
  const { rows: jobs } = await sql<{ payload: Parameters<typeof deleteReblogs>[1] }>`
    select payload from jobs where name = 'deleteReblogs' and queue = 'network'`.execute(db)
  for (const { payload } of jobs) await deleteReblogs(recording, payload)
  const { rows: left } = await sql`select from statuses where id = ${status.id}`.execute(db)
  assert.deepEqual([counts, await countedStatuses(), left.length], [[100, 0], 0, 0])
})

test('a status with many reblogs that staff delete and restore has those that are left', async () => {
  const author = await testServer.createUser()
  const status = await postWithReblogs(author, 600)
  const named = { accountId: author.accountId, statusId: status.id }
  await ctx.write((tx) => deleteStatus(tx, { ...named, restorable: true }))
  await ctx.write((tx) => restoreStatus(tx, named))
  await deleteReblogs(ctx, { ...named, isRetained: true })
  const { body } = await author.client.get<Status>(`/api/v1/statuses/${status.id}`)
  assert.deepEqual([body.reblogs_count, await countReblogs(status), await countedStatuses()], [100, 100, 100])
  await ctx.write((tx) => deleteStatus(tx, named))
})

test('the purge of an account deletes 500 reblogs of its statuses at a time', async () => {
  const author = await testServer.createUser()
  const status = await postWithReblogs(author, 1_100)
  await ctx.write((tx) => deleteAccount(tx, author))
  const { recording, counts } = recordReblogs(status)
  await purgeAccount(recording, author)
  assert.deepEqual([counts.slice(0, 3), await countedStatuses()], [[600, 100, 0], 0])
})
