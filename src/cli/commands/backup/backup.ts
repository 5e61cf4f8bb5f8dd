import { mkdir, readdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import manifest from '../../../../package.json' with { type: 'json' }
import { findServerAddress } from '../../../domain/instance/server-address.ts'
import { BackupError } from '../../../platform/db/backup/backup-error.ts'
import { copyFile, listMediaFiles } from '../../../platform/db/backup/copy-files.ts'
import { dumpTables } from '../../../platform/db/backup/dump-tables.ts'
import { writeManifest } from '../../../platform/db/backup/manifest.ts'
import type { BackupFile } from '../../../platform/db/backup/manifest.ts'
import { createDb, createPool } from '../../../platform/db/connection.ts'
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

async function backUp(folder: string, { config, connection }: DatabaseContext): Promise<BackupResult> {
  await createEmptyFolder(folder)
  const progress = showProgress()
  const pool = createPool(connection, { max: 1, onError: () => {}, maxSilenceMs: 0 })
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

/** @throws BackupError if the folder contains something */
async function createEmptyFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await readdir(folder)).length > 0)
    throw new BackupError(`${folder} is not empty: name a new folder for the backup`)
}

function describe({ folder, tables, rows, files, bytes, hasMedia }: BackupResult): string[] {
  const size = `${(bytes / 1_000_000).toFixed(1)} MB`
  return [
    `Backed up ${rows} rows of ${tables} tables and ${files} files (${size}) to ${folder}`,
    ...(hasMedia ? [] : ['Media are in a bucket, which needs its own backup']),
  ]
}
