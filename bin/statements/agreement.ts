/**
 * Types that compare the declared types of a statement with PostgreSQL's description. The check copies this file beside
 * a copy of the sources and lets the compiler evaluate `Problems`.
 */

type ParamsOf<Declared> = Declared extends { params: infer Params } ? Params : object
type NotNullOf<Declared> = Declared extends { notNull: infer NotNull } ? NotNull : never

interface Expected {
  params: Record<string, { type: unknown; name: string }>
  row: Record<string, { type: unknown; name: string; nullability: string }>
}

/** A union of one text for each disagreement; `never` if there is none. */
export type Problems<Declared, Facts extends Expected> =
  | ParamProblems<ParamsOf<Declared>, Facts['params']>
  // A statement that declares no row has no result that its callers could read.
  | (Declared extends { row: infer Row } ? RowProblems<Row, Facts['row'], NotNullOf<Declared>> : never)

type ParamProblems<Params, Facts extends Expected['params']> =
  | `the text uses $${Exclude<keyof Facts, keyof Params> & string}, which the type does not declare`
  | `the type declares the parameter ${Exclude<keyof Params, keyof Facts> & string}, which the text does not use`
  | {
      [Name in keyof Params & keyof Facts & string]: Accepts<
        Facts[Name]['type'],
        NonNullable<Params[Name]>
      > extends true
        ? never
        : `the declared type of $${Name} does not fit PostgreSQL's ${Facts[Name]['name']}`
    }[keyof Params & keyof Facts & string]

type RowProblems<Row, Facts extends Expected['row'], NotNull> =
  | `the result has a column ${Exclude<keyof Facts, KeyOf<Row>> & string}, which the type does not declare`
  | `the type declares the column ${Exclude<KeyOf<Row>, keyof Facts> & string}, which the result does not have`
  | `notNull names ${Exclude<NotNull, keyof Facts> & string}, which the result does not have`
  | {
      [Name in KeyOf<Row> & keyof Facts & string]:
        | (Accepts<Facts[Name]['type'], NonNullable<ValueOf<Row, Name>>> extends true
            ? never
            : `the declared type of the column ${Name} does not fit PostgreSQL's ${Facts[Name]['name']}`)
        | NullProblem<Name, null extends ValueOf<Row, Name> ? true : false, Facts[Name]['nullability'], NotNull>
    }[KeyOf<Row> & keyof Facts & string]

/** The keys and values of a row, also of a union of rows: a key that one of them lacks can be null. */
type KeyOf<Row> = Row extends unknown ? keyof Row : never
type ValueOf<Row, Name> = Row extends unknown ? (Name extends keyof Row ? Row[Name] : null) : never

type NullProblem<Name extends string, DeclaredNull, Nullability, NotNull> = Nullability extends 'nullable'
  ? Name extends NotNull
    ? never
    : DeclaredNull extends true
      ? never
      : `the column ${Name} can be null, but the type does not say so`
  : Nullability extends 'not null'
    ? DeclaredNull extends true
      ? `the column ${Name} is never null, but the type says so`
      : Name extends NotNull
        ? `notNull names the column ${Name}, which is never null anyway`
        : never
    : never

/** Whether every value of the declared type has the expected type. `any` is rejected, because it accepts everything. */
type Accepts<Required, Declared> = 0 extends 1 & Declared ? false : [Declared] extends [Required] ? true : false
