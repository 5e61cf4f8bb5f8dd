import { expressionBuilder, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { DatabaseConnection, Dialect } from 'kysely'
import type { Ctx, Tx } from '../src/domain/context.ts'
import type { Db, Queryable, TransactionOptions } from '../src/platform/db/connection.ts'
import type { Database } from './tables.ts'

/** The methods of Kysely that tests use. */
type Builder = Pick<
  Kysely<Database>,
  'selectFrom' | 'insertInto' | 'updateTable' | 'deleteFrom' | 'with' | 'fn' | 'getExecutor'
>

interface Transactions {
  transaction(): { execute<Result>(work: (tx: BuilderDb) => Promise<Result>): Promise<Result> }
  transaction<Result>(work: (tx: BuilderDb) => Promise<Result>): Promise<Result>
}

/** The program's database, on which tests also build queries with Kysely or run its `sql`. */
export type BuilderDb = Queryable & Pick<Db, 'isTransaction'> & Builder & Transactions

/** The context of a program that a test opened. */
export interface BuilderCtx extends Omit<Ctx, 'db' | 'write'> {
  readonly db: BuilderDb
  write<T>(work: (tx: Tx & { readonly db: BuilderDb }) => Promise<T>): Promise<T>
}

/** Adds the query builder to a database itself, so that what the program caches for it stays valid. */
export function addBuilder(db: Db): BuilderDb {
  let builder: Kysely<Database> | undefined
  const getBuilder = () => (builder ??= new Kysely<Database>({ dialect: dialectOn(db) }))
  const begin = db.transaction.bind(db)
  const run = async <Result>(work: (tx: BuilderDb) => Promise<Result>, options?: TransactionOptions) =>
    begin(async (tx) => work(addBuilder(tx)), options)
  const transaction = <Result>(work?: (tx: BuilderDb) => Promise<Result>, options?: TransactionOptions) =>
    work ? run(work, options) : { execute: run }
  const { fn } = expressionBuilder<Database>()
  const methods: Builder = {
    selectFrom: ((...from: Parameters<Builder['selectFrom']>) => getBuilder().selectFrom(...from)) as never,
    insertInto: (table) => getBuilder().insertInto(table),
    updateTable: ((...table: Parameters<Builder['updateTable']>) => getBuilder().updateTable(...table)) as never,
    deleteFrom: ((...from: Parameters<Builder['deleteFrom']>) => getBuilder().deleteFrom(...from)) as never,
    with: ((...query: Parameters<Builder['with']>) => getBuilder().with(...query)) as never,
    fn,
    getExecutor: () => getBuilder().getExecutor(),
  }
  return Object.assign(db, methods, { transaction }) as unknown as BuilderDb
}

/** Adds the query builder to the database of a context. */
export function addBuilderTo(ctx: Ctx): BuilderCtx {
  addBuilder(ctx.db)
  return ctx as unknown as BuilderCtx
}

function dialectOn(db: Queryable): Dialect {
  const connection: DatabaseConnection = {
    async executeQuery({ sql, parameters }) {
      const { rows, rowCount } = await db.query(sql, [...parameters])
      return { rows: rows as never[], numAffectedRows: BigInt(rowCount ?? 0) }
    },
    streamQuery() {
      throw new Error('Tests read whole results')
    },
  }
  const nothing = async () => {}
  return {
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (kysely) => new PostgresIntrospector(kysely),
    createDriver: () => ({
      init: nothing,
      acquireConnection: async () => connection,
      beginTransaction: nothing,
      commitTransaction: nothing,
      rollbackTransaction: nothing,
      releaseConnection: nothing,
      destroy: nothing,
    }),
  }
}
