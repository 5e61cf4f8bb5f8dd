import { sql } from 'kysely'
import type { BuilderDb } from '../../test/query-builder.ts'

/** A statement that restores a dropped index or constraint. */
export interface RestoreStatement {
  title: 'indexes' | 'foreign keys'
  statement: string
}

interface Constraint {
  name: string
  table: string
  definition: string
}

/**
 * Drops all indexes and keys of these tables, and truncates those that are empty, so that PostgreSQL does not log the
 * rows that the same transaction writes into them (with `wal_level = minimal`). Returns the statements that restore
 * everything, in their order: creating an index or checking a key once takes a fraction of the time for each row. Call
 * it only in a transaction, so that other sessions never see the tables without keys.
 */
export async function dropIndexesAndKeys(
  tx: BuilderDb,
  { tables }: { tables: readonly string[] },
): Promise<RestoreStatement[]> {
  const foreign = await readConstraints(tx, { tables, kinds: ['f'] })
  const keys = await readConstraints(tx, { tables, kinds: ['p', 'u'] })
  const { rows: indexes } = await sql<Constraint>`
    select i.indexrelid::regclass::text as name, i.indrelid::regclass::text as table, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i where i.indrelid = any(${tables}::regclass[])
      and not exists (select from pg_constraint c where c.conindid = i.indexrelid)
    order by i.indexrelid`.execute(tx)
  const run = (text: string) => sql.raw(text).execute(tx)
  for (const { name, table } of [...foreign, ...keys]) await run(`alter table ${table} drop constraint ${name}`)
  for (const { name } of indexes) await run(`drop index ${name}`)
  // New rows are in no cache, so the triggers for cache invalidation are not needed.
  for (const table of tables) await run(`alter table ${table} disable trigger user`)
  for (const table of tables) {
    const { rows } = await sql`select from ${sql.table(table)} limit 1`.execute(tx)
    if (rows.length === 0) await run(`truncate ${table}`)
  }
  const add = ({ name, table, definition }: Constraint) => `alter table ${table} add constraint ${name} ${definition}`
  return [
    ...keys.map((key) => ({ title: 'indexes' as const, statement: add(key) })),
    ...indexes.map(({ definition }) => ({ title: 'indexes' as const, statement: definition })),
    ...foreign.map((key) => ({ title: 'foreign keys' as const, statement: add(key) })),
    ...tables.map((table) => ({
      title: 'foreign keys' as const,
      statement: `alter table ${table} enable trigger user`,
    })),
  ]
}

/** Reads constraints, including foreign keys of other tables that reference these tables and depend on their keys. */
async function readConstraints(
  tx: BuilderDb,
  { tables, kinds }: { tables: readonly string[]; kinds: readonly string[] },
): Promise<Constraint[]> {
  const { rows } = await sql<Constraint>`
    select quote_ident(conname) as name, conrelid::regclass::text as table, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype::text = any(${kinds})
      and (conrelid = any(${tables}::regclass[]) or confrelid = any(${tables}::regclass[]))
    order by oid`.execute(tx)
  return rows
}
