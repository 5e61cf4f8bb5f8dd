import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { cloneDatabase } from '../../../test/services/database/test-database.ts'
import { createDb, createPool } from '../../platform/db/connection.ts'
import type { Ctx, Tx } from '../context.ts'
import { readActivity, tallyActivity } from './weekly-activity.ts'
import { addBuilder } from '../../../test/query-builder.ts'

const database = await cloneDatabase()
const client = new pg.Client(database.connection)
await client.connect()
const { rows: databases } = await client.query<{ name: string }>('select current_database() as name')
await client.query(`alter database "${databases[0]!.name}" set timezone to 'Pacific/Kiritimati'`)
await client.end()
const pool = createPool(database.connection, { max: 4, onError: () => {} })
const db = addBuilder(createDb(pool))
after(async () => {
  await pool.end()
  await database.drop()
})

const now = new Date('2026-11-02T01:00:00Z')
const ctx = {
  db,
  now: () => now,
  write: (work: (tx: Tx) => Promise<unknown>) =>
    db.transaction().execute((trx) => work({ db: trx, now } as unknown as Tx)),
} as unknown as Ctx

const MONDAY = Date.parse('2026-11-02T00:00:00Z')

async function insertStatus(at: number): Promise<void> {
  await pool.query(
    `insert into statuses (id, account_id, uri, url, visibility) select $1::text::bigint, a.id, $1::text, '', 'public' from accounts a`,
    [((BigInt(at) << 16n) + 1n).toString()],
  )
}

test('FP11: weeks begin in UTC even if the database uses another time zone', async () => {
  const { rows } = await pool.query<{ TimeZone: string }>('show timezone')
  assert.equal(rows[0]!.TimeZone, 'Pacific/Kiritimati')
  await pool.query(`insert into accounts (username, uri, url) values ('ann', 'ann', 'ann')`)
  for (const at of [MONDAY - 1, MONDAY - 86_400_000, MONDAY, MONDAY + 1]) await insertStatus(at)
  const counts = async () => (await readActivity({ db } as unknown as Ctx, { now })).slice(0, 3)
  const expected = [
    { startsAt: new Date(MONDAY), statuses: 2, logins: 0, registrations: 0 },
    { startsAt: new Date(MONDAY - 7 * 86_400_000), statuses: 2, logins: 0, registrations: 0 },
    { startsAt: new Date(MONDAY - 14 * 86_400_000), statuses: 0, logins: 0, registrations: 0 },
  ]
  assert.deepEqual(await counts(), expected)
  await tallyActivity(ctx)
  assert.deepEqual(await counts(), expected)
})

test('concurrent tallies count nothing twice', async () => {
  for (let n = 2; n < 50; n += 1) await insertStatus(MONDAY + n * 1_000)
  await pool.query(`insert into weekly_active_users select $1, 'login', n from generate_series(1, 30) n`, [
    new Date(MONDAY - 7 * 86_400_000),
  ])
  for (let round = 0; round < 5; round += 1) {
    await pool.query(`update weekly_activity set statuses = 0, counted_until_status_id = 0`)
    await Promise.all(Array.from({ length: 4 }, () => tallyActivity(ctx)))
    const [week, last] = await readActivity({ db } as unknown as Ctx, { now })
    assert.deepEqual([week!.statuses, last!.statuses, last!.logins], [50, 2, 30])
  }
})
