import type { Ctx, Tx } from '../../src/domain/context.ts'
import type { Db } from '../../src/platform/db/connection.ts'

/**
 * Returns how many rows of a table and entries of its indexes `work` reads, in a transaction. Its statements are planned
 * for the present size of the tables, as after an `analyze`: sessions keep the plans of earlier tests with few rows.
 */
export async function countReadRows(
  { db }: Pick<Tx, 'db'>,
  { table, work }: { table: string; work: () => Promise<unknown> },
): Promise<number> {
  // Includes what the session has read before, until it reports that.
  const count = async () => {
    const { rows } = await db.query(
      `select sum(pg_stat_get_xact_tuples_returned(relation))::int as n
       from (select $1::text::regclass::oid as relation
         union select indexrelid from pg_index where indrelid = $1::text::regclass) read`,
      [table],
    )
    return (rows[0] as { n: number }).n
  }
  await db.query('discard plans', [])
  const before = await count()
  await work()
  return (await count()) - before
}

/** Returns a context that appends, for each of its transactions, how many rows of a table it has read to `rowsOfWrites`. */
export function countReadRowsOfWrites<Given extends Pick<Ctx, 'write'>>(
  ctx: Given,
  { table }: { table: string },
): { counting: Given; rowsOfWrites: number[] } {
  const rowsOfWrites: number[] = []
  const write: Ctx['write'] = async (work) =>
    ctx.write(async (tx) => {
      let result!: Awaited<ReturnType<typeof work>>
      const rows = await countReadRows(tx, { table, work: async () => (result = await work(tx)) })
      rowsOfWrites.push(rows)
      return result
    })
  return { counting: { ...ctx, write }, rowsOfWrites }
}

/** The same for each statement that is no part of a transaction. */
export function countReadRowsOfStatements<Given extends Pick<Ctx, 'db'>>(
  ctx: Given,
  { table }: { table: string },
): { counting: Given; rowsOfStatements: number[] } {
  const rowsOfStatements: number[] = []
  const query: Db['query'] = async (text, values) =>
    ctx.db.transaction(async (db) => {
      let result!: Awaited<ReturnType<Db['query']>>
      const rows = await countReadRows({ db }, { table, work: async () => (result = await db.query(text, values)) })
      rowsOfStatements.push(rows)
      return result
    })
  return { counting: { ...ctx, db: { ...ctx.db, query } }, rowsOfStatements }
}
