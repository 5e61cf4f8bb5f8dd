import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../src/platform/db/embedded.ts'
import type { EmbeddedDatabase } from '../src/platform/db/embedded.ts'
import { createLog } from '../src/platform/log.ts'

/**
 * The suite's own PostgreSQL, the embedded one as people get it: started once, before the first test file, and gone
 * with its folder after the last. A `TEST_POSTGRES` of the environment is used instead.
 */
let database: EmbeddedDatabase | undefined
let folder: string | undefined

export async function globalSetup(): Promise<void> {
  if (process.env.TEST_POSTGRES) return
  folder = await mkdtemp(join(tmpdir(), 'linnet-suite-'))
  database = await startEmbedded({ dataDir: folder, log: createLog('error') })
  process.env.TEST_POSTGRES = JSON.stringify(database.connection)
}

export async function globalTeardown(): Promise<void> {
  await database?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
}
