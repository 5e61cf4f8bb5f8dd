import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '../src/platform/db/embedded.ts'
import { createLog } from '../src/platform/log.ts'
import { dumpDatabase, writeDump } from '../test/upgrade/dump.ts'
import { openFilledWorld } from '../test/upgrade/fill-every-table.ts'

/** Fills a world in a database that exists only for this, and writes it down. */
async function dumpBaseline(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'linnet-baseline-'))
  const database = await startEmbedded({ dataDir, log: createLog('error') })
  process.env['TEST_POSTGRES'] = JSON.stringify(database.connection)
  try {
    const { world, token } = await openFilledWorld()
    const client = new pg.Client(world.connection)
    await client.connect()
    const dump = await dumpDatabase(client, token)
    await client.end()
    await world.close()
    const empty = Object.keys(dump.tables).filter((table) => dump.tables[table]!.length === 0)
    assert.deepEqual(empty, [], 'these tables are empty: add rows to test/upgrade/fill-every-table.ts')
    await writeDump(dump)
  } finally {
    await database.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

await dumpBaseline()
