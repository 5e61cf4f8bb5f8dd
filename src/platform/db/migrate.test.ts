import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { createEmptyDatabase } from '../../../test/services/database/test-database.ts'
import { until } from '../../../test/streaming/streams.ts'
import { createLog } from '../log/log.ts'
import { createPool } from './connection.ts'
import { migrate } from './migrate.ts'

const BOOKS = { '0001-books': 'export const up = `create table books (id bigint primary key, title text not null)`' }
const SHELF = {
  '0002-shelf': `export const up = 'alter table books add column shelf text; update books set shelf = title'`,
}
const INDEX = {
  '0002-titles': `export const concurrentIndexes = ['create index concurrently if not exists books_title on books (title)']`,
}

/** Creates an empty database and a folder of migrations, and simulates a process that runs them. */
async function openNode(files: Record<string, string>) {
  const database = await createEmptyDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'linnet-migrations-'))
  const pools: pg.Pool[] = []
  const other = new pg.Client(database.connection)
  await other.connect()
  const add = async (more: Record<string, string>) => {
    for (const [name, text] of Object.entries(more)) await writeFile(join(folder, `${name}.ts`), text)
  }
  await add(files)
  after(async () => {
    await other.end()
    for (const pool of pools) await pool.end()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  })
  return {
    other,
    add,
    /** Returns the migrations that ran, and what was reported. Calls `onWait` instead of waiting. */
    async migrate({
      onWait = async () => {},
      indexLockTimeoutMs = 20,
    }: { onWait?: (ms: number) => Promise<unknown>; indexLockTimeoutMs?: number } = {}) {
      const lines: string[] = []
      let blocked = 0
      const pool = createPool(database.connection, { max: 3, onError: () => {} })
      pools.push(pool)
      const ran = await migrate(pool, {
        log: createLog('info', { output: { write: (line) => lines.push(line) } }),
        folder,
        lockTimeoutMs: 20,
        indexLockTimeoutMs,
        wait: onWait,
        onBlocked: () => (blocked += 1),
      })
      return { ran, blocked, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) }
    },
    async query<Row extends object>(text: string): Promise<Row[]> {
      return (await other.query<Row>(text)).rows
    },
  }
}

/** Returns whether a session that builds an index of `books` waits for a transaction. */
const isBuildWaiting = `
  select from pg_locks waiting join pg_locks held using (pid)
  where waiting.locktype = 'virtualxid' and not waiting.granted and held.relation = 'books'::regclass
    and held.database = (select oid from pg_database where datname = current_database())`

const isIndexValid = `select indisvalid as valid from pg_index where indexrelid = to_regclass('books_title')`

test('each migration runs once, in the order of the numbers, and a later start runs only new ones', async () => {
  const node = await openNode({ ...SHELF, ...BOOKS })
  assert.deepEqual((await node.migrate()).ran, ['0001-books', '0002-shelf'])
  assert.deepEqual((await node.migrate()).ran, [])
  await node.add({ '0003-pages': `export const up = 'alter table books add column pages integer'` })
  assert.deepEqual((await node.migrate()).ran, ['0003-pages'])
  assert.deepEqual(await node.query('select name from migrations order by name'), [
    { name: '0001-books' },
    { name: '0002-shelf' },
    { name: '0003-pages' },
  ])
})

test('a migration that gets no lock is retried with increasing delays until the lock is released', async () => {
  const node = await openNode(BOOKS)
  await node.migrate()
  await node.add(SHELF)
  await node.other.query('begin; lock table books')
  const delays: number[] = []
  const { ran, lines } = await node.migrate({
    async onWait(ms) {
      delays.push(ms)
      if (delays.length === 6) await node.other.query('commit')
    },
  })
  assert.deepEqual(ran, ['0002-shelf'])
  assert.deepEqual(delays, [1_000, 2_000, 4_000, 8_000, 15_000, 15_000])
  assert.deepEqual(
    lines.map(({ msg, migration, attempts }) => [msg, migration, attempts]),
    delays.map((_, index) => ['A migration got no lock; retrying', '0002-shelf', index + 1]),
  )
})

