import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import {
  remoteAccountRecord,
  HOST,
  createRemoteAccount,
  createRemoteStatus,
  uniqueName,
} from '../../../test/federation/remote-records.ts'
import { deleteJobs } from '../../../test/jobs/delete-jobs.ts'
import { countReadRowsOfWrites } from '../../../test/performance/count-read-rows.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { Status } from '../../entities/statuses/status.ts'
import { ForbiddenError } from '../../lib/errors.ts'
import { PostponedError } from '../../platform/jobs/postponed-error.ts'
import { recordFollowAccept } from '../relationships/follows/answered-requests.ts'
import { recordRemoteFollow } from '../relationships/follows/record-remote-follow.ts'
import { reblogStatus } from '../statuses/interactions/reblog-status.ts'
import { favouriteStatus } from '../statuses/interactions/favourite-status.ts'
import type { Ctx } from '../context.ts'
import { deleteAccount } from './delete-account.ts'
import { purgeAccount } from './purge-account.ts'
import { recordRemoteAccount } from '../accounts/remote/record-remote-account.ts'
import { removeRemoteAccount } from '../accounts/remote/remove-remote-account.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { ctx } = testServer

const COUNTERS = {
  account_stats: ['account_id', 'statuses_count', 'followers_count', 'following_count'],
  status_stats: ['status_id', 'replies_count', 'reblogs_count', 'favourites_count'],
}

/** Returns the counters of an account or a status. */
async function countersOf(table: 'account_stats' | 'status_stats', id: string): Promise<number[]> {
  const [key, ...counters] = COUNTERS[table]
  const { rows } = await sql<Record<string, number>>`
    select ${sql.join(counters.map((name) => sql.ref(name)))} from ${sql.table(table)}
    where ${sql.ref(key!)} = ${id}`.execute(ctx.db)
  return Object.values(rows[0] ?? {})
}

/** Asserts that all stored counters equal a recount. */
async function assertCounters(): Promise<void> {
  const { rows } = await sql<{ wrong: number }>`
    select (select count(*)::int from account_stats st join users u on u.account_id = st.account_id where
        st.followers_count <> (select count(*) from follows where target_account_id = st.account_id)
        or st.following_count <> (select count(*) from follows where account_id = st.account_id)
        or st.statuses_count <> (select count(*) from statuses s where s.account_id = st.account_id
          and s.visibility <> 'direct'))
      + (select count(*)::int from status_stats st where
        st.favourites_count <> (select count(*) from favourites f where f.status_id = st.status_id)
        or st.reblogs_count <> (select count(*) from statuses b where b.reblog_of_id = st.status_id)
        or st.replies_count <> (select count(*) from statuses r where r.in_reply_to_id = st.status_id
          and r.visibility in ('public', 'unlisted'))) as wrong`.execute(ctx.db)
  assert.equal(rows[0]!.wrong, 0, 'stored counters equal a recount')
}

