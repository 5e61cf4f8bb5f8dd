import type pg from 'pg'
import type { Description } from './describe.ts'

/** A type as TypeScript text, and PostgreSQL's name of it for messages. */
export interface TypeText {
  type: string
  name: string
}

/** What a statement's declared types have to agree with. */
export interface Expectation {
  params: Record<string, TypeText>
  row: Record<string, TypeText & { nullability: Nullability }>
}

/** Whether a value can be null: `unknown` for expressions, and for columns of tables behind an outer join. */
type Nullability = 'nullable' | 'not null' | 'unknown'

/** What pg makes of a value in a result. int8 and numeric exceed what a number holds exactly, so they stay text. */
const RESULTS: Record<string, string> = {
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
  name: 'string',
  numeric: 'string',
  pg_snapshot: 'string',
  regclass: 'string',
  text: 'string',
  timestamp: 'Date',
  timestamptz: 'Date',
  tsquery: 'string',
  tsvector: 'string',
  uuid: 'string',
  varchar: 'string',
  // A function without a result gives an empty string.
  void: 'string',
  xid8: 'string',
}

/** What pg accepts for a parameter, where that is not the type of a result. It writes objects as JSON, but not arrays. */
const PARAMETERS: Record<string, string> = {
  int8: 'string | number',
  numeric: 'string | number',
  json: 'string | object',
  jsonb: 'string | object',
  // Also texts, for 'infinity' and '-infinity'.
  timestamptz: 'Date | string',
}

/** Arrays that pg parses. It leaves every other array as text. */
const PARSED_ARRAYS = new Set(
  'bool bytea date float4 float8 inet int2 int4 int8 json jsonb numeric text timestamp timestamptz uuid varchar'.split(
    ' ',
  ),
)

interface PgType {
  id: number
  name: string
  /** Of an array's elements; 0 for everything else. */
  element: number
  /** The labels of an enum. */
  labels: string[] | null
}

/** Statements in which a column that is declared `not null` may still be null. */
const OUTER_JOIN = /\b(?:left|right|full)\s+(?:outer\s+)?join\b/i

/** Turns descriptions of statements into what their declared types must be. */
export class TypeCatalogue {
  readonly #types: ReadonlyMap<number, PgType>
  /** `table.attribute` of each column of a table, with whether it is declared `not null`. */
  readonly #columns: ReadonlyMap<string, boolean>

  private constructor(types: ReadonlyMap<number, PgType>, columns: ReadonlyMap<string, boolean>) {
    this.#types = types
    this.#columns = columns
  }

  static async load(client: pg.Client): Promise<TypeCatalogue> {
    const types = await client.query<PgType>(
      `select t.oid::int as id, t.typname as name, case when t.typcategory = 'A' then t.typelem::int else 0 end as element,
         (select json_agg(enumlabel order by enumsortorder) from pg_enum where enumtypid = t.oid) as labels
       from pg_type t`,
    )
    const columns = await client.query<{ key: string; not_null: boolean }>(
      `select a.attrelid || '.' || a.attnum as key, a.attnotnull as not_null
       from pg_attribute a join pg_class c on c.oid = a.attrelid where c.relkind in ('r', 'p') and a.attnum > 0`,
    )
    return new TypeCatalogue(
      new Map(types.rows.map((row) => [row.id, row])),
      new Map(columns.rows.map((row) => [row.key, row.not_null])),
    )
  }

  /** Returns what the types of a statement have to be. `names` are those of its parameters, by their positions. */
  expect({ params, columns }: Description, { text, names }: { text: string; names: readonly string[] }): Expectation {
    const mayJoinNothing = OUTER_JOIN.test(text)
    return {
      params: Object.fromEntries(params.map((id, n) => [names[n]!, this.#parameter(id)])),
      row: Object.fromEntries(
        columns.map(({ name, type, table, attribute }) => {
          const notNull = this.#columns.get(`${table}.${attribute}`)
          const nullability: Nullability =
            notNull === undefined || (notNull && mayJoinNothing) || this.#isJson(type)
              ? 'unknown'
              : notNull
                ? 'not null'
                : 'nullable'
          return [name, { ...this.#result(type), nullability }]
        }),
      ),
    }
  }

  /** JSON has a null of its own. */
  #isJson(id: number): boolean {
    return ['json', 'jsonb'].includes(this.#find(id).name)
  }

  #find(id: number): PgType {
    const type = this.#types.get(id)
    if (!type) throw new Error(`PostgreSQL names a type that it does not have: ${id}`)
    return type
  }

  #result(id: number): TypeText {
    const { name, element, labels } = this.#find(id)
    if (element === 0) return { type: labels ? unionOf(labels) : scalar(RESULTS, name), name }
    const { name: elementName } = this.#find(element)
    // Elements may be null, which the declared type states where it matters.
    return PARSED_ARRAYS.has(elementName)
      ? { type: `readonly (${scalar(RESULTS, elementName)} | null)[]`, name: `${elementName}[]` }
      : { type: 'string', name: `${elementName}[]` }
  }

  #parameter(id: number): TypeText {
    const { name, element, labels } = this.#find(id)
    if (element === 0) return { type: labels ? 'string' : acceptedFor(name), name }
    const of = this.#find(element)
    return { type: `readonly (${of.labels ? 'string' : acceptedFor(of.name)} | null)[]`, name: `${of.name}[]` }
  }
}

function scalar(types: Record<string, string>, name: string): string {
  const type = types[name]
  if (type === undefined)
    throw new Error(`bin/statements/types.ts has no TypeScript type for PostgreSQL's type ${name}`)
  return type
}

function acceptedFor(name: string): string {
  return PARAMETERS[name] ?? scalar(RESULTS, name)
}

function unionOf(labels: readonly string[]): string {
  return labels.map((label) => `'${label}'`).join(' | ')
}
