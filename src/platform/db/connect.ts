import { createHash } from 'node:crypto'
import pg from 'pg'

/** Where a statement can run: the database, a transaction, or a pool or connection of pg. */
export interface Queryable {
  query(text: string, values: unknown[]): Promise<{ rows: unknown[]; rowCount: number | null }>
}

/** The database, or an open transaction. Statements are prepared once per connection. */
export interface Db extends Queryable {
  readonly isTransaction: boolean
  /**
   * Runs the work in a transaction: commits when it resolves, rolls back when it rejects.
   * @throws Error inside of another transaction
   */
  transaction<Result>(work: (tx: Db) => Promise<Result>): Promise<Result>
}

/** How to reach PostgreSQL: an URL, or a Unix socket's folder. */
export interface Connection {
  connectionString?: string
  host?: string
  port?: number
  user?: string
  password?: string
  database?: string
}

/** More texts than this are not prepared by name, so that a built query can't fill the server's memory. */
const MAX_PREPARED = 2_000

const names = new Map<string, string>()

/** A statement's text always gets the same name, so each connection parses and plans it once. */
function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined) return known
  if (names.size >= MAX_PREPARED) return undefined
  const name = createHash('sha1').update(text).digest('base64url')
  names.set(text, name)
  return name
}

/** Statements that PostgreSQL can't prepare, or that never come twice. */
const UNPREPARED = /^\s*(begin|commit|rollback|savepoint|release|set|create|alter|drop|start|lock|listen|copy)\b/i

async function runPrepared(client: pg.ClientBase, text: string, values: unknown[]): Promise<pg.QueryResult> {
  return UNPREPARED.test(text) ? client.query(text, values) : client.query({ name: nameOf(text), text, values })
}

/** `settings`: those of each of its sessions, by PostgreSQL's names. */
export function createPool(
  connection: Connection,
  { max, onError, settings = {} }: { max: number; onError(err: Error): void; settings?: Record<string, string> },
): pg.Pool {
  // Statements are prepared once and written so that one plan serves all values. Left to itself, PostgreSQL plans the
  // large ones anew each time, which takes several times as long as running them.
  const options = { plan_cache_mode: 'force_generic_plan', ...settings }
  const pool = new pg.Pool({
    ...connection,
    max,
    application_name: 'linnet',
    options: Object.entries(options)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 60_000,
    connectionTimeoutMillis: 10_000,
  })
  // An idle connection that breaks (a restart of PostgreSQL) is not a reason to exit: the pool replaces it.
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  return pool
}

export function createDb(pool: pg.Pool): Db {
  return {
    isTransaction: false,
    async query(text, values) {
      const client = await pool.connect()
      try {
        return await runPrepared(client, text, values)
      } finally {
        client.release()
      }
    },
    transaction: async (work) => runTransaction(pool, work),
  }
}

async function runTransaction<Result>(pool: pg.Pool, work: (tx: Db) => Promise<Result>): Promise<Result> {
  const client = await pool.connect()
  const { tx, end } = openTransaction(client)
  let failure: Error | undefined
  try {
    await client.query('begin')
    const result = await work(tx)
    await end()
    const { command } = await client.query('commit')
    // So PostgreSQL answers when a statement failed and the work went on.
    if (command === 'ROLLBACK') throw new Error('The transaction was rolled back, because one of its statements failed')
    return result
  } catch (err) {
    await end()
    // A connection that can't roll back may still be in the transaction: the pool must not give it to anybody else.
    await client.query('rollback').catch((cause: Error) => {
      failure = cause
    })
    throw err
  } finally {
    client.release(failure)
  }
}

/** `end` resolves when the last query is done; the transaction refuses later ones. */
function openTransaction(client: pg.ClientBase): { tx: Db; end(): Promise<unknown> } {
  let isOpen = true
  let last: Promise<unknown> = Promise.resolve()
  const tx: Db = {
    isTransaction: true,
    async query(text, values) {
      // One at a time: pg's own queue of queries is deprecated.
      const result = last.then(() => {
        if (!isOpen) throw new Error('The transaction has ended')
        return runPrepared(client, text, values)
      })
      last = result.catch(() => {})
      return result
    },
    async transaction() {
      throw new Error('A transaction can not begin inside of another one')
    },
  }
  const end = async () => {
    isOpen = false
    return last
  }
  return { tx, end }
}

/** A statement whose text is written out, for hot paths: nothing is compiled when it runs. */
export interface Statement<Row> {
  (db: Db, values: readonly unknown[]): Promise<Row[]>
}

/**
 * Makes a callable of a statement's text with `$1…` parameters.
 * Use it where a query builder would be compiled again for each request.
 */
export function statement<Row>(text: string): Statement<Row> {
  return async (db, values) => {
    const { rows } = await db.query(text, [...values])
    return rows as Row[]
  }
}

/** Whether an error only says that two transactions met: the same work, done again, may succeed. */
export function isTransient(err: unknown): boolean {
  const code = (err as { code?: unknown } | null)?.code
  return code === '40001' || code === '40P01'
}

/** Messages of pg for connections that broke; it gives these errors no code. */
const CONNECTION_LOST =
  /Connection terminated|timeout expired|timeout exceeded when trying to connect|error establishing an SSL connection|not queryable/

/** Whether an error says that the database can't be reached at the moment. */
export function isUnreachable(err: unknown): boolean {
  const { code, message, severity } = (err ?? {}) as { code?: unknown; message?: unknown; severity?: unknown }
  return (
    // So PostgreSQL calls what ends a session, or lets none begin.
    severity === 'FATAL' ||
    (typeof code === 'string' &&
      (/^(08|57P0|53)/.test(code) ||
        /^(ECONN|ENOENT|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN)/.test(code))) ||
    (typeof message === 'string' && CONNECTION_LOST.test(message))
  )
}
