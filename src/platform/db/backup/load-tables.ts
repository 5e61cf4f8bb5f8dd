import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { BackupError } from './backup-error.ts'
import { checkEqual } from './copy-files.ts'
import { listTables, quote } from './describe-tables.ts'
import { createHashStream } from './hash-stream.ts'
import type { Manifest } from './manifest.ts'

interface ForeignKey {
  table: string
  name: string
  definition: string
}

/**
 * Replaces the rows of all tables by those of a backup, in one transaction: a backup that is damaged changes nothing. The
 * schema must have the migrations of the backup. Foreign keys are removed meanwhile and checked when they are added
 * again; triggers do not run. Afterwards, jobs do not send again what was waiting in the outbox of mails and among the
 * push notifications: it may have been sent since the backup.
 * @throws BackupError
 */
export async function loadTables(
  client: pg.ClientBase,
  { folder, manifest, onTable }: { folder: string; manifest: Manifest; onTable: (done: number, name: string) => void },
): Promise<void> {
  await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0')
  await client.query('begin')
  try {
    const existing = (await listTables(client)).map(({ name }) => name)
    checkTables(existing, manifest)
    const foreignKeys = await listForeignKeys(client)
    for (const { table, name } of foreignKeys)
      await client.query(`alter table ${quote(table)} drop constraint ${quote(name)}`)
    for (const name of existing) await client.query(`alter table ${quote(name)} disable trigger user`)
    await client.query(`truncate ${existing.map(quote).join(', ')}`)
    const totalBytes = manifest.tables.reduce((sum, { file }) => sum + file.bytes, 0)
    let doneBytes = 0
    for (const table of manifest.tables) {
      onTable(doneBytes / totalBytes, table.name)
      await loadTable(client, { folder, table })
      doneBytes += table.file.bytes
    }
    onTable(1, 'foreign keys')
    for (const { table, name, definition } of foreignKeys)
      await client.query(`alter table ${quote(table)} add constraint ${quote(name)} ${definition}`)
    for (const name of existing) await client.query(`alter table ${quote(name)} enable trigger user`)
    for (const { name, last, isCalled } of manifest.sequences)
      await client.query('select setval($1::regclass, $2, $3)', [quote(name), last, isCalled])
    await client.query(`delete from jobs where name in ('sendMail', 'sendPush')`)
    await client.query('commit')
  } catch (err) {
    await client.query('rollback').catch(() => undefined)
    throw err
  }
  await client.query('analyze')
}

async function loadTable(
  client: pg.ClientBase,
  { folder, table }: { folder: string; table: Manifest['tables'][number] },
): Promise<void> {
  const { name, columns, file } = table
  const { stream, result } = createHashStream()
  const target = client.query(copyFrom(`copy ${quote(name)} (${columns.map(quote).join(', ')}) from stdin`))
  try {
    await pipeline(createReadStream(join(folder, file.path)), stream, createGunzip(), target)
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new BackupError(`The backup is incomplete: ${file.path} is missing`, { cause })
    // Errors of decompression, and those of PostgreSQL about data. Others are not caused by the backup.
    if (/^(Z_|22|23)/.test(code))
      throw new BackupError(`The backup is damaged: ${file.path} can't be loaded: ${message}`, { cause })
    throw cause
  }
  checkEqual(file, result())
  if (target.rowCount !== table.rows)
    throw new BackupError(
      `The backup is damaged: the table ${name} has ${target.rowCount} instead of ${table.rows} rows`,
    )
}

function checkTables(existing: readonly string[], { tables }: Manifest): void {
  const found = new Set(existing)
  const named = new Set(tables.map(({ name }) => name))
  const difference = [...found.symmetricDifference(named)]
  if (difference.length > 0)
    throw new BackupError(`The backup does not have the tables of its migrations: ${difference.join(', ')}`)
}

async function listForeignKeys(client: pg.ClientBase): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select r.relname as table, c.conname as name, pg_get_constraintdef(c.oid) as definition
     from pg_constraint c join pg_class r on r.oid = c.conrelid
     where c.contype = 'f' and c.connamespace = current_schema()::regnamespace order by 1, 2`,
  )
  return rows
}
