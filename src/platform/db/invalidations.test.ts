import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { cloneDatabase } from '../../../test/services/database/test-database.ts'
import { countQueries } from '../../../test/performance/count-queries.ts'
import { until } from '../../../test/streaming/streams.ts'
import { createDb, createPool } from './connection.ts'
import type { Db } from './connection.ts'
import { Cache } from './cache.ts'
import { checkForInvalidations } from './invalidations.ts'
import type { Invalidations } from './invalidations.ts'

const database = await cloneDatabase()
const pool = createPool(database.connection, { max: 4, onError: () => {} })
const other = new pg.Client(database.connection)
await other.connect()
after(async () => {
  await other.end()
  await pool.end()
  await database.drop()
})

/** Commits a change of these statuses from another connection. */
const change = (...ids: number[]) =>
  other.query(`insert into invalidations (kind, subject_id) select 's', unnest($1::bigint[])`, [ids])

/**
 * Opens a process that has checked once. `changed`: returns which of the ten statuses were invalidated since the last
 * call.
 */
async function openProcess(): Promise<{ db: Db; changed(): Promise<number[]> }> {
  const db = createDb(pool)
  let { epoch } = await checkForInvalidations(db)
  return {
    db,
    async changed() {
      const invalidations = await checkForInvalidations(db)
      const since = epoch
      epoch = invalidations.epoch
      return TEN.filter((id) => invalidations.isInvalidated('status', String(id), since))
    },
  }
}
const TEN = Array.from({ length: 10 }, (_, n) => n + 1)

test('the next check finds a commit of another connection, once, and nothing else', async () => {
  const { changed } = await openProcess()
  await change(3, 5)
  assert.deepEqual(await changed(), [3, 5])
  assert.deepEqual(await changed(), [])
  await change(5)
  assert.deepEqual(await changed(), [5])
})

test('a transaction that began before a check and commits after it is found by the next check', async () => {
  const { changed } = await openProcess()
  await other.query('begin')
  await change(1)
  assert.deepEqual(await changed(), [])
  await pool.query(`insert into invalidations (kind, subject_id) values ('s', 2)`)
  assert.deepEqual(await changed(), [2])
  await other.query('commit')
  assert.deepEqual(await changed(), [1])
  assert.deepEqual(await changed(), [])
})

test('changes within a savepoint are found, and changes that were rolled back are not', async () => {
  const { changed } = await openProcess()
  await other.query('begin')
  await other.query('savepoint one')
  await change(1)
  await other.query('release one')
  await other.query('savepoint two')
  await change(2)
  await other.query('rollback to two')
  assert.deepEqual(await changed(), [])
  await other.query('commit')
  assert.deepEqual(await changed(), [1])
  await other.query('begin')
  await change(4)
  await other.query('rollback')
  assert.deepEqual(await changed(), [])
})

test('a process invalidates everything if its last check was before the pruned rows, else it does not', async () => {
  const [early, late] = [await openProcess(), await openProcess()]
  await change(1)
  assert.deepEqual(await late.changed(), [1])
  // Other databases of the same PostgreSQL server have running transactions, too.
  await until(async () => {
    const { rows } = await other.query(
      `select from invalidations where subject_id = 1 and xid >= pg_snapshot_xmin(pg_current_snapshot())`,
    )
    return rows.length === 0
  }, 'the end of what began before')
  await change(2)
  assert.deepEqual(await late.changed(), [2])
  await other.query(`with gone as (delete from invalidations where kind = 's' and subject_id = 1 returning xid)
    update invalidation_horizon set pruned_until_xid = highest.xid from (select max(xid) as xid from gone) highest`)
  assert.deepEqual(await late.changed(), [])
  assert.deepEqual(await early.changed(), TEN)
  assert.deepEqual(await early.changed(), [])
})

test('a process that has checked another PostgreSQL server invalidates everything', async () => {
  const { db, changed } = await openProcess()
  const invalidations = await checkForInvalidations(db)
  const { query } = db
  const instead = (column: string, value: unknown) => {
    Object.assign(db, {
      async query(...args: Parameters<typeof query>) {
        const { rows } = await query(...args)
        return { rows: rows.map((row) => ({ ...(row as object), [column]: value })) }
      },
    })
  }
  // The server was restored, or a replica was promoted.
  instead('server', 1)
  assert.deepEqual(await changed(), TEN)
  assert.deepEqual(await changed(), [])
  instead('snapshot', '900000000000:900000000000:')
  assert.deepEqual(await changed(), TEN)
  Object.assign(db, { query })
  assert.deepEqual(await changed(), TEN)
  assert.equal(await checkForInvalidations(db), invalidations)
})