test('a deleted remote account is hidden at once, then purged with its interactions from all counters', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const name = uniqueName('gone')
  const facts = remoteAccountRecord(name)
  const { accountId: gone } = await ctx.write((tx) => recordRemoteAccount(tx, facts))
  const other = await createRemoteAccount(ctx)
  const post = async (body: object) => (await alice.client.post<Status>('/api/v1/statuses', body)).body
  const ownStatus = await post({ status: 'own' })

  const ids: string[] = []
  for (let n = 0; n < 3; n += 1) ids.push(await createRemoteStatus(ctx, { accountId: gone, inReplyTo: ownStatus.uri }))
  const reply = await post({ status: 'a reply', in_reply_to_id: ids[0] })
  const interaction = (accountId: string, statusId: string) => ({ accountId, statusId })
  await ctx.write(async (tx) => {
    await reblogStatus(tx, interaction(bob.accountId, ids[1]!))
    await reblogStatus(tx, interaction(other, ids[1]!))
    await favouriteStatus(tx, interaction(bob.accountId, ids[2]!))
    await favouriteStatus(tx, { ...interaction(gone, ownStatus.id), uri: `${HOST}/likes/${name}` })
    await reblogStatus(tx, {
      ...interaction(gone, ownStatus.id),
      remote: { uri: `${HOST}/announces/${name}`, publishedAt: null },
    })
    await recordRemoteFollow(tx, { accountId: gone, targetAccountId: alice.accountId, uri: null })
  })
  await alice.client.post(`/api/v1/accounts/${gone}/follow`)
  await ctx.write((tx) => recordFollowAccept(tx, { accountId: alice.accountId, targetAccountId: gone }))
  await sql`insert into notifications (account_id, from_account_id, type) values (${alice.accountId}, ${gone}, 'follow')`.execute(
    ctx.db,
  )
  assert.deepEqual(await countersOf('status_stats', ownStatus.id), [3, 1, 1])
  await assertCounters()

  assert.equal(await ctx.write((tx) => removeRemoteAccount(tx, { uri: facts.uri })), true)
  assert.equal((await testServer.anonymous.get(`/api/v1/statuses/${ids[0]}`)).status, 404)
  await purgeAccount(ctx, { accountId: gone })
  await purgeAccount(ctx, { accountId: gone })
  assert.equal((await testServer.anonymous.get(`/api/v1/accounts/${gone}`)).status, 404)
  assert.deepEqual(await countersOf('status_stats', ownStatus.id), [0, 0, 0])
  assert.deepEqual(await countersOf('account_stats', alice.accountId), [2, 0, 0])
  assert.deepEqual((await alice.client.get('/api/v1/notifications')).body, [])
  const { body } = await testServer.anonymous.get<Status>(`/api/v1/statuses/${reply.id}`)
  assert.deepEqual([body.in_reply_to_id, body.in_reply_to_account_id], [null, null])
  await assertCounters()
})

test('a deleted remote account cannot be recorded again within six hours, but afterwards', async () => {
  const facts = remoteAccountRecord(uniqueName('back'))
  const remove = () => ctx.write((tx) => removeRemoteAccount(tx, { uri: facts.uri }))
  const record = () => ctx.write((tx) => recordRemoteAccount(tx, facts))
  assert.equal(await remove(), false)
  await assert.rejects(record(), ForbiddenError)
  await sql`update tombstones set created_at = created_at - interval '7 hours' where uri = ${facts.uri}`.execute(ctx.db)
  const { accountId } = await record()
  await purgeAccount(ctx, { accountId })
  assert.equal((await testServer.anonymous.get(`/api/v1/accounts/${accountId}`)).status, 200)
})

test('a purge that is interrupted after any transaction continues, and decrements no counter twice', async () => {
  const [staying, ownStatuses] = [await testServer.createUser(), [] as Status[]]
  const post = async (client: typeof staying.client, body: object) =>
    (await client.post<Status>('/api/v1/statuses', body)).body
  for (const text of ['one', 'two']) ownStatuses.push(await post(staying.client, { status: text }))
  for (let writes = 0, isDone = false; !isDone; writes += 1) {
    const leaving = await testServer.createUser()
    for (const { id } of ownStatuses) {
      await leaving.client.post(`/api/v1/statuses/${id}/favourite`)
      await leaving.client.post(`/api/v1/statuses/${id}/reblog`)
      await post(leaving.client, { status: 'a reply', in_reply_to_id: id })
    }
    await leaving.client.post(`/api/v1/accounts/${staying.accountId}/follow`)
    await staying.client.post(`/api/v1/accounts/${leaving.accountId}/follow`)
    await ctx.write((tx) => deleteAccount(tx, leaving))
    let remainingWrites = writes
    const interrupted: Ctx = {
      ...ctx,
      write: async (work) => {
        remainingWrites -= 1
        if (remainingWrites < 0) throw new Error('interrupted')
        return ctx.write(work)
      },
    }
    isDone = await purgeAccount(interrupted, leaving).then(
      () => true,
      () => false,
    )
    await purgeAccount(ctx, leaving)
    for (const { id } of ownStatuses)
      assert.deepEqual(await countersOf('status_stats', id), [0, 0, 0], `${writes} writes`)
    await assertCounters()
    const { rows } = await sql`select from accounts where id = ${leaving.accountId}`.execute(ctx.db)
    assert.equal(rows.length, 0)
  }
})

