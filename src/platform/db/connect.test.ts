import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { countQueries } from '../../../test/performance/count-queries.ts'
import { cloneDatabase } from '../../../test/services/database/test-database.ts'
import { openTcpProxy } from '../../../test/services/tcp-proxy.ts'
import { createDb, createPool, isDatabaseUnreachable } from './connection.ts'
import { statement } from './statement.ts'

const database = await cloneDatabase()
const pool = createPool(database.connection, { max: 1, onError: () => {} })
const db = createDb(pool)
after(async () => {
  await pool.end()
  await database.drop()
})

const add = statement<{ params: { name: string }; row: { name: string } }>(
  `insert into settings (name, value) values ($name, '1') returning name`,
)
const find = statement<{ params: { name: string }; row: { name: string } }>(
  `select name from settings where name = $name`,
)
const fail = statement(`select 1 / 0`)
const listPrepared = statement<{ row: { statement: string } }>(`select statement from pg_prepared_statements`)
const findSession = statement<{ row: { id: number } }>(`select pg_backend_pid() as id`)

test('sessions use generic plans and compile no statements, whatever the database does by default', async () => {
  const open = (settings?: Record<string, string>) =>
    createPool(database.connection, { max: 1, onError: () => {}, ...(settings && { settings }) })
  const before = open()
  await before.query(`do $$ begin execute format('alter database %I set jit = on', current_database()); end $$`)
  await before.end()
  const after = open({ enable_seqscan: 'off' })
  const names = ['jit', 'plan_cache_mode', 'enable_seqscan']
  const { rows } = await after.query(`select ${names.map((name) => `current_setting('${name}') as ${name}`).join()}`)
  await after.end()
  assert.deepEqual(Object.values(rows[0]), ['off', 'force_generic_plan', 'off'])
})

test('a transaction commits its writes and returns the result of its work', async () => {
  const [row] = await db.transaction(async (tx) => {
    assert.equal(tx.isTransaction, true)
    return add(tx, { name: 'committed' })
  })
  assert.equal(row!.name, 'committed')
  assert.equal((await find(db, { name: 'committed' })).length, 1)
})

test('a transaction whose work rejects is rolled back, and its connection is reused', async () => {
  const [before] = await findSession(db)
  const work = db.transaction(async (tx) => {
    await add(tx, { name: 'rolled back' })
    throw new Error('The work failed')
  })
  await assert.rejects(work, /The work failed/)
  assert.deepEqual(await find(db, { name: 'rolled back' }), [])
  assert.deepEqual(await findSession(db), [before])
})

test('a transaction rejects if a statement failed and its work ignored that', async () => {
  const work = db.transaction(async (tx) => {
    await add(tx, { name: 'lost' })
    await fail(tx).catch(() => {})
  })
  await assert.rejects(work, /The transaction was rolled back/)
  assert.deepEqual(await find(db, { name: 'lost' }), [])
})

test('a connection whose rollback fails is closed instead of reused', async () => {
  const [before] = await findSession(db)
  const work = db.transaction(async (tx) => {
    await add(tx, { name: 'interrupted' })
    // Simulates the loss of the server.
    const other = createPool(database.connection, { max: 1, onError: () => {} })
    await other.query('select pg_terminate_backend($1)', [before!.id])
    await other.end()
    await find(tx, { name: 'interrupted' })
  })
  await assert.rejects(work)
  const [now] = await findSession(db)
  assert.notEqual(now!.id, before!.id)
  assert.deepEqual(await find(db, { name: 'interrupted' }), [])
})

test('statements of an ended transaction are rejected, and so are nested transactions', async () => {
  const ended = await db.transaction(async (tx) => {
    await assert.rejects(
      tx.transaction(async () => {}),
      /A transaction cannot begin inside another one/,
    )
    return tx
  })
  await assert.rejects(find(ended, { name: 'committed' }), /The transaction has ended/)
})

test('concurrent statements of a transaction are sent one after the other', async () => {
  const names = await db.transaction(async (tx) =>
    Promise.all([add(tx, { name: 'one' }), add(tx, { name: 'two' }), find(tx, { name: 'one' })]),
  )
  assert.deepEqual(names.flat(), [{ name: 'one' }, { name: 'two' }, { name: 'one' }])
})

