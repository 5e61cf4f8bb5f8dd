import { createHash } from 'node:crypto'
import { Socket } from 'node:net'
import pg from 'pg'

/** What can run a statement: the database, a transaction, or a pool or connection of pg. */
export interface Queryable {
  query(text: string, values: unknown[]): Promise<{ rows: unknown[]; rowCount: number | null }>
}

export interface TransactionOptions {
  /** How long a statement waits for a lock before it fails. By default, only the time limit of statements applies. */
  lockTimeoutMs?: number
  /** Starts the last statements, which are sent together with the commit. None of them may wait for another one. */
  beforeCommit?: (tx: Db) => Promise<void>
}

/** The database, or an open transaction. Statements are prepared once per connection. */
export interface Db extends Queryable {
  readonly isTransaction: boolean
  /**
   * Runs the work in a transaction: commits if it resolves, rolls back if it rejects. Its statements run one after the
   * other. Those that do not wait for each other's results are sent together, as is the `begin` with the first ones.
   * @throws Error inside another transaction
   */
  transaction<Result>(work: (tx: Db) => Promise<Result>, options?: TransactionOptions): Promise<Result>
}

/** How to connect to PostgreSQL: a URL, or the folder of a Unix socket. */
export interface Connection {
  connectionString?: string
  host?: string
  port?: number
  user?: string
  password?: string
  database?: string
}

/** Further statements are not prepared by name, so that generated SQL cannot exhaust the memory of PostgreSQL. */
const MAX_PREPARED = 2_000

/** The names of the prepared statements of a pool, by their texts. */
type StatementNames = Map<string, string>

/** Returns the name of a statement, which depends only on its text, so that each connection plans it once. */
function statementName(names: StatementNames, text: string): string | undefined {
  const cachedName = names.get(text)
  if (cachedName !== undefined) return cachedName
  if (names.size >= MAX_PREPARED) return undefined
  const name = createHash('sha1').update(text).digest('base64url')
  names.set(text, name)
  return name
}

/** Statements that PostgreSQL cannot prepare or that run only once. */
const NEVER_PREPARED = /^\s*(begin|commit|rollback|savepoint|release|set|create|alter|drop|start|lock|listen|copy)\b/i

async function runPrepared(
  names: StatementNames,
  client: pg.ClientBase,
  text: string,
  values: unknown[],
): Promise<pg.QueryResult> {
  return NEVER_PREPARED.test(text)
    ? client.query(text, values)
    : client.query({ name: statementName(names, text), text, values })
}

/** The longest time that PostgreSQL works on a statement. */
const STATEMENT_TIMEOUT_MS = 30_000

/**
 * A connection in use that transfers nothing for longer than any statement takes is lost: the machine of PostgreSQL may
 * have disappeared, or a firewall may have dropped the connection, without closing it. The system would report that
 * only after a quarter of an hour.
 */
const MAX_SILENCE_MS = STATEMENT_TIMEOUT_MS + 10_000

/** How much one read from PostgreSQL returns at most. */
const READ_BYTES = 64 * 1024

/**
 * `settings`: PostgreSQL settings of each session. `maxSilenceMs`: see `openSocket`. `copies`: whether the connections
 * copy tables, and therefore send each statement alone. `name`: the name of the sessions in `pg_stat_activity`.
 */
export function createPool(
  connection: Connection,
  {
    max,
    onError,
    settings = {},
    maxSilenceMs,
    copies = false,
    name = 'linnet',
  }: {
    max: number
    onError(err: Error): void
    settings?: Record<string, string>
    maxSilenceMs?: number
    copies?: boolean
    name?: string
  },
): pg.Pool {
  // Statements are prepared once and written so that one plan fits all values. By default, PostgreSQL would plan the
  // large ones for each execution, which takes several times as long as running them. It would also compile those that
  // it estimates to be expensive, which takes about a second for each connection and statement.
  const options = { plan_cache_mode: 'force_generic_plan', jit: 'off', ...settings }
  const pool = new pg.Pool({
    ...connection,
    max,
    application_name: name,
    options: Object.entries(options)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: 60_000,
    connectionTimeoutMillis: 10_000,
    pipeline: !copies,
    stream: () => openSocket({ maxSilenceMs }),
  })
  // Without a listener, a broken idle connection (a restart of PostgreSQL) would end the process. The pool replaces it.
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  return pool
}

/**
 * Returns the socket of a connection to PostgreSQL. It is destroyed with an error when it has transferred nothing for
 * `maxSilenceMs`; 0: never.
 */
export function openSocket({ maxSilenceMs = MAX_SILENCE_MS }: { maxSilenceMs?: number | undefined } = {}): Socket {
  const buffer = Buffer.allocUnsafeSlow(READ_BYTES)
  // By default, each read gets memory for 64 KB, which exists until new objects are collected: copies are much smaller.
  const callback = (bytes: number) => socket.push(Buffer.from(buffer.subarray(0, bytes)))
  const socket: Socket = new Socket({ onread: { buffer, callback } })
  sendTogether(socket)
  // pg reports errors only between its connection and its end. Without a listener, an error would end the process.
  socket.on('error', () => {})
  socket.setTimeout(maxSilenceMs, () => {
    const seconds = Math.round(maxSilenceMs / 1000)
    const message = `The connection to PostgreSQL was silent for ${seconds} s`
    socket.destroy(Object.assign(new Error(message), { code: 'ETIMEDOUT' }))
  })
  return socket
}

