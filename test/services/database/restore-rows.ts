import pg from 'pg'

/** The rows of a new database. */
export interface Template {
  emptyTables: readonly string[]
  filledTables: readonly FilledTable[]
  sequences: ReadonlyMap<string, Sequence>
}

interface FilledTable {
  name: string
  /** Without generated columns. */
  columns: readonly string[]
  /** Each as the text of a composite value. */
  rows: readonly string[]
}

interface Sequence {
  name: string
  first: string
  /** null: not used yet. */
  last: string | null
}

/**
 * Databases with a larger table are not used again: deleted rows take their space until PostgreSQL vacuums the table,
 * which would make it plan all statements anew.
 */
const MAX_TABLE_BYTES = 1_000_000

/** The catalogs that DDL changes. A statistic of `analyze` changes `pg_class` in place. */
const CATALOGS = [
  'pg_class',
  'pg_attribute',
  'pg_trigger',
  'pg_proc',
  'pg_constraint',
  'pg_namespace',
  'pg_db_role_setting',
]

/** Returns a text that changes with the schema and its statistics. */
export async function readCatalogs(client: pg.Client): Promise<string> {
  const states = CATALOGS.map((name) => `(select concat_ws(' ', count(*), sum(xmin::text::bigint)) from ${name})`)
  const { rows } = await client.query<{ state: string }>({
    name: 'catalogs',
    text: `select concat_ws(' ', ${states.join()}, (select sum(reltuples) from pg_class)) as state`,
  })
  return rows[0]!.state
}

/** Reads what a new database contains. */
export async function readTemplate(client: pg.Client): Promise<Template> {
  const { rows: tables } = await client.query<{ name: string; columns: string[] }>(
    `select c.oid::regclass::text as name,
       (select array_agg(quote_ident(attname) order by attnum) from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
     from pg_class c join pg_namespace n on n.oid = relnamespace
     where relkind = 'r' and nspname !~ '^(pg_|information_schema$)'`,
  )
  const filledTables: FilledTable[] = []
  for (const table of tables) {
    const rows = await readRows(client, table.name)
    if (rows.length > 0) filledTables.push({ ...table, rows })
  }
  const filled = new Set(filledTables.map(({ name }) => name))
  const emptyTables = tables.map(({ name }) => name).filter((name) => !filled.has(name))
  const sequences = new Map((await readSequences(client)).map((sequence) => [sequence.name, sequence]))
  return { emptyTables, filledTables, sequences }
}

async function readRows(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ row: string }>({
    name: `rows of ${table}`,
    text: `select t::text as row from ${table} t order by 1`,
  })
  return rows.map(({ row }) => row)
}

async function readSequences(client: pg.Client): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>({
    name: 'sequences',
    text: `select format('%I.%I', schemaname, sequencename) as name, start_value::text as first, last_value::text as last
      from pg_sequences`,
  })
  return rows
}

/** Restores the rows and the sequences of a new database. Returns false if too much space would remain occupied. */
export async function restoreRows(client: pg.Client, template: Template): Promise<boolean> {
  const { isLarge, usedTables } = await readUse(client, template)
  if (isLarge) return false
  const statements = usedTables.map((name) => `delete from ${name}`)
  for (const table of template.filledTables) {
    const rows = await readRows(client, table.name)
    if (rows.join('\n') !== table.rows.join('\n')) statements.push(`delete from ${table.name}`, insertRows(table))
  }
  for (const { name, first, last } of await readSequences(client)) {
    const before = template.sequences.get(name)!.last
    if (last !== before) statements.push(`select setval('${name}', ${before ?? first}, ${before !== null})`)
  }
  // Without triggers and foreign keys.
  await client.query(['begin', 'set local session_replication_role = replica', ...statements, 'commit'].join(';'))
  return true
}

async function readUse(
  client: pg.Client,
  { emptyTables }: Template,
): Promise<{ isLarge: boolean; usedTables: string[] }> {
  const names = emptyTables.map((name) => `case when exists(select from ${name}) then '${name}' end`)
  const { rows } = await client.query<{ isLarge: boolean; usedTables: string[] }>({
    name: 'use',
    text: `select array_remove(array[${names.join()}], null) as "usedTables",
      (select max(pg_relation_size(oid)) > ${MAX_TABLE_BYTES} from pg_class
       where relkind = 'r' and relnamespace <> 'pg_catalog'::regnamespace) as "isLarge"`,
  })
  return rows[0]!
}

function insertRows({ name, columns, rows }: FilledTable): string {
  const literals = rows.map((row) => pg.escapeLiteral(row))
  return `insert into ${name} (${columns.join()}) overriding system value
    select ${columns.map((column) => `(r).${column}`).join()} from unnest(array[${literals.join()}]::${name}[]) r`
}
