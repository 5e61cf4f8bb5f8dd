import { createBatch } from '../batch.ts'
import { statement } from './statement.ts'
import type { Db } from './connect.ts'

/** So many share one statement at most. */
const MAX_TOGETHER = 100

/**
 * A question that many may ask at the same time, in one statement that costs little more than for one of them.
 * `columns`: what is asked with, by the type that it has in SQL. `answer`: one text, in SQL over the alias `asked`, which
 * has these columns.
 */
export function askTogether<Asked extends object>(
  columns: Readonly<Record<keyof Asked & string, string>>,
  answer: string,
): (db: Db, asked: Asked) => Promise<string> {
  const definitions = Object.entries<string>(columns).map(([name, type]) => `${name} ${type}`)
  const select = statement<{ params: { items: string }; row: { answer: string } }>(
    `select ${answer} as answer from jsonb_to_recordset($items::jsonb) as asked (n integer, ${definitions.join(', ')})
     order by asked.n`,
  )
  return createBatch<Db, Asked, string>(
    async (db, items) => {
      const rows = await select(db, { items: JSON.stringify(items.map((item, n) => ({ ...item, n }))) })
      return rows.map((row) => row.answer)
    },
    { maxItems: MAX_TOGETHER },
  )
}
