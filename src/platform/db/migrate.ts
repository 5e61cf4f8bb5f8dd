import { readdir } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { runMigrations as migrateJobs } from 'graphile-worker'
import type pg from 'pg'
import { SCHEMAS } from '../jobs/queues.ts'

const FOLDER = new URL('../../../migrations/', import.meta.url)

/** One lock for every process that may migrate: the second waits, finds nothing to do, and goes on. */
const MIGRATION_LOCK = 4_711_001

interface MigrationFile {
  name: string
  up(db: Kysely<unknown>): Promise<void>
}

async function readMigrations(): Promise<MigrationFile[]> {
  const files = (await readdir(FOLDER)).filter((file) => /^\d{4}-[a-z0-9-]+\.ts$/.test(file)).toSorted()
  return Promise.all(
    files.map(async (file) => {
      const module: unknown = await import(pathToFileURL(join(FOLDER.pathname, file)).href)
      return { name: file.slice(0, -3), up: (module as MigrationFile).up }
    }),
  )
}

/**
 * Brings the schema up to date: the queues' own tables, then each numbered migration in a transaction of its own.
 * Safe to run from many processes at once, and again after a kill. Returns the names of those it ran.
 */
export async function migrate(pool: pg.Pool, onStep: (name: string) => void = () => {}): Promise<string[]> {
  const keeper = await pool.connect()
  try {
    await keeper.query('set statement_timeout = 0')
    await keeper.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await keeper.query(
      'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
    )
    const waiting = await findWaiting(keeper)
    for (const schema of Object.values(SCHEMAS)) await migrateJobs({ pgPool: pool, schema })
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
    for (const { name, up } of waiting) {
      onStep(name)
      await db.transaction().execute(async (tx) => {
        await sql`set local statement_timeout = 0`.execute(tx)
        await sql`set local lock_timeout = '2s'`.execute(tx)
        await up(tx)
        await sql`insert into migrations (name) values (${name})`.execute(tx)
      })
    }
    return waiting.map(({ name }) => name)
  } finally {
    await keeper.query('select pg_advisory_unlock_all()').catch(() => {})
    keeper.release(true)
  }
}

/** The names of the migrations that have not run here, without running them. */
export async function listWaitingMigrations(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ exists: boolean }>(`select to_regclass('migrations') is not null as exists`)
  const waiting = rows[0]?.exists ? await findWaiting(client) : await readMigrations()
  return waiting.map(({ name }) => name)
}

async function findWaiting(client: pg.ClientBase): Promise<MigrationFile[]> {
  const { rows } = await client.query<{ name: string }>('select name from migrations')
  const done = new Set(rows.map((row) => row.name))
  return (await readMigrations()).filter(({ name }) => !done.has(name))
}
