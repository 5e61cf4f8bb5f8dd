// Slow: fills a whole server with data.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { seedDatabase } from '../bin/dataset/seed-database.ts'
import { issueTokens } from '../bench/setup/issue-tokens.ts'
import { createClient } from './http/client.ts'
import { openTestServer } from './servers/test-server.ts'
import type { BuilderDb } from './query-builder.ts'

const DATASET = { accounts: 200, statuses: 4_000, feeds: 20, seed: 7 }

/** Returns a hash of all posts in their order, without values that depend on the time of seeding. */
async function digest(db: BuilderDb): Promise<unknown> {
  const { rows } = await sql`
    select md5(string_agg(a.username || s.text || s.visibility || coalesce(o.text, ''), '|' order by s.id)) as posts,
      (select count(*)::int from favourites) as favourites, (select count(*)::int from follows) as follows
    from statuses s join accounts a on a.id = s.account_id left join statuses o on o.id = s.reblog_of_id`.execute(db)
  return rows[0]
}

/** Returns every index and every constraint of the tables. */
async function keysOf(db: BuilderDb): Promise<unknown[]> {
  const { rows } = await sql`
    select pg_get_indexdef(indexrelid) as definition, indisvalid as valid from pg_index
      where indrelid::regclass::text !~ '^pg_'
    union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid), convalidated
      from pg_constraint where conrelid <> 0 order by 1`.execute(db)
  return rows
}

test('a seeded database has correct counters, is equal for equal seeds, and serves requests like any other', async (t) => {
  const [one, two] = [await openTestServer({ effects: false }), await openTestServer({ effects: false })]
  t.after(one.close)
  t.after(two.close)
  const keys = await keysOf(one.ctx.db)
  const shares: number[] = []
  const { accountIds } = await seedDatabase(one.ctx, {
    connection: one.connection,
    dataset: DATASET,
    onProgress: (done) => shares.push(done),
  })
  await seedDatabase(two.ctx, { connection: two.connection, dataset: DATASET, onProgress: () => {} })
  assert.deepEqual(await keysOf(one.ctx.db), keys)
  assert.deepEqual(await digest(one.ctx.db), await digest(two.ctx.db))
  assert.deepEqual(
    shares,
    shares.toSorted((a, b) => a - b),
  )
  assert.deepEqual([shares[0], shares.at(-1)], [0, 1])
  await assert.rejects(
    seedDatabase(one.ctx, { connection: one.connection, dataset: DATASET, onProgress: () => {} }),
    /was seeded before/,
  )

  const { rows } = await sql<Record<string, number>>`
    select (select count(*)::int from accounts) as accounts,
      (select count(distinct account_id)::int from feed_entries) as feeds,
      (select count(*)::int from statuses) > 3900 as "nearly all posts",
      (select count(*)::int from feed_entries e join statuses s on s.id = e.status_id
        where e.account_id <> s.account_id and not exists (
          select from follows f where f.account_id = e.account_id and f.target_account_id = s.account_id)) as "strange entries",
      (select count(*)::int from status_stats c where c.favourites_count <> (
        select count(*) from favourites f where f.status_id = c.status_id) or c.reblogs_count <> (
        select count(*) from statuses b where b.reblog_of_id = c.status_id)) as "wrong counters",
      (select count(*)::int from account_stats c where c.followers_count <> (
        select count(*) from follows f where f.target_account_id = c.account_id) or c.statuses_count <> (
        select count(*) from statuses s where s.account_id = c.account_id and s.visibility <> 'direct')) as "wrong figures"`.execute(
    one.ctx.db,
  )
  assert.deepEqual(rows[0], {
    accounts: 200,
    feeds: 20,
    'nearly all posts': true,
    'strange entries': 0,
    'wrong counters': 0,
    'wrong figures': 0,
  })

  const [token] = await issueTokens(one.ctx.db, { accountIds: accountIds.slice(0, 1), each: 1 })
  const client = createClient(one.server, { token: token! })
  const home = await client.get('/api/v1/timelines/home', { limit: 20 })
  assert.deepEqual([home.status, home.body.length], [200, 20])
  const thread = home.body.find((status: { in_reply_to_id: string | null }) => status.in_reply_to_id !== null)
  const context = await client.get(`/api/v1/statuses/${thread.id}/context`)
  assert.equal(context.body.ancestors.length, 1)
  const posted = await client.post('/api/v1/statuses', { status: 'newer than all seeded posts' })
  assert.ok(BigInt(posted.body.id) > BigInt(home.body[0].id))
})
