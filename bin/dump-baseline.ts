import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedDatabase } from '../src/platform/db/embedded/embedded-database.ts'
import { createLog } from '../src/platform/log/log.ts'
import { dumpDatabase, writeDump } from '../test/upgrade/dump.ts'
import { openFilledServer } from '../test/upgrade/fill-every-table.ts'

/** Fills a temporary database with rows in every table, and writes the dump for the upgrade test. */
async function dumpBaseline(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'linnet-baseline-'))
  const database = await startEmbeddedDatabase({ dataDir, log: createLog('error') })
  process.env['TEST_POSTGRES'] = JSON.stringify(database.connection)
  try {
    const { testServer, token } = await openFilledServer()
    const client = new pg.Client(testServer.connection)
    await client.connect()
    const dump = await dumpDatabase(client, token)
    await client.end()
    await testServer.close()
    const empty = Object.keys(dump.tables).filter((table) => dump.tables[table]!.length === 0)
    assert.deepEqual(empty, [], 'these tables are empty: add rows to test/upgrade/fill-every-table.ts')
    await writeDump(dump)
  } finally {
    await database.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

await dumpBaseline()
