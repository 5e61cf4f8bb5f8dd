import { createBatch } from '../create-batch.ts'
import { statement } from './statement.ts'
import type { Db } from './connection.ts'

/** How many calls share one statement at most. */
const MAX_BATCH = 100

/**
 * Returns a query whose concurrent calls share one statement, which costs little more than that of one call.
 * `columns`: the parameters with their SQL types. `resultExpression`: an SQL expression of type text over the alias
 * `asked`, which has these columns.
 */
export function createBatchedQuery<Asked extends object>(
  columns: Readonly<Record<keyof Asked & string, string>>,
  resultExpression: string,
): (db: Db, parameters: Asked) => Promise<string> {
  const definitions = Object.entries<string>(columns).map(([name, type]) => `${name} ${type}`)
  const select = statement<{ params: { items: string }; row: { answer: string } }>(
    `select ${resultExpression} as answer from jsonb_to_recordset($items::jsonb) as asked (n integer, ${definitions.join(', ')})
     order by asked.n`,
  )
  return createBatch<Db, Asked, string>(
    async (db, items) => {
      const rows = await select(db, { items: JSON.stringify(items.map((item, n) => ({ ...item, n }))) })
      return rows.map((row) => row.answer)
    },
    { maxItems: MAX_BATCH },
  )
}