/**
 * Makes a socket send what the current step of the program writes with one system call. Such calls also wake PostgreSQL,
 * and take a third of the main thread's time while statuses are posted (docs/performance.md).
 */
function sendTogether(socket: Socket): void {
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean
  let isCollecting = false
  socket.write = (...args: unknown[]) => {
    if (!isCollecting) {
      isCollecting = true
      socket.cork()
      process.nextTick(() => {
        isCollecting = false
        socket.uncork()
      })
    }
    return write(...args)
  }
}

export function createDb(pool: pg.Pool): Db {
  const names: StatementNames = new Map()
  return {
    isTransaction: false,
    async query(text, values) {
      const client = await pool.connect()
      let failure: Error | undefined
      try {
        return await runPrepared(names, client, text, values)
      } catch (err) {
        if (isReadOnly(err)) failure = err as Error
        throw err
      } finally {
        client.release(failure)
      }
    },
    transaction: async (work, options) => runTransaction(pool, names, work, options),
  }
}

async function runTransaction<Result>(
  pool: pg.Pool,
  names: StatementNames,
  work: (tx: Db) => Promise<Result>,
  { lockTimeoutMs, beforeCommit }: TransactionOptions = {},
): Promise<Result> {
  const client = await pool.connect()
  const { tx, end, countStarted } = openTransaction(client, names)
  let failure: Error | undefined
  try {
    const begun = client.query(
      lockTimeoutMs === undefined ? 'begin' : `begin; set local lock_timeout = ${lockTimeoutMs}`,
    )
    // It only fails if the connection does, and then all later statements fail, too.
    begun.catch(() => {})
    const result = await work(tx)
    const started = countStarted()
    const last = beforeCommit?.(tx)
    // If it has started no statement, it may have failed, and PostgreSQL would commit what was written before.
    if (countStarted() === started) await last
    const ended = end()
    // After a statement that failed, PostgreSQL executes no others, and rolls back instead of committing.
    const [{ command }] = await Promise.all([client.query('commit'), begun, last, ended])
    // PostgreSQL answers a commit with ROLLBACK if a statement failed and the work ignored that.
    if (command === 'ROLLBACK') throw new Error('The transaction was rolled back, because one of its statements failed')
    return result
  } catch (err) {
    await end()
    if (isReadOnly(err)) failure = err as Error
    // A connection that cannot roll back may still be in the transaction, so the pool must not reuse it.
    await client.query('rollback').catch((cause: Error) => {
      failure = cause
    })
    throw err
  } finally {
    client.release(failure)
  }
}

/** `end` resolves when the last query is done. Later queries throw. `countStarted` returns how many there were. */
function openTransaction(
  client: pg.ClientBase,
  names: StatementNames,
): { tx: Db; end(): Promise<unknown>; countStarted(): number } {
  let isOpen = true
  let started = 0
  let last: Promise<unknown> = Promise.resolve()
  const tx: Db = {
    isTransaction: true,
    async query(text, values) {
      if (!isOpen) throw new Error('The transaction has ended')
      started += 1
      const result = runPrepared(names, client, text, values)
      last = result.catch(() => {})
      return result
    },
    async transaction() {
      throw new Error('A transaction cannot begin inside another one')
    },
  }
  const end = async () => {
    isOpen = false
    return last
  }
  return { tx, end, countStarted: () => started }
}

/** Returns whether an error is a serialization failure or a deadlock, so that a retry may succeed. */
export function isRetryableConflict(err: unknown): boolean {
  const code = (err as { code?: unknown } | null)?.code
  return code === '40001' || code === '40P01'
}

/** Returns whether a statement failed because a row that it adds exists already. */
export function isUniqueViolation(err: unknown): boolean {
  return (err as { code?: unknown } | null)?.code === '23505'
}

/** Messages of pg for broken connections, which have no error code. */
const CONNECTION_LOST =
  /Connection terminated|timeout expired|timeout exceeded when trying to connect|error establishing an SSL connection|not queryable/

/**
 * Returns whether PostgreSQL accepts no writes, as the former primary of a failover. The pool must not reuse the
 * connection, because a new one leads to the new primary.
 */
function isReadOnly(err: unknown): boolean {
  return (err as { code?: unknown } | null)?.code === '25006'
}

/** Returns whether PostgreSQL accepts no writes, because it is read-only or its disk is full, but answers queries. */
export function isWriteRefused(err: unknown): boolean {
  return isReadOnly(err) || (err as { code?: unknown } | null)?.code === '53100'
}

/** Returns whether an error means that the database is unreachable, or accepts no writes, at the moment. */
export function isDatabaseUnreachable(err: unknown): boolean {
  const { code, message, severity, syscall } = (err ?? {}) as Partial<Record<string, unknown>>
  return (
    // Errors that end a session or prevent one.
    severity === 'FATAL' ||
    isReadOnly(err) ||
    (typeof code === 'string' &&
      (/^(08|57P0|53)/.test(code) ||
        // The socket of the database does not exist or has a full queue, or this process has too many files open.
        (syscall === 'connect' && /^(ENOENT|EAGAIN|EMFILE|ENFILE|ENOBUFS)$/.test(code)) ||
        /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN)/.test(code))) ||
    (typeof message === 'string' && CONNECTION_LOST.test(message))
  )
}
