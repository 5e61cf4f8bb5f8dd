import { createBatch } from '../create-batch.ts'
import { statement } from './statement.ts'
import type { Db } from './connection.ts'

/** How many calls share one statement at most. */
const MAX_BATCH = 100

/**
 * Returns a query whose concurrent calls share one statement, which costs little more than that of one call. Calls with
 * equal parameters are answered once.
 * `columns`: the parameters with their SQL types. `resultExpression`: an SQL expression of type text over the alias
 * `asked`, which has these columns.
 */
export function createBatchedQuery<Asked extends object>(
  columns: Readonly<Record<keyof Asked & string, string>>,
  resultExpression: string,
): (db: Db, parameters: Asked) => Promise<string> {
  const definitions = Object.entries<string>(columns).map(([name, type]) => `${name} ${type}`)
  const select = statement<{ params: { items: string }; row: { answer: string } }>(
    `select ${resultExpression} as answer
     from rows from (jsonb_to_recordset($items::jsonb) as (${definitions.join(', ')})) with ordinality as asked
     order by asked.ordinality`,
  )
  return createBatch<Db, Asked, string>(
    async (db, calls) => {
      const items = calls.map((parameters) => JSON.stringify(parameters))
      const distinct = [...new Set(items)]
      const rows = await select(db, { items: `[${distinct.join(',')}]` })
      const answers = new Map(distinct.map((item, n) => [item, rows[n]!.answer]))
      return items.map((item) => answers.get(item)!)
    },
    { maxItems: MAX_BATCH },
  )
}
