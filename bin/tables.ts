import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { createPool } from '../src/platform/db/connection.ts'
import { startEmbeddedDatabase } from '../src/platform/db/embedded/embedded-database.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import { createLog } from '../src/platform/log/log.ts'

interface Column {
  table: string
  name: string
  /** PostgreSQL's name of the type, or of the element type of an array. */
  type: string
  isArray: boolean
  nullable: boolean
  /** Whether PostgreSQL generates values: never (`no`), if none is given (`default`), or always. */
  generated: 'no' | 'default' | 'always'
  /** The labels of an enum, in their order; null for every other type. */
  labels: string[] | null
}

/** The types of values in `pg`. int8 and numeric exceed the exact range of numbers, so they are strings. */
const TYPES: Record<string, string> = {
  bool: 'boolean',
  bytea: 'Buffer',
  citext: 'string',
  date: 'Date',
  float4: 'number',
  float8: 'number',
  inet: 'string',
  cidr: 'string',
  inet_multirange: 'string',
  int2: 'number',
  int4: 'number',
  int8: 'string',
  json: 'unknown',
  jsonb: 'unknown',
  numeric: 'string',
  text: 'string',
  timestamp: 'Date',
  timestamptz: 'Date',
  tsvector: 'string',
  uuid: 'string',
  varchar: 'string',
  xid8: 'string',
}

const COLUMNS = `
  select
    c.relname as "table",
    a.attname as name,
    coalesce(e.typname, t.typname) as type,
    e.oid is not null as "isArray",
    not a.attnotnull as nullable,
    case
      when a.attidentity = 'a' or a.attgenerated <> '' or c.relkind in ('v', 'm') then 'always'
      when a.attidentity = 'd' or a.atthasdef then 'default'
      else 'no'
    end as generated,
    (select json_agg(enumlabel order by enumsortorder) from pg_enum where enumtypid = coalesce(e.oid, t.oid)) as labels
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join pg_type t on t.oid = a.atttypid
  left join pg_type e on t.typcategory = 'A' and e.oid = t.typelem
  where n.nspname = 'public' and c.relkind in ('r', 'p', 'v', 'm') and not c.relispartition
    and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
  order by c.relname collate "C", a.attnum`

const pascal = (name: string): string =>
  name.replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

function typeOf(column: Column): string {
  const base = column.labels?.map((label) => `'${label}'`).join(' | ') ?? TYPES[column.type]
  if (base === undefined) {
    throw new Error(`${column.table}.${column.name} has the type ${column.type}, which bin/tables.ts does not support`)
  }
  const item = column.isArray ? (column.labels ? `(${base})[]` : `${base}[]`) : base
  const value = column.nullable && item !== 'unknown' ? `${item} | null` : item
  if (column.generated === 'no') return value
  return `${column.generated === 'always' ? 'GeneratedAlways' : 'Generated'}<${value}>`
}

/**
 * Returns the source of the row types of all tables and views of the schema `public`, for Kysely. Equal schemas give
 * equal texts, formatted like the rest of the code.
 * @throws Error that names the column whose type is not supported
 */
export async function generateTables(client: pg.ClientBase | pg.Pool): Promise<string> {
  const { rows } = await client.query<Column>(COLUMNS)
  const tables = Map.groupBy(rows, ({ table }) => table)
  const wrappers = ['Generated', 'GeneratedAlways'].filter((name) =>
    rows.some((row) => typeOf(row).startsWith(`${name}<`)),
  )
  return [
    wrappers.length > 0 ? `import type { ${wrappers.join(', ')} } from 'kysely'\n\n` : '',
    '// Written by `npm run tables` from the migrated schema. Change a migration, then run it again.\n',
    ...Array.from(tables, ([table, columns]) =>
      [
        `\ninterface ${pascal(table)}Table {\n`,
        ...columns.map((column) => `  ${column.name}: ${typeOf(column)}\n`),
        '}\n',
      ].join(''),
    ),
    '\nexport interface Database {\n',
    ...Array.from(tables.keys(), (table) => `  ${table}: ${pascal(table)}Table\n`),
    '}\n',
  ].join('')
}

/** Migrates a temporary database, and writes its row types to test/tables.ts. */
async function writeTables(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'linnet-tables-'))
  try {
    const database = await startEmbeddedDatabase({ dataDir, log: createLog('error') })
    const pool = createPool(database.connection, { max: 3, onError: console.error })
    await migrate(pool, { log: createLog('warn') })
    await writeFile(new URL('../test/tables.ts', import.meta.url), await generateTables(pool))
    await pool.end()
    await database.stop()
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

if (import.meta.main) await writeTables()
