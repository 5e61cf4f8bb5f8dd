import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { seedDatabase } from '../../bin/dataset/seed-database.ts'
import type { Dataset } from '../../bin/dataset/plan-statements.ts'
import { showProgress } from '../../src/cli/output/show-progress.ts'
import { openApp } from '../../src/app.ts'
import { recordServerAddress } from '../../src/domain/instance/server-address.ts'
import { rebuildSearchIndex } from '../../src/domain/search/index-backlog.ts'
import { prepareDatabase } from '../../src/open.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { startEmbeddedDatabase } from '../../src/platform/db/embedded/embedded-database.ts'
import { createLog } from '../../src/platform/log/log.ts'

const CODE = ['../../migrations', '../../bin/dataset']

/** The name of the database that remains as it was seeded. */
const TEMPLATE_DATABASE = 'seeded'

const onProgress = (text: string): void => console.error(text)

/** Returns a hash of the parameters of the dataset and of the code that creates it. */
function datasetFingerprint(dataset: Dataset): string {
  const hash = createHash('sha1').update(JSON.stringify(dataset))
  for (const folder of CODE) {
    const path = join(import.meta.dirname, folder)
    for (const file of readdirSync(path).toSorted()) hash.update(readFileSync(join(path, file)))
  }
  return hash.digest('hex')
}

/**
 * Creates a data folder with a newly seeded database. The seeded database is stored as a template, so that only the
 * first run takes long. Returns the ids of the accounts with feeds.
 */
export async function prepareDataset(
  env: Record<string, string> & { DATA_DIR: string },
  dataset: Dataset,
): Promise<string[]> {
  const noteFile = join(env.DATA_DIR, 'bench.json')
  const expectedFingerprint = datasetFingerprint(dataset)
  const note = existsSync(noteFile)
    ? (JSON.parse(await readFile(noteFile, 'utf8')) as { made: string; ids: string[] })
    : null
  if (note?.made !== expectedFingerprint) {
    await rm(env.DATA_DIR, { recursive: true, force: true })
    await mkdir(env.DATA_DIR, { recursive: true })
    const ids = await seed(env, dataset)
    await copyDatabase(env.DATA_DIR, { from: 'linnet', to: TEMPLATE_DATABASE })
    await writeFile(noteFile, JSON.stringify({ made: expectedFingerprint, ids }))
    return ids
  }
  await copyDatabase(env.DATA_DIR, { from: TEMPLATE_DATABASE, to: 'linnet' })
  return note.ids
}

async function seed(env: Record<string, string>, dataset: Dataset): Promise<string[]> {
  const config = readConfig(env)
  const { connection, log, close } = await prepareDatabase(config, { opener: 'tool', onProgress })
  try {
    const app = await openApp(config, { connection, log })
    // Otherwise the first start would update the URIs of all accounts.
    await app.ctx.write(recordServerAddress)
    const { accountIds } = await seedDatabase(app.ctx, { connection, dataset, onProgress: showProgress() })
    await rebuildSearchIndex(app.ctx, { onProgress: showProgress() })
    await app.close()
    return accountIds.slice(0, dataset.feeds)
  } finally {
    await close()
  }
}

async function copyDatabase(dataDir: string, { from, to }: { from: string; to: string }): Promise<void> {
  const database = await startEmbeddedDatabase({ dataDir, log: createLog('error'), onProgress })
  const admin = new pg.Client({ ...database.connection, database: 'template1' })
  await admin.connect()
  try {
    await admin.query(`drop database if exists ${to} with (force)`)
    await admin.query(`create database ${to} template ${from} strategy file_copy`)
    await admin.query('checkpoint')
  } finally {
    await admin.end()
    await database.stop()
  }
}
