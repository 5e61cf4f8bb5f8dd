import assert from 'node:assert/strict'
import { copyFile, cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { generateTables } from '../../bin/tables.ts'
import { createPool } from '../../src/platform/db/connection.ts'
import type { Connection } from '../../src/platform/db/connection.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { MIGRATIONS_FOLDER } from '../../src/platform/db/read-migrations.ts'
import { createLog } from '../../src/platform/log/log.ts'
import { createClient } from '../http/client.ts'
import { cloneDatabase, createEmptyDatabase } from '../services/database/test-database.ts'
import { openTestServer } from '../servers/test-server.ts'
import { countRows, dumpDatabase, hashMigrations, readDump, restoreDump } from './dump.ts'

const dump = await readDump()
const log = createLog('error')

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-upgrade-'))
  after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Creates a database with only the migrations and the rows of the dump. */
async function restoreBaseline() {
  const database = await createEmptyDatabase()
  const pool = createPool(database.connection, { max: 3, onError: () => {} })
  const client = new pg.Client(database.connection)
  await client.connect()
  after(async () => {
    await client.end()
    await pool.end()
    await database.drop()
  })
  const folder = await createFolder()
  for (const name of Object.keys(dump.migrations)) {
    await copyFile(join(MIGRATIONS_FOLDER, `${name}.ts`), join(folder, `${name}.ts`))
  }
  await migrate(pool, { log, folder })
  await restoreDump(client, dump)
  return { database, pool, client }
}

test('the dump of the baseline matches the current migrations', async () => {
  const hashes = await hashMigrations()
  const changed = Object.keys(dump.migrations).filter((name) => dump.migrations[name] !== hashes[name])
  assert.deepEqual(
    changed,
    [],
    `test/upgrade/baseline.json.gz is stale: ${changed.join(', ')} changed since it was written. Before the first release, run \`npm run dump-baseline\`; after a release, restore these files and add a migration`,
  )
})

test('every table of the baseline has rows in the dump', () => {
  const empty = Object.keys(dump.tables).filter((table) => dump.tables[table]!.length === 0)
  assert.deepEqual(empty, [], 'add rows to test/upgrade/fill-every-table.ts and run `npm run dump-baseline`')
})

test('every later migration upgrades a filled database of the baseline, which retains its rows and serves requests', async () => {
  const { database, pool, client } = await restoreBaseline()
  assert.deepEqual((await dumpDatabase(client, dump.token)).tables, dump.tables)
  const expected = Object.keys(await hashMigrations()).filter((name) => dump.migrations[name] === undefined)
  assert.deepEqual(await migrate(pool, { log }), expected)

  // Add an exception here if a migration is meant to delete rows or a table, or to add rows.
  const added: Record<string, number> = { settings: ['hashtags:unmarked'].length }
  const counts = await countRows(client)
  for (const [table, rows] of Object.entries(dump.tables))
    assert.equal(counts[table], rows.length + (added[table] ?? 0), table)

  const fresh = await cloneDatabase()
  const freshClient = new pg.Client(fresh.connection)
  await freshClient.connect()
  const types = await generateTables(freshClient)
  await freshClient.end()
  await fresh.drop()
  assert.equal(await generateTables(client), types)

  await checkServer(database.connection)
})

/** Opens a server on an upgraded database, and checks that it records a status, runs jobs and serves timelines. */
async function checkServer(connection: Connection): Promise<void> {
  const testServer = await openTestServer({ database: { connection, drop: async () => {} } })
  const reader = createClient(testServer.server, { token: dump.token })
  const posted = await reader.post('/api/v1/statuses', { status: 'After the upgrade' })
  assert.equal(posted.status, 200, JSON.stringify(posted.body))
  await testServer.waitForJobs()
  for (const path of ['/api/v1/timelines/public', '/api/v1/timelines/home']) {
    const { status, body } = await reader.get(path)
    assert.equal(status, 200, path)
    assert.equal(body[0].id, posted.body.id, path)
  }
  assert.ok((await reader.get('/api/v1/timelines/public')).body.length > 1)
  await testServer.close()
}

test('a later migration that is valid only for empty tables fails on filled ones', async () => {
  const { pool } = await restoreBaseline()
  const folder = await createFolder()
  await cp(MIGRATIONS_FOLDER, folder, { recursive: true })
  await writeFile(
    join(folder, '9999-mood.ts'),
    `export const up = 'alter table status_edits add column mood text not null'`,
  )
  const empty = await cloneDatabase()
  const emptyPool = createPool(empty.connection, { max: 3, onError: () => {} })
  assert.deepEqual(await migrate(emptyPool, { log, folder }), ['9999-mood'])
  await emptyPool.end()
  await empty.drop()
  await assert.rejects(migrate(pool, { log, folder }), {
    message: 'Migration 9999-mood failed: column "mood" of relation "status_edits" contains null values',
  })
})
