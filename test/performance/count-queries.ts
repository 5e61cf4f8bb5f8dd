import pg from 'pg'
import { RESET } from '../services/database/reused-sessions.ts'

/** Statements that workers send at any time: those of `src/platform/jobs/`, and the message that wakes workers. */
const isOfWorkers = (text: string, values: unknown): boolean =>
  text.endsWith('/* worker */') || JSON.stringify(values ?? []).includes('jobs.enqueued')

/** The message bus sends it at intervals, to find out whether its connection is lost: `src/platform/bus/`. */
const HEARTBEAT = 'select'

/**
 * Returns the texts of the statements that this process sends to PostgreSQL during `work`, including `begin` and
 * `commit`, but not those of workers and heartbeats, nor what only tests send: a pool that needs one more session takes
 * a reused one.
 */
export async function captureQueries(work: () => Promise<unknown>): Promise<string[]> {
  return capture(work, (text, values) => !isOfWorkers(text, values) && text !== RESET && text !== HEARTBEAT)
}

/** Returns the texts of the statements of workers. */
export async function captureWorkerQueries(work: () => Promise<unknown>): Promise<string[]> {
  return capture(work, isOfWorkers)
}

async function capture(
  work: () => Promise<unknown>,
  isCaptured: (text: string, values: unknown) => boolean,
): Promise<string[]> {
  const { query } = pg.Client.prototype
  const texts: string[] = []
  pg.Client.prototype.query = function captured(this: pg.Client, ...args: unknown[]) {
    const [statement] = args as [string | { text?: string; values?: unknown }]
    const { text = '', values = args[1] } = typeof statement === 'string' ? { text: statement } : statement
    if (isCaptured(text, values)) texts.push(text)
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