test('a change of everything invalidates everything, and so does one of an unknown subject', async () => {
  for (const subject of ['*', 'x']) {
    const { changed } = await openProcess()
    await other.query(`insert into invalidations (kind, subject_id) values ($1, 0)`, [subject])
    assert.deepEqual(await changed(), TEN)
    assert.deepEqual(await changed(), [])
  }
})

const changeMany = (from: number, to: number) =>
  other.query(`insert into invalidations (kind, subject_id) select 's', generate_series($1::bigint, $2::bigint)`, [
    from,
    to,
  ])

test('more changes than are remembered invalidate what was cached before, at once or one after the other', async () => {
  const atOnce = await openProcess()
  const slowly = await openProcess()
  await changeMany(100, 15_000)
  assert.deepEqual(await slowly.changed(), [])
  await changeMany(15_001, 60_000)
  assert.deepEqual(await slowly.changed(), TEN)
  assert.deepEqual(await atOnce.changed(), TEN)
  await change(7)
  assert.deepEqual([await slowly.changed(), await atOnce.changed()], [[7], [7]])
})

test('many changes invalidate neither what was confirmed after the forgotten ones nor other kinds', async () => {
  const { db } = await openProcess()
  const invalidations = await checkForInvalidations(db)
  const epochs = [invalidations.epoch]
  for (let n = 1; n <= 3; n += 1) {
    await changeMany(n * 10_000, n * 10_000 + 8_000)
    epochs.push((await checkForInvalidations(db)).epoch)
  }
  const isInvalidated = (kind: 'status' | 'account') =>
    epochs.map((since) => invalidations.isInvalidated(kind, '1', since))
  assert.deepEqual(isInvalidated('status'), [true, true, false, false])
  assert.deepEqual(isInvalidated('account'), [false, false, false, false])
})

test('concurrent checks share one statement', async () => {
  const { db } = await openProcess()
  assert.equal(await countQueries(() => Promise.all(TEN.map(() => checkForInvalidations(db)))), 1)
})

test('a check that is requested during another one finds all commits before the request', async () => {
  const { db } = await openProcess()
  const checks: Promise<Invalidations>[] = []
  for (const id of TEN) {
    const { epoch } = await checkForInvalidations(db)
    checks.push(checkForInvalidations(db))
    await change(id)
    const invalidations = await checkForInvalidations(db)
    assert.ok(invalidations.isInvalidated('status', String(id), epoch), String(id))
  }
  await Promise.all(checks)
})

const names = () =>
  new Cache<string>({
    maxBytes: 10_000,
    isInvalidated: (invalidations, { key, since }) => invalidations.isInvalidated('status', key, since),
  })

test('a value is cached until an invalidation affects it', async () => {
  const { db } = await openProcess()
  const cache = names()
  const invalidations = await checkForInvalidations(db)
  for (const id of [1, 2])
    cache.set(invalidations, String(id), { value: `name ${id}`, since: invalidations.epoch, bytes: 10 })
  await change(2)
  await checkForInvalidations(db)
  assert.deepEqual([cache.get(invalidations, '1'), cache.get(invalidations, '2')], ['name 1', undefined])
  await change(1)
  await checkForInvalidations(db)
  assert.equal(cache.get(invalidations, '1'), undefined)
})

test('a value that was queried before a change is not valid after it', async () => {
  const { db } = await openProcess()
  const cache = names()
  const invalidations = await checkForInvalidations(db)
  const since = invalidations.epoch
  await change(1)
  await checkForInvalidations(db)
  cache.set(invalidations, '1', { value: 'what it was', since, bytes: 10 })
  assert.equal(cache.get(invalidations, '1'), undefined)
})

test('a transaction uses no cached values and caches none for others', async () => {
  const { db } = await openProcess()
  const cache = names()
  const outside = await checkForInvalidations(db)
  cache.set(outside, '1', { value: 'outside', since: outside.epoch, bytes: 10 })
  await db.transaction(async (tx) => {
    const inside = await checkForInvalidations(tx)
    assert.equal(cache.get(inside, '1'), undefined)
    cache.set(inside, '1', { value: 'inside', since: inside.epoch, bytes: 10 })
  })
  assert.equal(cache.get(await checkForInvalidations(db), '1'), 'outside')
})