test('a local account cannot be deleted by an activity of a remote server', async () => {
  const { accountId } = await testServer.createUser()
  const uri = `${ctx.config.origin}/ap/users/${accountId}`
  assert.equal(await ctx.write((tx) => removeRemoteAccount(tx, { uri })), false)
  await purgeAccount(ctx, { accountId })
  assert.equal((await testServer.anonymous.get(`/api/v1/accounts/${accountId}`)).status, 200)
})

test('a batch of a purge reads as many statuses of an account with thousands as of one with hundreds', async () => {
  const countRowsOfBatch = async (statuses: number): Promise<number> => {
    const leaving = await testServer.createUser()
    await sql`insert into statuses (account_id, uri, url, content, visibility, deleted_at)
      select ${leaving.accountId}, 'https://linnet.test/s/' || gen_random_uuid(), '', '', 'public',
        case when n % 100 = 0 then now() end
      from generate_series(1, ${statuses}::int) n`.execute(ctx.db)
    await sql`analyze statuses`.execute(ctx.db)
    await ctx.write((tx) => deleteAccount(tx, leaving))
    const { counting, rowsOfWrites } = countReadRowsOfWrites(ctx, { table: 'statuses' })
    const interrupted: Ctx = {
      ...counting,
      write: async (work) => {
        if (rowsOfWrites.length > 0) throw new Error('interrupted')
        return counting.write(work)
      },
    }
    await assert.rejects(purgeAccount(interrupted, leaving), /interrupted/)
    const { rows } = await sql<{ count: number }>`
      select count(*)::int from statuses where account_id = ${leaving.accountId}`.execute(ctx.db)
    assert.equal(rows[0]!.count, statuses - 500)
    return rowsOfWrites[0]!
  }
  const [few, many] = [await countRowsOfBatch(700), await countRowsOfBatch(4_000)]
  assert.ok(many < few + 500, `${few} and ${many} rows`)
})

test('a process purges few of many accounts at once, so that deliveries and feeds continue', async () => {
  const leaving = await Promise.all(Array.from({ length: 10 }, async () => createRemoteAccount(ctx)))
  const { rows: uris } = await sql<{ uri: string }>`
    select uri from accounts where id = any(${leaving}::bigint[])`.execute(ctx.db)
  await deleteJobs(ctx)
  for (const mayReturn of [true, true]) {
    await ctx.write(async (tx) => {
      for (const { uri } of uris) await removeRemoteAccount(tx, { uri, mayReturn })
    })
  }
  const { rows: jobs } = await sql<{ queue: string; n: number }>`
    select queue, count(*)::int as n from jobs where name = 'purgeAccount' group by queue`.execute(ctx.db)
  assert.deepEqual(jobs, [{ queue: 'network', n: 10 }])
  let [running, most] = [0, 0]
  const counting: Ctx = {
    ...ctx,
    async write(work) {
      most = Math.max(most, (running += 1))
      try {
        return await ctx.write(work)
      } finally {
        running -= 1
      }
    },
  }
  const again = leaving[0]!
  const results = await Promise.allSettled(
    [...leaving, again].map((accountId) => purgeAccount(counting, { accountId })),
  )
  const postponed = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  assert.ok(postponed.every((reason) => reason instanceof PostponedError))
  const { rows: left } = await sql`select from accounts where id = any(${leaving}::bigint[])`.execute(ctx.db)
  assert.deepEqual([postponed.length, left.length, most], [3, 2, 2])
})
