import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { listAppliedMigrations, listSequences, listTables, quote } from './describe-tables.ts'
import { createHashStream } from './hash-stream.ts'
import type { Manifest } from './manifest.ts'

/** The folder of the tables in that of the backup. */
export const TABLES_FOLDER = 'tables'

/**
 * Writes all tables, as one transaction sees them, to compressed files in the text format of COPY, which every version
 * of PostgreSQL reads. `folder` contains an empty folder for them. `onTable`: receives the share of the work that is
 * done, from 0 to 1, and the next table.
 */
export async function dumpTables(
  client: pg.ClientBase,
  { folder, onTable }: { folder: string; onTable: (done: number, name: string) => void },
): Promise<Pick<Manifest, 'migrations' | 'tables' | 'sequences'>> {
  await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0')
  await client.query('begin isolation level repeatable read, read only')
  const migrations = await listAppliedMigrations(client)
  const found = await listTables(client)
  const totalBytes = found.reduce((sum, { bytes }) => sum + bytes, 0)
  const tables: Manifest['tables'] = []
  let doneBytes = 0
  for (const { name, columns, bytes } of found) {
    onTable(doneBytes / totalBytes, name)
    const path = `${TABLES_FOLDER}/${name}.copy.gz`
    const { stream, result } = createHashStream()
    const source = client.query(copyTo(`copy ${quote(name)} (${columns.map(quote).join(', ')}) to stdout`))
    const target = createWriteStream(join(folder, path), { mode: 0o600, flags: 'wx' })
    await pipeline(source, createGzip(), stream, target)
    tables.push({ name, columns, rows: source.rowCount, file: { path, ...result() } })
    doneBytes += bytes
  }
  // The values of sequences are not part of the snapshot, but never lower than the ids in it.
  const sequences = await listSequences(client)
  await client.query('commit')
  return { migrations, tables, sequences }
}
