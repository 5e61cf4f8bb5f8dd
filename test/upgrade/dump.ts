import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import type pg from 'pg'
import { MIGRATIONS_FOLDER, readMigrations } from '../../src/platform/db/read-migrations.ts'

const FILE = join(import.meta.dirname, 'baseline.json.gz')

/** A filled database: the migrations that created its tables, and all rows of the schema `public`. */
export interface Dump {
  /** For each migration by name: a hash of its SQL without comments. */
  migrations: Record<string, string>
  /** For each table by name: its rows as JSON text of PostgreSQL, so that numbers lose no digits. */
  tables: Record<string, string[]>
  /** For each sequence by name: the last value, and whether it was used. */
  sequences: Record<string, { last: string; isCalled: boolean }>
  /** The access token of a user. */
  token: string
}

export async function readDump(): Promise<Dump> {
  return JSON.parse(gunzipSync(await readFile(FILE)).toString('utf8')) as Dump
}

export async function writeDump(dump: Dump): Promise<void> {
  await writeFile(FILE, gzipSync(JSON.stringify(dump), { level: 9 }))
}

/** Returns a hash of each migration of the program. Comments and white space do not affect it. */
export async function hashMigrations(): Promise<Record<string, string>> {
  const migrations = await readMigrations(MIGRATIONS_FOLDER)
  return Object.fromEntries(
    migrations.map(({ name, up, concurrentIndexes }) => {
      const statements = [up ?? '', ...concurrentIndexes.map(({ statement }) => statement)].join(';')
      const bare = statements.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ')
      return [name, createHash('sha256').update(bare).digest('hex')]
    }),
  )
}

/** Lists the tables of the schema except `migrations`, to which the migrations add their own rows. */
async function listTables(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'migrations' order by 1`,
  )
  return rows.map(({ name }) => name)
}

/** Returns the number of rows of each table. */
export async function countRows(client: pg.ClientBase): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of await listTables(client)) {
    const { rows } = await client.query<{ count: number }>(`select count(*)::integer as count from ${table}`)
    counts[table] = rows[0]!.count
  }
  return counts
}

export async function dumpDatabase(client: pg.ClientBase, token: string): Promise<Dump> {
  await client.query(`set time zone 'UTC'`)
  const tables: Dump['tables'] = {}
  for (const table of await listTables(client)) {
    const { rows } = await client.query<{ text: string }>(
      `select to_jsonb(t)::text as text from ${table} t order by to_jsonb(t)::text collate "C"`,
    )
    tables[table] = rows.map(({ text }) => text)
  }
  const { rows: names } = await client.query<{ name: string }>(
    `select sequencename as name from pg_sequences where schemaname = 'public' order by 1`,
  )
  const sequences: Dump['sequences'] = {}
  for (const { name } of names) {
    const { rows } = await client.query<{ last: string; isCalled: boolean }>(
      `select last_value as last, is_called as "isCalled" from ${name}`,
    )
    sequences[name] = rows[0]!
  }
  return { migrations: await hashMigrations(), tables, sequences, token }
}

/**
 * Fills the tables that the migrations of the dump have created, and replaces the rows of these migrations. Foreign
 * keys and triggers do not run, so the function needs a superuser.
 */
export async function restoreDump(client: pg.ClientBase, { tables, sequences }: Dump): Promise<void> {
  await client.query('begin')
  await client.query('set local session_replication_role = replica')
  for (const [table, rows] of Object.entries(tables)) {
    const columns = await listStoredColumns(client, table)
    await client.query(`delete from ${table}`)
    await client.query(
      `insert into ${table} (${columns}) overriding system value
       select ${columns} from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
      [`[${rows.join(',')}]`],
    )
  }
  for (const [name, { last, isCalled }] of Object.entries(sequences)) {
    await client.query('select setval($1::regclass, $2, $3)', [name, last, isCalled])
  }
  await client.query('commit')
}

/** Returns all columns except generated ones. */
async function listStoredColumns(client: pg.ClientBase, table: string): Promise<string> {
  const { rows } = await client.query<{ columns: string }>(
    `select string_agg(quote_ident(attname), ', ') as columns from pg_attribute
     where attrelid = to_regclass($1) and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  )
  return rows[0]!.columns
}
