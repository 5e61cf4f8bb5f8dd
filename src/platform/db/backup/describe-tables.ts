import type pg from 'pg'
import type { Manifest } from './manifest.ts'

/**
 * Tables that are not part of a backup: the migrations, which a restore runs itself, and invalidations of caches, whose
 * transaction ids mean nothing to another PostgreSQL server.
 */
const EXCLUDED_TABLES = ['migrations', 'invalidations', 'invalidation_horizon']

/** A table with its columns, without generated ones. `bytes`: its size in the database, for the progress. */
export interface StoredTable {
  name: string
  columns: string[]
  bytes: number
}

export async function listTables(client: pg.ClientBase): Promise<StoredTable[]> {
  const { rows } = await client.query<StoredTable>(
    `select c.relname as name, pg_table_size(c.oid)::float8 as bytes,
       (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
     from pg_class c
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname <> all($1::text[])
     order by 1`,
    [EXCLUDED_TABLES],
  )
  return rows
}

export async function listSequences(client: pg.ClientBase): Promise<Manifest['sequences']> {
  const { rows } = await client.query<{ name: string }>(
    `select sequencename as name from pg_sequences where schemaname = current_schema() order by 1`,
  )
  const sequences: Manifest['sequences'] = []
  for (const { name } of rows) {
    const { rows: values } = await client.query<{ last: string; isCalled: boolean }>(
      `select last_value::text as last, is_called as "isCalled" from ${quote(name)}`,
    )
    sequences.push({ name, ...values[0]! })
  }
  return sequences
}

export async function listAppliedMigrations(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from migrations order by name')
  return rows.map(({ name }) => name)
}

export async function hasAccounts(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ exists: boolean }>('select exists (select from accounts)')
  return rows[0]!.exists
}

/** Returns the name of a table, column or sequence in SQL. */
export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