test('while a migration waits for its next attempt, other sessions use the table', async () => {
  const node = await openNode(BOOKS)
  await node.migrate()
  await node.add(SHELF)
  await node.other.query(`begin; insert into books values (1, 'Walden')`)
  await node.migrate({
    async onWait() {
      await node.other.query(`insert into books values (2, 'Emma')`)
      await node.other.query('commit')
    },
  })
  assert.deepEqual(await node.query('select shelf from books order by id'), [{ shelf: 'Walden' }, { shelf: 'Emma' }])
})

test('a lock that is never released ends the start with one line and without changes', async () => {
  const node = await openNode(BOOKS)
  await node.migrate()
  await node.add({
    '0002-shelf': `export const up = 'create table shelves (); alter table books add column shelf text'`,
  })
  await node.other.query('begin; lock table books')
  let waits = 0
  await assert.rejects(node.migrate({ onWait: async () => void (waits += 1) }), {
    name: 'MigrationError',
    message:
      'Migration 0002-shelf got no lock in 10 attempts (canceling statement due to lock timeout): end long transactions in the database, then start again',
  })
  assert.equal(waits, 9)
  await node.other.query('rollback')
  assert.deepEqual(await node.query(`select to_regclass('shelves') as shelves`), [{ shelves: null }])
  assert.deepEqual((await node.migrate()).ran, ['0002-shelf'])
})

test('a failed migration is rolled back completely and named in one line, and earlier migrations remain', async () => {
  const node = await openNode({
    ...BOOKS,
    '0002-broken': `export const up = 'create table shelves (); alter table shelfs add column x text'`,
  })
  await assert.rejects(node.migrate(), {
    name: 'MigrationError',
    message: 'Migration 0002-broken failed: relation "shelfs" does not exist',
  })
  assert.deepEqual(await node.query(`select name, to_regclass('shelves') as shelves from migrations`), [
    { name: '0001-books', shelves: null },
  ])
})

test('an index is built concurrently, outside a transaction, and recorded', async () => {
  const node = await openNode({ ...BOOKS, ...INDEX })
  assert.deepEqual((await node.migrate()).ran, ['0001-books', '0002-titles'])
  assert.deepEqual(await node.query(isIndexValid), [{ valid: true }])
  assert.deepEqual((await node.migrate()).ran, [])
})

test('an index that a cancelled build left invalid is dropped and built again', async () => {
  const node = await openNode(BOOKS)
  await node.migrate()
  await node.query(`insert into books values (1, 'Emma'), (2, 'Emma')`)
  await assert.rejects(node.query('create unique index concurrently books_title on books (title)'))
  assert.deepEqual(await node.query(isIndexValid), [{ valid: false }])
  await node.add(INDEX)
  assert.deepEqual((await node.migrate()).ran, ['0002-titles'])
  assert.deepEqual(await node.query(isIndexValid), [{ valid: true }])
  assert.deepEqual(await node.query(`select indisunique from pg_index where indexrelid = 'books_title'::regclass`), [
    { indisunique: false },
  ])
})

test('an index build that waits too long for older transactions is retried from the start', async () => {
  const node = await openNode(BOOKS)
  await node.migrate()
  await node.add(INDEX)
  await node.other.query(`begin; insert into books values (1, 'Emma')`)
  const leftovers: object[] = []
  const { ran, lines } = await node.migrate({
    async onWait() {
      leftovers.push(...(await node.query(isIndexValid)))
      await node.other.query('commit')
    },
  })
  assert.deepEqual(ran, ['0002-titles'])
  assert.deepEqual(leftovers, [{ valid: false }])
  assert.equal(lines.length, 1)
  assert.deepEqual(await node.query(isIndexValid), [{ valid: true }])
})

