import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { cloneDatabase } from '../../../test/postgres.ts'
import { countQueries } from '../../../test/count-queries.ts'
import { until } from '../../../test/streams.ts'
import { lookForChanges } from './changes.ts'
import type { Changes } from './changes.ts'
import { createDb, createPool } from './connect.ts'
import type { Db } from './connect.ts'
import { Kept } from './kept.ts'

const database = await cloneDatabase()
const pool = createPool(database.connection, { max: 4, onError: () => {} })
const other = new pg.Client(database.connection)
await other.connect()
after(async () => {
  await other.end()
  await pool.end()
  await database.drop()
})

/** Somebody else changes something of these statuses. */
const change = (...ids: number[]) =>
  other.query(`insert into changes (subject, id) select 's', unnest($1::bigint[])`, [ids])

/** A process of its own, which has looked once. `changed`: which of the ten statuses have changed since it asked last. */
async function openProcess(): Promise<{ db: Db; changed(): Promise<number[]> }> {
  const db = createDb(pool)
  let { moment } = await lookForChanges(db)
  return {
    db,
    async changed() {
      const changes = await lookForChanges(db)
      const since = moment
      moment = changes.moment
      return TEN.filter((id) => changes.hasChanged('status', String(id), since))
    },
  }
}
const TEN = Array.from({ length: 10 }, (_, n) => n + 1)

test('what somebody else commits is seen by the next look, once, and nothing else is', async () => {
  const { changed } = await openProcess()
  await change(3, 5)
  assert.deepEqual(await changed(), [3, 5])
  assert.deepEqual(await changed(), [])
  await change(5)
  assert.deepEqual(await changed(), [5])
})

test('what began before a look and is committed after it is seen by the next one, whatever came between', async () => {
  const { changed } = await openProcess()
  await other.query('begin')
  await change(1)
  assert.deepEqual(await changed(), [])
  await pool.query(`insert into changes (subject, id) values ('s', 2)`)
  assert.deepEqual(await changed(), [2])
  await other.query('commit')
  assert.deepEqual(await changed(), [1])
  assert.deepEqual(await changed(), [])
})

test('what is done within a savepoint is seen with the rest, and what is taken back is told to nobody', async () => {
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

test('a process that looked before what is forgotten takes everything for changed, and one that looked after it does not', async () => {
  const [early, late] = [await openProcess(), await openProcess()]
  await change(1)
  assert.deepEqual(await late.changed(), [1])
  // Other databases of the same server have transactions under way, too.
  await until(async () => {
    const { rows } = await other.query(
      `select from changes where id = 1 and xid >= pg_snapshot_xmin(pg_current_snapshot())`,
    )
    return rows.length === 0
  }, 'the end of what began before')
  await change(2)
  assert.deepEqual(await late.changed(), [2])
  await other.query(`with gone as (delete from changes where subject = 's' and id = 1 returning xid)
    update changes_forgotten set until = highest.xid from (select max(xid) as xid from gone) highest`)
  assert.deepEqual(await late.changed(), [])
  assert.deepEqual(await early.changed(), TEN)
  assert.deepEqual(await early.changed(), [])
})

test('a process that has seen another server’s commits takes everything for changed', async () => {
  const { db, changed } = await openProcess()
  const changes = await lookForChanges(db)
  const { query } = db
  const instead = (column: string, value: unknown) => {
    Object.assign(db, {
      async query(...args: Parameters<typeof query>) {
        const { rows } = await query(...args)
        return { rows: rows.map((row) => ({ ...(row as object), [column]: value })) }
      },
    })
  }
  // It was restored, or a copy has taken over.
  instead('server', 1)
  assert.deepEqual(await changed(), TEN)
  assert.deepEqual(await changed(), [])
  instead('snapshot', '900000000000:900000000000:')
  assert.deepEqual(await changed(), TEN)
  Object.assign(db, { query })
  assert.deepEqual(await changed(), TEN)
  assert.equal(await lookForChanges(db), changes)
})

test('a change of everything changes everything, and so does one of a kind that is not known', async () => {
  for (const subject of ['*', 'x']) {
    const { changed } = await openProcess()
    await other.query(`insert into changes (subject, id) values ($1, 0)`, [subject])
    assert.deepEqual(await changed(), TEN)
    assert.deepEqual(await changed(), [])
  }
})

test('more changes than are remembered change everything, whether they come at once or one after the other', async () => {
  const many = (from: number, to: number) =>
    other.query(`insert into changes (subject, id) select 's', generate_series($1::bigint, $2::bigint)`, [from, to])
  const atOnce = await openProcess()
  const slowly = await openProcess()
  await many(100, 30_000)
  assert.deepEqual(await slowly.changed(), [])
  await many(30_001, 60_000)
  assert.deepEqual(await slowly.changed(), TEN)
  assert.deepEqual(await atOnce.changed(), TEN)
  await change(7)
  assert.deepEqual([await slowly.changed(), await atOnce.changed()], [[7], [7]])
})

test('who asks at the same time looks together, and who names a moment of the same request does not look at all', async () => {
  const { db } = await openProcess()
  const looks = await countQueries(() => Promise.all(TEN.map(() => lookForChanges(db))))
  assert.equal(looks, 1)
  const { moment } = await lookForChanges(db)
  assert.equal(await countQueries(() => lookForChanges(db, { asOf: moment })), 0)
})

test('who asks while a look is under way gets what was committed before they asked', async () => {
  const { db } = await openProcess()
  const asked: Promise<Changes>[] = []
  for (const id of TEN) {
    const { moment } = await lookForChanges(db)
    asked.push(lookForChanges(db))
    await change(id)
    const changes = await lookForChanges(db)
    assert.ok(changes.hasChanged('status', String(id), moment), String(id))
  }
  await Promise.all(asked)
})

const names = () =>
  new Kept<string>({
    maxBytes: 10_000,
    hasChanged: (changes, { key, since }) => changes.hasChanged('status', key, since),
  })

test('a value is kept until something changes that it was made of', async () => {
  const { db } = await openProcess()
  const kept = names()
  const changes = await lookForChanges(db)
  for (const id of [1, 2]) kept.set(changes, String(id), { value: `name ${id}`, since: changes.moment, bytes: 10 })
  await change(2)
  await lookForChanges(db)
  assert.deepEqual([kept.get(changes, '1'), kept.get(changes, '2')], ['name 1', undefined])
  await change(1)
  await lookForChanges(db)
  assert.equal(kept.get(changes, '1'), undefined)
})

test('a value that was asked for before a change is not kept after it', async () => {
  const { db } = await openProcess()
  const kept = names()
  const changes = await lookForChanges(db)
  const since = changes.moment
  await change(1)
  await lookForChanges(db)
  kept.set(changes, '1', { value: 'what it was', since, bytes: 10 })
  assert.equal(kept.get(changes, '1'), undefined)
})

test('a transaction finds nothing that is kept, and leaves nothing to others', async () => {
  const { db } = await openProcess()
  const kept = names()
  const outside = await lookForChanges(db)
  kept.set(outside, '1', { value: 'outside', since: outside.moment, bytes: 10 })
  await db.transaction(async (tx) => {
    const inside = await lookForChanges(tx)
    assert.equal(kept.get(inside, '1'), undefined)
    kept.set(inside, '1', { value: 'inside', since: inside.moment, bytes: 10 })
  })
  assert.equal(kept.get(await lookForChanges(db), '1'), 'outside')
})
