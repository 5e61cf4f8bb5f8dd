import type pg from 'pg'
import type { Description } from './describe.ts'

/** The text of a TypeScript type, with PostgreSQL's name of the type for messages. */
export interface TypeText {
  type: string
  name: string
}

/** The types with which the declared types of a statement must agree. */
export interface Expectation {
  params: Record<string, TypeText>
  row: Record<string, TypeText & { nullability: Nullability }>
}

/** Whether a value can be null: `unknown` for expressions, and for columns of tables behind an outer join. */
type Nullability = 'nullable' | 'not null' | 'unknown'

/** The types of result values in pg. int8 and numeric exceed the exact range of numbers, so they are strings. */
const RESULTS: Record<string, string> = {
  bool: 'boolean',
  bytea: 'Buffer',
  citext: 'string',
  date: 'Date',
  float4: 'number',
  float8: 'number',
  inet: 'string',
  cidr: 'string',
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
  // A function without a result returns an empty string.
  void: 'string',
  xid8: 'string',
}

/** Parameter types that pg accepts, where they differ from the result types. pg writes objects as JSON, not arrays. */
const PARAMETERS: Record<string, string> = {
  int8: 'string | number',
  numeric: 'string | number',
  json: 'string | object',
  jsonb: 'string | object',
  // Also strings, for 'infinity' and '-infinity'.
  timestamptz: 'Date | string',
}

/** The element types of arrays that pg parses. Other arrays remain text. */
const PARSED_ARRAYS = new Set(
  'bool bytea date float4 float8 inet int2 int4 int8 json jsonb numeric text timestamp timestamptz uuid varchar'.split(
    ' ',
  ),
)

interface PgType {
  id: number
  name: string
  /** The element type of an array; 0 for other types. */
  element: number
  /** The labels of an enum. */
  labels: string[] | null
}

/** Statements in which a column that is declared `not null` may still be null. */
const OUTER_JOIN = /\b(?:left|right|full)\s+(?:outer\s+)?join\b/i

/** Converts descriptions of statements into the expected types. */
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

  /** Returns the expected types of a statement. `names` are the names of its parameters by position. */
  expect({ params, columns }: Description, { text, names }: { text: string; names: readonly string[] }): Expectation {
    const hasOuterJoin = OUTER_JOIN.test(text)
    return {
      params: Object.fromEntries(params.map((id, n) => [names[n]!, this.#parameter(id)])),
      row: Object.fromEntries(
        columns.map(({ name, type, table, attribute }) => {
          const notNull = this.#columns.get(`${table}.${attribute}`)
          const nullability: Nullability =
            notNull === undefined || (notNull && hasOuterJoin) || this.#isJson(type)
              ? 'unknown'
              : notNull
                ? 'not null'
                : 'nullable'
          return [name, { ...this.#result(type), nullability }]
        }),
      ),
    }
  }

  /** Returns whether a type is JSON, whose values can be a JSON null. */
  #isJson(id: number): boolean {
    return ['json', 'jsonb'].includes(this.#find(id).name)
  }

  #find(id: number): PgType {
    const type = this.#types.get(id)
    if (!type) throw new Error(`Unknown type in PostgreSQL's catalogue: ${id}`)
    return type
  }

  #result(id: number): TypeText {
    const { name, element, labels } = this.#find(id)
    if (element === 0) return { type: labels ? unionOf(labels) : scalar(RESULTS, name), name }
    const { name: elementName } = this.#find(element)
    // Elements may be null; the declared type states that if it matters.
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
