import { sql } from 'kysely'
import type { BuilderDb } from '../../test/query-builder.ts'

/** What brings back one thing that was taken off. */
export interface Restoring {
  title: 'indexes' | 'foreign keys'
  statement: string
}

interface Part {
  name: string
  table: string
  definition: string
}

/**
 * Takes every index and every key off these tables, and empties none but those that are empty already, which has
 * what the same transaction writes into them left out of the log (where the log is minimal). Returns what brings all of
 * it back, to be done in this order: to make an index once, and to check a key once, takes a fraction of the time that
 * it takes row by row. Only inside a transaction, so that nobody ever sees tables without keys.
 */
export async function stripTables(tx: BuilderDb, { tables }: { tables: readonly string[] }): Promise<Restoring[]> {
  const foreign = await readConstraints(tx, { tables, kinds: ['f'] })
  const keys = await readConstraints(tx, { tables, kinds: ['p', 'u'] })
  const { rows: indexes } = await sql<Part>`
    select i.indexrelid::regclass::text as name, i.indrelid::regclass::text as table, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i where i.indrelid = any(${tables}::regclass[])
      and not exists (select from pg_constraint c where c.conindid = i.indexrelid)
    order by i.indexrelid`.execute(tx)
  const run = (text: string) => sql.raw(text).execute(tx)
  for (const { name, table } of [...foreign, ...keys]) await run(`alter table ${table} drop constraint ${name}`)
  for (const { name } of indexes) await run(`drop index ${name}`)
  // Nobody keeps anything in memory of what was not there yet.
  for (const table of tables) await run(`alter table ${table} disable trigger user`)
  for (const table of tables) {
    const { rows } = await sql`select from ${sql.table(table)} limit 1`.execute(tx)
    if (rows.length === 0) await run(`truncate ${table}`)
  }
  const add = ({ name, table, definition }: Part) => `alter table ${table} add constraint ${name} ${definition}`
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

/** Also the foreign keys of other tables that lead here: they rest on the keys that they name. */
async function readConstraints(
  tx: BuilderDb,
  { tables, kinds }: { tables: readonly string[]; kinds: readonly string[] },
): Promise<Part[]> {
  const { rows } = await sql<Part>`
    select quote_ident(conname) as name, conrelid::regclass::text as table, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype::text = any(${kinds})
      and (conrelid = any(${tables}::regclass[]) or confrelid = any(${tables}::regclass[]))
    order by oid`.execute(tx)
  return rows
}
