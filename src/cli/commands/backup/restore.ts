import { readFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import type pg from 'pg'
import { BackupError } from '../../../platform/db/backup/backup-error.ts'
import { restoreFile } from '../../../platform/db/backup/copy-files.ts'
import { hasAccounts, listAppliedMigrations } from '../../../platform/db/backup/describe-tables.ts'
import { loadTables } from '../../../platform/db/backup/load-tables.ts'
import { readManifest } from '../../../platform/db/backup/manifest.ts'
import type { Manifest } from '../../../platform/db/backup/manifest.ts'
import { readConfig } from '../../../platform/config/config.ts'
import type { Config } from '../../../platform/config/config.ts'
import { createDataFolder } from '../../../platform/data-folder/create-data-folder.ts'
import { createPool } from '../../../platform/db/connection.ts'
import type { Queryable } from '../../../platform/db/connection.ts'
import { acquireMigrationLock, migrate } from '../../../platform/db/migrate.ts'
import { openDatabase } from '../../../platform/db/open-database.ts'
import { listMigrations, MIGRATIONS_FOLDER } from '../../../platform/db/read-migrations.ts'
import { statement } from '../../../platform/db/statement.ts'
import { createLog } from '../../../platform/log/log.ts'
import { runOrReport } from '../../command-error.ts'
import { allowCreatingData } from '../../data-use.ts'
import { allowJson, printResult } from '../../output/print-result.ts'
import type { OutputOptions } from '../../output/print-result.ts'
import { showProgress } from '../../output/show-progress.ts'

const HELP = `
DATA_DIR and DATABASE_URL must name an empty data folder and an empty database, which may be another version of
PostgreSQL. A damaged backup changes no table. Mails and push notifications that waited at the time of the backup are
not sent, because they may have been sent since.`

const findOtherSessions = statement<{ row: { pid: number } }>(
  `select pid from pg_stat_activity where datname = current_database()
     and application_name in ('linnet', 'linnet bus', 'linnet worker')`,
)

/** Adds `linnet restore`. */
export function restoreCommand(program: Command): void {
  allowJson(allowCreatingData(program.command('restore <folder>')))
    .description('restore a backup into an empty data folder and database')
    .addHelpText('after', HELP)
    .action((folder: string, options: OutputOptions) =>
      runOrReport(async () => {
        const config = readConfig()
        const manifest = await restore(resolve(folder), config)
        const { localDomain, createdAt, hasMedia, files } = manifest
        const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
        const result = { localDomain, createdAt, tables: manifest.tables.length, rows, files: files.length, hasMedia }
        printResult(options, { result, lines: describe(result, config) })
      }),
    )
}

async function restore(folder: string, config: Config): Promise<Manifest> {
  const manifest = await readManifest(folder)
  await checkVersion(manifest)
  if (config.databaseUrl !== null) await createDataFolder(config.dataDir)
  const progress = showProgress()
  const log = createLog('warn')
  const database = await openDatabase(config, { opener: 'tool', log, onProgress: (text) => progress(0, text) })
  const options = { max: 1, onError: () => {}, maxSilenceMs: 0, copies: true, name: 'linnet restore' }
  const pool = createPool(database.connection, options)
  try {
    await checkUnused(pool)
    await migrate(pool, { log, only: new Set(manifest.migrations) })
    const client = await pool.connect()
    try {
      // A server that starts from now on waits until the rows are there.
      await acquireMigrationLock(client, { log })
      await checkUnused(client)
      await checkEmpty(client, manifest)
      await checkExistingSecrets(manifest, config)
      for (const [n, file] of manifest.files.entries()) {
        progress(n / manifest.files.length / 2, 'Copying the files')
        await restoreFile(file, { from: folder, to: config.dataDir })
      }
      await loadTables(client, {
        folder,
        manifest,
        onTable: (done) => progress(0.5 + done / 2.1, 'Loading the tables'),
      })
    } finally {
      client.release(true)
    }
    await migrate(pool, { log })
    progress(1, 'Loading the tables')
    return manifest
  } finally {
    await pool.end()
    await database.close()
  }
}

/** @throws BackupError if a newer version of Linnet wrote the backup */
async function checkVersion({ migrations, linnetVersion }: Manifest): Promise<void> {
  const known = new Set(await listMigrations(MIGRATIONS_FOLDER))
  if (!migrations.every((name) => known.has(name)))
    throw new BackupError(`The backup is from a newer version of Linnet (${linnetVersion}): install that one first`)
}

/** @throws BackupError if a server or another command uses the database: a server would not notice the new rows */
async function checkUnused(db: Queryable): Promise<void> {
  if ((await findOtherSessions(db)).length > 0)
    throw new BackupError('Another process of Linnet uses the database: stop the server first')
}

/** @throws BackupError if the database contains accounts, or tables of a newer version */
async function checkEmpty(client: pg.ClientBase, { migrations }: Manifest): Promise<void> {
  if (await hasAccounts(client))
    throw new BackupError('The database already contains accounts: restore into an empty database')
  const inBackup = new Set(migrations)
  const applied = await listAppliedMigrations(client)
  if (!applied.every((name) => inBackup.has(name)))
    throw new BackupError('The database has newer tables than the backup: restore into an empty database')
}

/** @throws BackupError if the data folder has other secrets */
async function checkExistingSecrets({ files }: Manifest, { dataDir }: Config): Promise<void> {
  const path = join(dataDir, 'secrets.json')
  const existing = await readFile(path).catch((err: NodeJS.ErrnoException) => {
    if (err.code === 'ENOENT') return null
    throw err
  })
  if (existing === null) return
  const expected = files.find((file) => file.path === 'secrets.json')
  if (createHash('sha256').update(existing).digest('hex') !== expected?.sha256)
    throw new BackupError(`${path} exists and is not that of the backup: restore into an empty data folder`)
}

function describe(
  result: Pick<Manifest, 'localDomain' | 'createdAt' | 'hasMedia'> & { rows: number; files: number },
  { s3, dataDir }: Config,
): string[] {
  const { localDomain, createdAt, rows, files, hasMedia } = result
  return [
    `Restored ${rows} rows and ${files} files of ${createdAt}`,
    ...(hasMedia && s3 !== null ? [`Media were restored to ${join(dataDir, 'media')}: copy them to the bucket`] : []),
    ...(!hasMedia && s3 === null ? ['The media of this server are in a bucket: set S3_ENABLED and its settings'] : []),
    ...(localDomain === null ? [] : [`Start the server with LOCAL_DOMAIN=${localDomain}`]),
  ]
}
