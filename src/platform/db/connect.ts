import { createHash } from 'node:crypto'
import { CompiledQuery, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Database } from './tables.ts'

export type Db = Kysely<Database>

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

/** The part of pg's pool that Kysely uses, with every statement prepared by name. */
class PreparingPool {
  readonly pool: pg.Pool
  constructor(pool: pg.Pool) {
    this.pool = pool
  }

  async connect() {
    const client = await this.pool.connect()
    return {
      query: (text: string, values: readonly unknown[]) =>
        UNPREPARED.test(text)
          ? client.query(text, values as unknown[])
          : client.query({ name: nameOf(text), text, values: values as unknown[] }),
      release: () => client.release(),
    }
  }

  async end(): Promise<void> {
    await this.pool.end()
  }
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
  // Kysely's own type of a pool wants cursors, which are never used here.
  const preparing = new PreparingPool(pool) as unknown as pg.Pool
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool: preparing }) })
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
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(text, values as unknown[]))
    return rows
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
