import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Log } from '../log/log.ts'
import { isDatabaseUnreachable } from './connection.ts'
import { MIGRATIONS_FOLDER, MigrationError, listMigrations, readMigrations } from './read-migrations.ts'
import type { ConcurrentIndex, Migration } from './read-migrations.ts'

/** The advisory lock of the process that migrates. Other processes wait for it and then find no pending migrations. */
const MIGRATION_LOCK = 4_711_001

/** How often a waiting process tries to get the migration lock. */
const POLL_MS = 200

/** Commands that run at the same time have the lock for less than these attempts. */
const ATTEMPTS_BEFORE_REPORT = 10

/**
 * How long a statement of a migration waits for a lock. While it waits for an exclusive one, every other session that
 * uses the table queues behind it.
 */
const LOCK_TIMEOUT_MS = 3_000

/**
 * How long the build of a concurrent index waits for a lock or for older transactions. It blocks no reads and no
 * writes meanwhile, and each attempt begins from the start.
 */
const INDEX_LOCK_TIMEOUT_MS = 600_000

/** With the delays between them, attempts go on for about two minutes. */
const MAX_ATTEMPTS = 10
const FIRST_DELAY_MS = 1_000
const MAX_DELAY_MS = 15_000

const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK_DETECTED = '40P01'

interface MigrateOptions {
  log: Log
  /** Receives the name of each migration before it runs. */
  onStep?(name: string): void
  /** Called once if another process migrates for longer than two seconds. */
  onBlocked?(): void
  /** The folder of the migrations. */
  folder?: string
  /** Only these migrations run; null: all. */
  only?: ReadonlySet<string> | null
  lockTimeoutMs?: number
  indexLockTimeoutMs?: number
  /** Waits between attempts, and while another process migrates. */
  wait?(ms: number): Promise<unknown>
}

type Context = Required<MigrateOptions> & { client: pg.ClientBase }

/**
 * Migrates the schema: runs each pending migration in its own transaction. A migration that gets no lock in time is
 * rolled back and retried. Safe to run in several processes at the same time, while a previous version serves, and
 * again after a kill.
 *
 * Returns the names of the migrations that ran.
 * @throws MigrationError if a migration fails or the database has other migrations
 */
export async function migrate(pool: pg.Pool, options: MigrateOptions): Promise<string[]> {
  const client = await pool.connect()
  const context: Context = {
    onStep: () => {},
    onBlocked: () => {},
    folder: MIGRATIONS_FOLDER,
    only: null,
    lockTimeoutMs: LOCK_TIMEOUT_MS,
    indexLockTimeoutMs: INDEX_LOCK_TIMEOUT_MS,
    wait: (ms) => sleep(ms),
    ...options,
    client,
  }
  try {
    await client.query('set statement_timeout = 0')
    await acquireMigrationLock(client, context)
    const pending = await findPendingMigrations(client, context)
    await client.query(
      'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
    )
    for (const migration of pending) {
      context.onStep(migration.name)
      await runMigration(context, migration)
    }
    return pending.map(({ name }) => name)
  } finally {
    // The lock ends with the session, too, but only some time after this process has closed it.
    await client.query('select pg_advisory_unlock_all()').catch(() => undefined)
    client.release(true)
  }
}

/** Returns the names of the migrations that have not run, without running them. */
export async function listPendingMigrations(client: pg.ClientBase): Promise<string[]> {
  return (await findPendingMigrations(client, { folder: MIGRATIONS_FOLDER, only: null })).map(({ name }) => name)
}

/** Returns the names of the migrations that ran and that only a newer version knows. */
export async function listLaterMigrations(client: pg.ClientBase): Promise<string[]> {
  const known = new Set(await listMigrations(MIGRATIONS_FOLDER))
  return [...(await findApplied(client))].filter((name) => !known.has(name)).toSorted()
}

