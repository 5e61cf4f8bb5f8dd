import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { until } from '../../../test/streams.ts'
import { openWorld } from '../../../test/world.ts'
import { lookForChanges } from '../../platform/db/changes.ts'
import { createDb, createPool } from '../../platform/db/connect.ts'
import { forgetChanges } from './forget-changes.ts'
import { addBuilder } from '../../../test/query-builder.ts'

const world = await openWorld({ effects: false })
const { ctx } = world
const pool = createPool(world.connection, { max: 2, onError: () => {} })
const other = new pg.Client(world.connection)
await other.connect()
after(async () => {
  await other.end()
  await pool.end()
  await world.close()
})

/** Somebody else changes statuses, as it were so many minutes ago. */
const change = (ids: number[], { minutesAgo }: { minutesAgo: number }) =>
  other.query(
    `insert into changes (subject, id, at) select 's', unnest($1::bigint[]), now() - $2 * interval '1 minute'`,
    [ids, minutesAgo],
  )

async function remembered(): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from changes order by id`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

/** Waits until nothing is under way that began before the changes: other databases of the same server have work, too. */
async function settle(): Promise<void> {
  await until(async () => {
    const { rows } = await sql`select from changes where xid >= pg_snapshot_xmin(pg_current_snapshot())`.execute(ctx.db)
    return rows.length === 0
  }, 'the end of what began before')
}

/** Forgets until no more than this is left. */
async function forgetAllBut(ids: string[]): Promise<void> {
  await until(async () => {
    await forgetChanges(ctx)
    return (await remembered()).length <= ids.length
  }, 'the end of what began before')
  assert.deepEqual(await remembered(), ids)
}

/** A process of its own, which has looked once. Whether it takes everything for changed when it looks again. */
async function openProcess(): Promise<() => Promise<boolean>> {
  const db = addBuilder(createDb(pool))
  let { moment } = await lookForChanges(db)
  return async () => {
    const changes = await lookForChanges(db)
    const since = moment
    moment = changes.moment
    return changes.hasChanged('status', 'one that nobody touched', since)
  }
}

test('changes are forgotten after ten minutes, and those who had not seen them take everything for changed, once', async () => {
  await sql`delete from changes`.execute(ctx.db)
  const [early, late] = [await openProcess(), await openProcess()]
  await change([1, 2], { minutesAgo: 11 })
  await change([3], { minutesAgo: 9 })
  await settle()
  assert.equal(await late(), false)
  await forgetAllBut(['3'])
  assert.deepEqual([await early(), await late()], [true, false])
  assert.deepEqual([await early(), await late()], [false, false])
})

test('who looks for the first time after changes were forgotten has missed nothing later', async () => {
  await change([1], { minutesAgo: 11 })
  await forgetAllBut(['3'])
  await settle()
  const changed = await openProcess()
  await forgetChanges(ctx)
  assert.equal(await changed(), false)
})

test('while something has been under way for long, what is as new is kept, and nobody is told to have missed it', async () => {
  await sql`delete from changes`.execute(ctx.db)
  await other.query('begin')
  await change([1], { minutesAgo: 60 })
  await sql`insert into changes (subject, id, at) values ('s', 2, now() - interval '11 minutes')`.execute(ctx.db)
  const changed = await openProcess()
  await forgetChanges(ctx)
  assert.deepEqual(await remembered(), ['2'])
  assert.equal(await changed(), false)
  await other.query('commit')
  await forgetAllBut([])
  assert.equal(await changed(), true)
  assert.equal(await changed(), false)
})

test('several processes may forget at once, however much there is', async () => {
  await sql`delete from changes`.execute(ctx.db)
  const changed = await openProcess()
  await sql`
    insert into changes (subject, id, at) select 's', n, now() - interval '11 minutes'
    from generate_series(1, 45000) n`.execute(ctx.db)
  await Promise.all([forgetChanges(ctx), forgetChanges(ctx), forgetChanges(ctx)])
  await forgetAllBut([])
  assert.equal(await changed(), true)
})

test('old changes are found by the index, however many there are', async () => {
  await sql`insert into changes (subject, id) select 's', n from generate_series(1, 30000) n`.execute(ctx.db)
  await sql`analyze changes`.execute(ctx.db)
  const { rows } = await sql<{ 'QUERY PLAN': string }>`
    explain select ctid from changes
    where at < now() - interval '10 minutes' and xid < pg_snapshot_xmin(pg_current_snapshot())
    order by at limit 20000`.execute(ctx.db)
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  assert.match(plan, /Index Scan using changes_at/)
})
