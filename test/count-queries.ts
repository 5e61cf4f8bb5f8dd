import pg from 'pg'

/**
 * How many statements this process sends to PostgreSQL while the work is done, `begin` and `commit` included. Those of the
 * queue are left out: a worker looks for jobs whenever it likes.
 */
export async function countQueries(work: () => Promise<unknown>): Promise<number> {
  const { query } = pg.Client.prototype
  let count = 0
  pg.Client.prototype.query = function counted(this: pg.Client, ...args: unknown[]) {
    const [statement] = args as [string | { text?: string }]
    const text = typeof statement === 'string' ? statement : (statement.text ?? '')
    if (!text.includes('graphile_worker')) count += 1
    return Reflect.apply(query, this, args)
  } as typeof query
  try {
    await work()
    return count
  } finally {
    pg.Client.prototype.query = query
  }
}