test('of two processes that start at the same time, one migrates, and the other waits without a snapshot', async () => {
  const node = await openNode(BOOKS)
  await node.migrate()
  await node.add({ ...INDEX, '0003-pages': `export const up = 'alter table books add column pages integer'` })
  // The index build of the first process waits for this transaction, which ends when the second process waits. From
  // then on, a snapshot of the second process would block the build.
  await node.other.query(`begin; insert into books values (1, 'Emma')`)
  const first = node.migrate({ indexLockTimeoutMs: 2_000 })
  await until(async () => (await node.query(isBuildWaiting))[0])
  const second = await node.migrate({
    async onWait() {
      await node.other.query('commit')
      await first
    },
  })
  assert.deepEqual((await first).ran, ['0002-titles', '0003-pages'])
  assert.deepEqual(second.ran, [])
  assert.deepEqual(
    second.lines.map(({ msg }) => msg),
    ['Another process migrates the database; waiting for it'],
  )
})

test('a process reports once that it waits, if another one migrates for longer than two seconds', async () => {
  const node = await openNode(BOOKS)
  await node.other.query('select pg_advisory_lock(4711001)')
  const waitFor = (seconds: number) => {
    let waitedMs = 0
    return async (ms: number) => {
      waitedMs += ms
      if (waitedMs >= seconds * 1000) await node.other.query('select pg_advisory_unlock_all()')
    }
  }
  assert.deepEqual((await node.migrate({ onWait: waitFor(60) })).blocked, 1)
  await node.other.query('select pg_advisory_lock(4711001)')
  assert.deepEqual((await node.migrate({ onWait: waitFor(1) })).blocked, 0)
})

test('processes that start at the same time on an empty database create its tables once', async () => {
  const node = await openNode({ ...BOOKS, ...SHELF })
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  const nodes = await Promise.all([1, 2, 3, 4].map(() => node.migrate({ onWait: turn })))
  assert.deepEqual(
    nodes.flatMap(({ ran }) => ran),
    ['0001-books', '0002-shelf'],
  )
})

test('a database with migrations from before the first release is rejected in one line and not changed', async () => {
  const node = await openNode(BOOKS)
  await node.query('create table migrations (name text primary key, applied_at timestamptz not null default now())')
  await node.query(`insert into migrations (name) values ('0001-accounts'), ('0002-oauth')`)
  await assert.rejects(node.migrate(), {
    name: 'MigrationError',
    message:
      'The database has the tables of a version from before the first release, which cannot be converted: use an empty database',
  })
  assert.deepEqual(await node.query(`select to_regclass('jobs') as jobs`), [{ jobs: null }])
  assert.deepEqual(await node.query(`select tablename from pg_tables where schemaname = 'public'`), [
    { tablename: 'migrations' },
  ])
})

test('a previous version starts with a database that a later version has migrated', async () => {
  const node = await openNode(BOOKS)
  await node.migrate()
  await node.query(`insert into migrations (name) values ('0009-later')`)
  assert.deepEqual((await node.migrate()).ran, [])
})

test('an invalid migration file or an index statement that cannot be repeated fails before any change', async () => {
  const node = await openNode(BOOKS)
  for (const [text, expected] of [
    ['export const down = 1', /^Migration 0002-x must export either up, .* or concurrentIndexes/],
    [`export const up = 'select 1'; export const concurrentIndexes = ['x']`, /^Migration 0002-x must export either/],
    ['export const concurrentIndexes = []', /^Migration 0002-x must export either/],
    [
      `export const concurrentIndexes = ['create index concurrently x on books (title)']`,
      /must begin with "create index/,
    ],
  ] as const) {
    const other = await openNode({ ...BOOKS, '0002-x': text })
    await assert.rejects(other.migrate(), (err: Error) => err.name === 'MigrationError' && expected.test(err.message))
    assert.deepEqual(await other.query(`select to_regclass('books') as books`), [{ books: null }])
  }
  assert.deepEqual((await node.migrate()).ran, ['0001-books'])
})
