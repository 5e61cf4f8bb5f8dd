import { createBatch } from '../create-batch.ts'
import { statement } from './statement.ts'
import type { Db } from './connection.ts'

/** How many calls share one statement at most. */
const MAX_BATCH = 100

/**
 * Returns a query whose concurrent calls share one statement, which costs little more than that of one call. Calls with
 * equal parameters share one result.
 * `columns`: the parameters with their SQL types. `resultExpression`: an SQL expression of type text over the alias
 * `requested`, which has these columns.
 */
export function createBatchedQuery<Parameters extends object>(
  columns: Readonly<Record<keyof Parameters & string, string>>,
  resultExpression: string,
): (db: Db, parameters: Parameters) => Promise<string> {
  const definitions = Object.entries<string>(columns).map(([name, type]) => `${name} ${type}`)
  const select = statement<{ params: { items: string }; row: { result: string } }>(
    `select ${resultExpression} as result
     from rows from (jsonb_to_recordset($items::jsonb) as (${definitions.join(', ')})) with ordinality as requested
     order by requested.ordinality`,
  )
  return createBatch<Db, Parameters, string>(
    async (db, calls) => {
      const items = calls.map((parameters) => JSON.stringify(parameters))
      const distinct = [...new Set(items)]
      const rows = await select(db, { items: `[${distinct.join(',')}]` })
      const results = new Map(distinct.map((item, n) => [item, rows[n]!.result]))
      return items.map((item) => results.get(item)!)
    },
    { maxItems: MAX_BATCH },
  )
}
