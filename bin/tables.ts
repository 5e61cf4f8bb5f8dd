import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { createPool } from '../src/platform/db/connect.ts'
import { startEmbedded } from '../src/platform/db/embedded.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import { createLog } from '../src/platform/log.ts'

interface Column {
  table: string
  name: string
  /** PostgreSQL's own name of the type, or of an array's element. */
  type: string
  isArray: boolean
  nullable: boolean
  /** How a value comes to be without one given: never, if none is given (`default`), or only so (`always`). */
  generated: 'no' | 'default' | 'always'
  /** The labels of an enum, in their order; null for every other type. */
  labels: string[] | null
}

/** As `pg` gives them: int8 and numeric exceed what a number holds exactly, so they stay text. */
const TYPES: Record<string, string> = {
  bool: 'boolean',
  bytea: 'Buffer',
  citext: 'string',
  date: 'Date',
  float4: 'number',
  float8: 'number',
  inet: 'string',
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
    throw new Error(`${column.table}.${column.name} has the type ${column.type}, which bin/tables.ts does not know`)
  }
  const item = column.isArray ? (column.labels ? `(${base})[]` : `${base}[]`) : base
  const value = column.nullable && item !== 'unknown' ? `${item} | null` : item
  if (column.generated === 'no') return value
  return `${column.generated === 'always' ? 'GeneratedAlways' : 'Generated'}<${value}>`
}

/**
 * Writes the row types of every table and view of the schema `public`, for Kysely.
 * The same schema always gives the same text, formatted as the rest of the code.
 * @throws Error naming the column whose type has no counterpart here.
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

/** Migrates a database that exists only for this, and writes down what came out. */
async function writeTables(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'linnet-tables-'))
  try {
    const database = await startEmbedded({ dataDir, log: createLog('error') })
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
