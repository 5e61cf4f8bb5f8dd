import type { Queryable } from './connection.ts'

/** The types of a statement. `npm run check` compares them with PostgreSQL's description of the statement. */
export interface StatementTypes {
  /** The named parameters of its text: `{ accountId: string }` for `$accountId`. None by default. */
  params?: object
  /** The columns of a row of its result. None by default: the statement returns no rows. */
  row?: object
  /**
   * Nullable columns that the statement never returns as null, for instance because of its `where`. The check expects
   * `| null` for all other nullable columns.
   */
  notNull?: string
}

type RowOf<Types extends StatementTypes> = Types extends { row: infer Row } ? Row : never

/** Runs a statement. Returns its rows. */
export type Statement<Types extends StatementTypes = object> = Types extends { params: infer Params }
  ? (db: Queryable, params: Params) => Promise<RowOf<Types>[]>
  : (db: Queryable) => Promise<RowOf<Types>[]>

/** A statement in the form that PostgreSQL receives. */
export interface StatementText {
  /** With positional parameters: `$1`, `$2`. */
  text: string
  /** The names of its parameters, by their positions. */
  names: readonly string[]
}

let onDefine: ((statement: StatementText) => void) | undefined

/** Calls `record` for each statement that is defined after this call. For the check of all statements. */
export function recordStatements(record: (statement: StatementText) => void): void {
  onDefine = record
}

/** Matches parameters, and string literals, comments and quoted names, in which dollar signs are not parameters. */
const PARAMETER = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\$([A-Za-z]\w*)|\$(\d+)/g

/**
 * Replaces named parameters by positional ones.
 * @throws Error for a positional parameter
 */
function readText(source: string): StatementText {
  const names: string[] = []
  const text = source.replaceAll(PARAMETER, (match, name: string | undefined, position: string | undefined) => {
    if (position !== undefined) throw new Error(`A statement uses ${match}: name its parameters, as in $accountId`)
    if (name === undefined) return match
    if (!names.includes(name)) names.push(name)
    return `$${names.indexOf(name) + 1}`
  })
  return { text, names }
}

/**
 * Returns a function that runs a statement with named parameters, such as `$accountId`. Define statements at the top
 * level of a module, so that the check finds them. PostgreSQL parses and plans each one once per connection.
 */
export function statement<Types extends StatementTypes = object>(source: string): Statement<Types> {
  const { text, names } = readText(source)
  onDefine?.({ text, names })
  const run = async (db: Queryable, params?: Readonly<Record<string, unknown>>) => {
    const values = names.map((name) => params?.[name])
    const { rows } = await db.query(text, values)
    return rows
  }
  return run as Statement<Types>
}
