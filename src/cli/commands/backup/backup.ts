import { mkdir, readdir, rm } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import type { Command } from 'commander'
import manifest from '../../../../package.json' with { type: 'json' }
import { findServerAddress } from '../../../domain/instance/server-address.ts'
import { BackupError } from '../../../platform/db/backup/backup-error.ts'
import { copyFile, listMediaFiles } from '../../../platform/db/backup/copy-files.ts'
import { dumpTables, TABLES_FOLDER } from '../../../platform/db/backup/dump-tables.ts'
import { writeManifest } from '../../../platform/db/backup/manifest.ts'
import type { BackupFile } from '../../../platform/db/backup/manifest.ts'
import { createDb, createPool } from '../../../platform/db/connection.ts'
import { createWithParents } from '../../../platform/data-folder/create-data-folder.ts'
import { checkSecrets } from '../../../platform/check-secrets.ts'
import { runOrReport } from '../../command-error.ts'
import { requireData } from '../../data-use.ts'
import { allowJson, printResult } from '../../output/print-result.ts'
import type { OutputOptions } from '../../output/print-result.ts'
import { showProgress } from '../../output/show-progress.ts'
import type { DatabaseContext } from '../database-context.ts'

const HELP = `
The server can keep running. The backup contains the tables, secrets.json and the media without the cache of remote
files; media in a bucket are not included. Protect it like passwords.`

interface BackupResult {
  folder: string
  tables: number
  rows: number
  files: number
  bytes: number
  hasMedia: boolean
}

/** Adds `linnet backup`. */
export function backupCommand(program: Command, open: () => Promise<DatabaseContext>): void {
  allowJson(requireData(program.command('backup <folder>')))
    .description('write a backup of the server to a new folder')
    .addHelpText('after', HELP)
    .action((folder: string, options: OutputOptions) =>
      runOrReport(async () => {
        const context = await open()
        try {
          const result = await backUp(resolve(folder), context)
          printResult(options, { result, lines: describe(result) })
        } finally {
          await context.close()
        }
      }),
    )
}

async function backUp(folder: string, context: DatabaseContext): Promise<BackupResult> {
  await createBackupFolder(folder, { dataDir: context.config.dataDir })
  try {
    return await writeBackup(folder, context)
  } catch (err) {
    // Otherwise a full disk would stay full, and the next backup would not accept the folder.
    for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true })
    throw err
  }
}

async function writeBackup(folder: string, { config, connection }: DatabaseContext): Promise<BackupResult> {
  const progress = showProgress()
  const pool = createPool(connection, { max: 1, onError: () => {}, maxSilenceMs: 0, copies: true })
  try {
    const db = createDb(pool)
    // A backup without the right secrets could not be used.
    await checkSecrets(db, config)
    const address = await findServerAddress(db)
    const client = await pool.connect()
    const dump = await dumpTables(client, {
      folder,
      onTable: (done) => progress(done / 2, 'Copying the tables'),
    }).finally(() => client.release(true))
    const hasMedia = config.s3 === null
    // After the tables: a file is stored before the row that names it.
    const paths = ['secrets.json', ...(hasMedia ? await listMediaFiles(config.dataDir) : [])]
    const files: BackupFile[] = []
    for (const [n, path] of paths.entries()) {
      progress(0.5 + n / paths.length / 2, 'Copying the files')
      const copied = await copyFile(path, { from: config.dataDir, to: folder })
      if (copied) files.push(copied)
    }
    await writeManifest(folder, {
      linnetVersion: manifest.version,
      createdAt: new Date().toISOString(),
      localDomain: address?.localDomain ?? null,
      ...dump,
      files,
      hasMedia,
    })
    progress(1, 'Copying the files')
    const allFiles = [...files, ...dump.tables.map(({ file }) => file)]
    return {
      folder,
      tables: dump.tables.length,
      rows: dump.tables.reduce((sum, { rows }) => sum + rows, 0),
      files: files.length,
      bytes: allFiles.reduce((sum, { bytes }) => sum + bytes, 0),
      hasMedia,
    }
  } finally {
    await pool.end()
  }
}

/**
 * Creates the folder with an empty folder for the tables, unless a backup is being written to it at the same time.
 * @throws BackupError if it cannot be created, contains something, or is inside the data folder
 */
async function createBackupFolder(folder: string, { dataDir }: { dataDir: string }): Promise<void> {
  // The server publishes files of the data folder, and the next backups would contain this one.
  if (!/^\.\.(\/|$)/.test(relative(dataDir, folder)))
    throw new BackupError(`${folder} is inside the data folder: name a folder outside of it`)
  try {
    await createWithParents(folder, { mode: 0o700 })
    if ((await readdir(folder)).length === 0) return await mkdir(join(folder, TABLES_FOLDER), { mode: 0o700 })
  } catch (cause) {
    const { code, message, path = '' } = cause as NodeJS.ErrnoException
    const isParentFile = folder.startsWith(`${path}/`)
    if (code !== 'EEXIST' || isParentFile) throw new BackupError(`${folder} can't be created: ${message}`, { cause })
  }
  throw new BackupError(`${folder} is not an empty folder: name a new one for the backup`)
}

function describe({ folder, tables, rows, files, bytes, hasMedia }: BackupResult): string[] {
  const size = `${(bytes / 1_000_000).toFixed(1)} MB`
  return [
    `Backed up ${rows} rows of ${tables} tables and ${files} files (${size}) to ${folder}`,
    ...(hasMedia ? [] : ['Media are in a bucket, which needs its own backup']),
  ]
}
