import pg from 'pg'
import { RESET } from '../services/reused-sessions.ts'

/**
 * Returns the texts of the statements that this process sends to PostgreSQL during `work`, including `begin` and
 * `commit`, but not those of the job queue, whose workers poll at any time, nor what only tests send: a pool that needs
 * one more session takes a reused one.
 */
export async function captureQueries(work: () => Promise<unknown>): Promise<string[]> {
  const { query } = pg.Client.prototype
  const texts: string[] = []
  pg.Client.prototype.query = function captured(this: pg.Client, ...args: unknown[]) {
    const [statement] = args as [string | { text?: string }]
    const text = typeof statement === 'string' ? statement : (statement.text ?? '')
    if (!text.includes('graphile_worker') && text !== RESET) texts.push(text)
    return Reflect.apply(query, this, args)
  } as typeof query
  try {
    await work()
    return texts
  } finally {
    pg.Client.prototype.query = query
  }
}

/** Returns the number of statements of `captureQueries`. */
export async function countQueries(work: () => Promise<unknown>): Promise<number> {
  return (await captureQueries(work)).length
}