/** @throws MigrationError if some migrations ran but not the first one: the others then expect different tables */
async function findPendingMigrations(
  client: pg.ClientBase,
  { folder, only }: Pick<Context, 'folder' | 'only'>,
): Promise<Migration[]> {
  const names = await listMigrations(folder)
  const applied = await findApplied(client)
  if (applied.size > 0 && !applied.has(names[0]!)) {
    throw new MigrationError(
      'The database has the tables of a version from before the first release, which cannot be converted: use an empty database',
    )
  }
  return readMigrations(
    folder,
    names.filter((name) => !applied.has(name) && (only?.has(name) ?? true)),
  )
}

async function findApplied(client: pg.ClientBase): Promise<Set<string>> {
  const { rows: found } = await client.query<{ exists: boolean }>(
    `select to_regclass('migrations') is not null as exists`,
  )
  if (!found[0]!.exists) return new Set()
  const { rows } = await client.query<{ name: string }>('select name from migrations')
  return new Set(rows.map(({ name }) => name))
}

/**
 * Waits until no other process migrates. Until the session ends, others wait for this one, also servers that start.
 * Polls for the lock, because a blocking wait would hold a snapshot open: `create index concurrently` in the process
 * that has the lock would wait for that snapshot, and both processes would wait forever.
 */
export async function acquireMigrationLock(
  client: pg.ClientBase,
  { log, onBlocked, wait = (ms) => sleep(ms) }: Pick<MigrateOptions, 'log' | 'onBlocked' | 'wait'>,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const { rows } = await client.query<{ acquired: boolean }>('select pg_try_advisory_lock($1) as acquired', [
      MIGRATION_LOCK,
    ])
    if (rows[0]!.acquired) return
    if (attempt === 1) log.info({}, 'Another process migrates the database; waiting for it')
    if (attempt === ATTEMPTS_BEFORE_REPORT) onBlocked?.()
    await wait(POLL_MS)
  }
}

async function runMigration(context: Context, { name, up, concurrentIndexes }: Migration): Promise<void> {
  const attempt =
    up === null ? () => buildIndexes(context, name, concurrentIndexes) : () => runInTransaction(context, name, up)
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt()
    } catch (err) {
      if (isDatabaseUnreachable(err)) throw err
      const { code, message } = err as { code?: string; message: string }
      if (code !== LOCK_NOT_AVAILABLE && code !== DEADLOCK_DETECTED) {
        throw new MigrationError(`Migration ${name} failed: ${message}`, { cause: err })
      }
      if (attempts === MAX_ATTEMPTS) {
        throw new MigrationError(
          `Migration ${name} got no lock in ${MAX_ATTEMPTS} attempts (${message}): end long transactions in the database, then start again`,
          { cause: err },
        )
      }
      const delayMs = Math.min(FIRST_DELAY_MS * 2 ** (attempts - 1), MAX_DELAY_MS)
      context.log.warn({ migration: name, attempts, delayMs, reason: message }, 'A migration got no lock; retrying')
      await context.wait(delayMs)
    }
  }
}

async function runInTransaction({ client, lockTimeoutMs }: Context, name: string, up: string): Promise<void> {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`)
    await client.query(up)
    await client.query('insert into migrations (name) values ($1)', [name])
    await client.query('commit')
  } catch (err) {
    // If the connection is lost, the server has rolled back already.
    await client.query('rollback').catch(() => undefined)
    throw err
  }
}

/**
 * Builds the indexes of a migration. First drops the invalid index that a cancelled build leaves, because
 * `if not exists` would accept it.
 */
async function buildIndexes(
  { client, indexLockTimeoutMs }: Context,
  migration: string,
  indexes: readonly ConcurrentIndex[],
): Promise<void> {
  await client.query(`set lock_timeout = ${indexLockTimeoutMs}`)
  for (const { name, statement } of indexes) {
    const { rowCount } = await client.query(
      'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
      [name],
    )
    if (rowCount !== 0) await client.query(`drop index concurrently ${name}`)
    await client.query(statement)
  }
  await client.query('insert into migrations (name) values ($1)', [migration])
}