test('a transaction is sent in two parts if its statements do not wait for each other’s results', async () => {
  const target = { path: `${database.connection.host}/.s.PGSQL.${database.connection.port}` }
  const proxy = await openTcpProxy(target)
  const countingPool = createPool(
    { ...database.connection, host: '127.0.0.1', port: proxy.port },
    { max: 1, onError() {} },
  )
  try {
    const counted = createDb(countingPool)
    await find(counted, { name: 'one' })
    const before = proxy.sent
    await counted.transaction(async (tx) => Promise.all([find(tx, { name: 'one' }), find(tx, { name: 'two' })]), {
      beforeCommit: async (tx) => void (await add(tx, { name: 'last' })),
    })
    assert.equal(proxy.sent - before, 2)
    assert.equal((await find(counted, { name: 'last' })).length, 1)
  } finally {
    await countingPool.end()
    await proxy.close()
  }
})

test('a transaction whose last statement fails is rolled back, and rejects with its error', async () => {
  const work = db.transaction(async (tx) => add(tx, { name: 'not last' }), {
    beforeCommit: async (tx) => void (await fail(tx)),
  })
  await assert.rejects(work, /division by zero/)
  assert.deepEqual(await find(db, { name: 'not last' }), [])
})

test('a transaction is rolled back if its last statement cannot even be sent', async () => {
  const work = db.transaction(async (tx) => add(tx, { name: 'without its last' }), {
    beforeCommit: async () => {
      throw new Error('No JSON')
    },
  })
  await assert.rejects(work, /No JSON/)
  assert.deepEqual(await find(db, { name: 'without its last' }), [])
})

test('after a statement that fails, those that were sent with it fail, too', async () => {
  const results = await db
    .transaction(async (tx) => Promise.allSettled([fail(tx), add(tx, { name: 'after a failure' })]))
    .catch((err: unknown) => err)
  assert.match(String(results), /The transaction was rolled back/)
  assert.deepEqual(await find(db, { name: 'after a failure' }), [])
})

test('each statement is prepared once per connection, but begin, commit and rollback never', async () => {
  assert.equal(await countQueries(() => db.transaction(async (tx) => find(tx, { name: 'one' }))), 3)
  await find(db, { name: 'two' })
  const prepared = (await listPrepared(db)).map((row) => row.statement)
  assert.equal(prepared.filter((text) => text === 'select name from settings where name = $1').length, 1)
  assert.deepEqual(
    prepared.filter((text) => /^(begin|commit|rollback)/.test(text)),
    [],
  )
})

test('a statement fails if its connection is lost without being closed, and the next one uses a new connection', async (t) => {
  const { host, port, user, database: name } = database.connection
  const proxy = await openTcpProxy({ path: join(host!, `.s.PGSQL.${port}`) })
  const connection = { host: '127.0.0.1', port: proxy.port, user: user!, database: name! }
  const lossyPool = createPool(connection, { max: 1, onError: () => {}, maxSilenceMs: 300 })
  t.after(async () => {
    await lossyPool.end()
    await proxy.close()
  })
  const lossyDb = createDb(lossyPool)
  const [before] = await findSession(lossyDb)
  proxy.loseConnections()
  await assert.rejects(findSession(lossyDb), isDatabaseUnreachable)
  const [afterwards] = await findSession(lossyDb)
  assert.notEqual(afterwards!.id, before!.id)
  proxy.loseConnections()
  await assert.rejects(
    lossyDb.transaction(async (tx) => findSession(tx)),
    isDatabaseUnreachable,
  )
  assert.equal((await findSession(lossyDb)).length, 1)
})

test('a write that fails because the server has become read-only is not repeated on the same connection', async (t) => {
  const failoverPool = createPool(database.connection, { max: 1, onError: () => {} })
  t.after(() => failoverPool.end())
  const failoverDb = createDb(failoverPool)
  const write = async (name: string) => add(failoverDb, { name })
  const writeInTransaction = async (name: string) => failoverDb.transaction(async (tx) => add(tx, { name }))
  for (const [n, one] of [write, writeInTransaction].entries()) {
    await failoverDb.query('set default_transaction_read_only = on', [])
    await assert.rejects(one(`failover ${n}`), isDatabaseUnreachable)
    await one(`failover ${n}`)
  }
})

test('a database without a socket is unreachable, in contrast to a file that does not exist', async () => {
  const missing = join(import.meta.dirname, 'missing')
  const unreachable = createPool({ ...database.connection, host: missing }, { max: 1, onError: () => {} })
  await assert.rejects(findSession(createDb(unreachable)), isDatabaseUnreachable)
  await unreachable.end()
  await assert.rejects(readFile(missing), (err) => !isDatabaseUnreachable(err))
})
