import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { until } from '../../../test/streaming/streams.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import { checkForInvalidations } from '../../platform/db/invalidations.ts'
import { createDb, createPool } from '../../platform/db/connection.ts'
import { pruneInvalidations } from './prune-invalidations.ts'
import { addBuilder } from '../../../test/query-builder.ts'

const testServer = await openTestServer({ effects: false })
const { ctx } = testServer
const pool = createPool(testServer.connection, { max: 2, onError: () => {} })
const other = new pg.Client(testServer.connection)
await other.connect()
after(async () => {
  await other.end()
  await pool.end()
  await testServer.close()
})

/** Inserts invalidations of statuses from another connection, with a creation time in the past. */
const insertInvalidations = (ids: number[], { minutesAgo }: { minutesAgo: number }) =>
  other.query(
    `insert into invalidations (kind, subject_id, created_at) select 's', unnest($1::bigint[]), now() - $2 * interval '1 minute'`,
    [ids, minutesAgo],
  )

async function listInvalidations(): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select subject_id as id from invalidations order by subject_id`.execute(
    ctx.db,
  )
  return rows.map(({ id }) => id)
}

/**
 * Waits for all transactions that are older than the invalidations, also those in other databases of the same cluster.
 */
async function waitForOlderTransactions(): Promise<void> {
  await until(async () => {
    const { rows } = await sql`select from invalidations where xid >= pg_snapshot_xmin(pg_current_snapshot())`.execute(
      ctx.db,
    )
    return rows.length === 0
  }, 'the end of older transactions')
}

/** Prunes until only these invalidations are left. */
async function pruneUntilOnly(ids: string[]): Promise<void> {
  await until(async () => {
    await pruneInvalidations(ctx)
    return (await listInvalidations()).length <= ids.length
  }, 'the end of older transactions')
  assert.deepEqual(await listInvalidations(), ids)
}

/** Simulates a process that has checked once. The result checks again and returns whether everything is invalidated. */
async function openProcess(): Promise<() => Promise<boolean>> {
  const db = addBuilder(createDb(pool))
  let { epoch } = await checkForInvalidations(db)
  return async () => {
    const invalidations = await checkForInvalidations(db)
    const since = epoch
    epoch = invalidations.epoch
    return invalidations.isInvalidated('status', 'unchanged', since)
  }
}

test('invalidations are pruned after ten minutes; a process that missed them invalidates all, once', async () => {
  await sql`delete from invalidations`.execute(ctx.db)
  const [early, late] = [await openProcess(), await openProcess()]
  await insertInvalidations([1, 2], { minutesAgo: 11 })
  await insertInvalidations([3], { minutesAgo: 9 })
  await waitForOlderTransactions()
  assert.equal(await late(), false)
  await pruneUntilOnly(['3'])
  assert.deepEqual([await early(), await late()], [true, false])
  assert.deepEqual([await early(), await late()], [false, false])
})

test('a process whose first check follows a pruning invalidates nothing because of it', async () => {
  await insertInvalidations([1], { minutesAgo: 11 })
  await pruneUntilOnly(['3'])
  await waitForOlderTransactions()
  const invalidatesEverything = await openProcess()
  await pruneInvalidations(ctx)
  assert.equal(await invalidatesEverything(), false)
})

test('during a long transaction, invalidations as new as it stay, and no process invalidates everything', async () => {
  await sql`delete from invalidations`.execute(ctx.db)
  await other.query('begin')
  await insertInvalidations([1], { minutesAgo: 60 })
  await sql`insert into invalidations (kind, subject_id, created_at) values ('s', 2, now() - interval '11 minutes')`.execute(
    ctx.db,
  )
  const invalidatesEverything = await openProcess()
  await pruneInvalidations(ctx)
  assert.deepEqual(await listInvalidations(), ['2'])
  assert.equal(await invalidatesEverything(), false)
  await other.query('commit')
  await pruneUntilOnly([])
  assert.equal(await invalidatesEverything(), true)
  assert.equal(await invalidatesEverything(), false)
})

test('several processes can prune many invalidations concurrently', async () => {
  await sql`delete from invalidations`.execute(ctx.db)
  const invalidatesEverything = await openProcess()
  await sql`
    insert into invalidations (kind, subject_id, created_at) select 's', n, now() - interval '11 minutes'
    from generate_series(1, 45000) n`.execute(ctx.db)
  await Promise.all([pruneInvalidations(ctx), pruneInvalidations(ctx), pruneInvalidations(ctx)])
  await pruneUntilOnly([])
  assert.equal(await invalidatesEverything(), true)
})

test('after a dump was restored in another PostgreSQL server, processes do not keep invalidating everything', async () => {
  await sql`delete from invalidations`.execute(ctx.db)
  const future = '900000000000'
  await sql`update invalidation_horizon set pruned_until_xid = ${future}::xid8`.execute(ctx.db)
  await sql`insert into invalidations (kind, subject_id, xid) values ('s', 1, ${future}::xid8)`.execute(ctx.db)
  const invalidatesEverything = await openProcess()
  assert.equal(await invalidatesEverything(), true)
  await insertInvalidations([2], { minutesAgo: 0 })
  await pruneInvalidations(ctx)
  assert.deepEqual(await listInvalidations(), ['2'])
  assert.equal(await invalidatesEverything(), false)
  await insertInvalidations([3], { minutesAgo: 11 })
  await pruneUntilOnly(['2'])
  assert.equal(await invalidatesEverything(), true)
  assert.equal(await invalidatesEverything(), false)
})

test('the query for old invalidations uses the index', async () => {
  await sql`insert into invalidations (kind, subject_id) select 's', n from generate_series(1, 30000) n`.execute(ctx.db)
  await sql`analyze invalidations`.execute(ctx.db)
  const { rows } = await sql<{ 'QUERY PLAN': string }>`
    explain select ctid from invalidations
    where created_at < now() - interval '10 minutes' and xid < pg_snapshot_xmin(pg_current_snapshot())
    order by created_at limit 20000`.execute(ctx.db)
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  assert.match(plan, /Index Scan using invalidations_created_at/)
})
